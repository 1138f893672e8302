#include "app/steps_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/results.hpp"
#include "reports/step_sizes.hpp"

namespace popgrad {
namespace {

using Json = nlohmann::ordered_json;

std::string with_error(const Answer& answer) {
  return answer.exact ? fmt::format("{:.4f}", answer.accuracy) : fmt::format("{:.4f} (se {:.1g})", answer.accuracy, answer.error);
}

std::string header(const StepsRequest& request, const StepsResult& result, const TableStyle& style) {
  const StepAxes& axes = result.map.axes;
  std::string text = wrap("Accuracy after three steps: " + describe(request), style.width, "", "  ");
  const Answer& any = result.map.after_three.front();
  text += wrap(any.exact ? fmt::format("exact: sums over all sequences, {} kinds of them; gradients too", any.samples)
                         : fmt::format("{} sequences for each accuracy{}; largest standard error {:.2g}; seed {}", any.samples,
                                       request.handoff == Handoff::actual
                                           ? fmt::format(", {} for each gradient of stages 2 and 3", request.construction.gradient_samples)
                                           : std::string(),
                                       std::max_element(result.map.after_three.begin(), result.map.after_three.end(),
                                                        [](const Answer& a, const Answer& b) { return a.error < b.error; })
                                           ->error,
                                       request.construction.seed),
               style.width, "", "  ");
  const char* of[] = {"alpha, beta, gamma (of W_O*, W_K2*, W_K1*)", "eta1, eta2, eta3"};
  text += wrap(fmt::format("step sizes {} in units of {:.6g}, {:.6g}, {:.6g}{}", of[request.handoff == Handoff::actual ? 1 : 0],
                           axes.unit.first, axes.unit.second, axes.unit.third,
                           request.absolute || request.handoff == Handoff::ideal
                               ? ""
                               : ": W_O contrast 1; W_K2 contrast 1 there; memory signal 1 in row T-1 of W_K1 then, to leading order"),
               style.width, "", "  ");
  text += wrap(fmt::format("chance {:.4f}; hand-built perfect head {}; success (*): above {:.4f}{}", result.chance,
                           with_error(result.perfect), result.threshold, request.threshold ? "" : ", halfway between them"),
               style.width, "", "  ");
  return text;
}

std::string panel(const StepMap& map, double threshold, std::size_t i) {
  const StepAxes& axes = map.axes;
  std::string text = fmt::format("\neta1 = {:.4g}: {:.3f} after one step\n", axes.first[i], map.after_one[i].accuracy);
  text += "      eta2  two steps | eta3";
  for (const double x : axes.third) text += pad_left(fmt::format("{:.3g}", x), 8);
  text += "\n";
  for (std::size_t j = 0; j < axes.second.size(); ++j) {
    const std::size_t pair = i * axes.second.size() + j;
    text += pad_left(fmt::format("{:.4g}", axes.second[j]), 10) + pad_left(fmt::format("{:.3f}", map.after_two[pair].accuracy), 11) + " |     ";
    for (std::size_t k = 0; k < axes.third.size(); ++k) {
      const double accuracy = map.after_three[pair * axes.third.size() + k].accuracy;
      text += pad_left(fmt::format("{:.3f}{}", accuracy, accuracy > threshold ? "*" : " "), 8);
    }
    while (text.back() == ' ') text.pop_back();
    text += "\n";
  }
  return text;
}

Json answer_json(const Answer& answer) {
  return {{"accuracy", answer.accuracy}, {"se", answer.error}, {"margin", answer.margin}, {"tied", answer.tied}};
}

}  // namespace

std::string steps_table(const StepsRequest& request, const StepsResult& result, const TableStyle& style) {
  const StepMap& map = result.map;
  std::string text = header(request, result, style);
  for (std::size_t i = 0; i < map.axes.first.size(); ++i) text += panel(map, result.threshold, i);
  const StepMap::Cell best = map.best();
  text += fmt::format("\nregion of success: {} of {} cells\n", map.above(result.threshold), map.after_three.size());
  const bool again = !result.best[3].exact;
  text += wrap(fmt::format("best cell: eta1 = {:.4g}, eta2 = {:.4g}, eta3 = {:.4g}; {}after 0, 1, 2, 3 steps {}, {}, {}, {}",
                           map.axes.first[best.i], map.axes.second[best.j], map.axes.third[best.k],
                           again ? fmt::format("on {} fresh sets of sequences for everything ", result.replicates) : "",
                           with_error(result.best[0]), with_error(result.best[1]), with_error(result.best[2]), with_error(result.best[3])),
               style.width, "", "  ");
  return text + statement_note + "\n";
}

std::string steps_json(const StepsRequest& request, const StepsResult& result) {
  const StepMap& map = result.map;
  Json json = {{"format", "popgrad-steps"}, {"version", 1}};
  json["configuration"] = {{"N", request.task.N},
                           {"T", request.task.T},
                           {"background", name(request.task.background)},
                           {"query", name(request.task.query)},
                           {"handoff", name(request.handoff)},
                           {"blocks", name(request.blocks)}};
  const bool exact = map.after_three.front().exact;
  json["exact"] = exact;
  if (!exact) {
    json["configuration"]["samples"] = map.after_three.front().samples;
    json["configuration"]["gradient_samples"] = request.construction.gradient_samples;
    json["configuration"]["seed"] = request.construction.seed;
  }
  json["units"] = {map.axes.unit.first, map.axes.unit.second, map.axes.unit.third};
  json["eta1"] = map.axes.first;
  json["eta2"] = map.axes.second;
  json["eta3"] = map.axes.third;
  json["chance"] = result.chance;
  json["perfect_head"] = answer_json(result.perfect);
  json["threshold"] = result.threshold;
  Json one = Json::array(), two = Json::array(), three = Json::array();
  for (std::size_t i = 0, pair = 0, cell = 0; i < map.axes.first.size(); ++i) {
    one.push_back(answer_json(map.after_one[i]));
    Json second = Json::array(), third = Json::array();
    for (std::size_t j = 0; j < map.axes.second.size(); ++j, ++pair) {
      second.push_back(answer_json(map.after_two[pair]));
      Json row = Json::array();
      for (std::size_t k = 0; k < map.axes.third.size(); ++k) row.push_back(answer_json(map.after_three[cell++]));
      third.push_back(std::move(row));
    }
    two.push_back(std::move(second));
    three.push_back(std::move(third));
  }
  json["after_1"] = std::move(one);
  json["after_2"] = std::move(two);
  json["after_3"] = std::move(three);
  json["successes"] = map.above(result.threshold);
  const StepMap::Cell best = map.best();
  json["best"] = {{"eta1", map.axes.first[best.i]}, {"eta2", map.axes.second[best.j]}, {"eta3", map.axes.third[best.k]}};
  if (!exact) json["best"]["replicates"] = result.replicates;
  json["best"]["after"] = Json::array();
  for (const Answer& answer : result.best) json["best"]["after"].push_back(answer_json(answer));
  json["statement_note"] = statement_note;
  return json.dump() + "\n";
}

FigureSeries steps_series(const StepsRequest& request, const StepsResult& result) {
  const StepMap& map = result.map;
  FigureSeries series{"step_sizes", "T3.end", describe(request), {step_sizes_columns(), {}}};
  for (std::size_t number = 0; number < map.after_three.size(); ++number) {
    const StepMap::Cell at = map.cell(number);
    const Answer& three = map.after_three[number];
    series.table.rows.push_back({map.axes.first[at.i], map.axes.second[at.j], map.axes.third[at.k], map.after_one[at.i].accuracy,
                                 map.after_two[at.i * map.axes.second.size() + at.j].accuracy, three.accuracy, three.error, result.threshold});
  }
  return series;
}

}  // namespace popgrad
