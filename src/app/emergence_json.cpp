#include <cmath>
#include <nlohmann/json.hpp>

#include "app/emergence_output.hpp"
#include "reports/figure_table.hpp"

namespace popgrad {
namespace {

using Json = nlohmann::ordered_json;

Json time_json(const EmergenceTime& time) {
  if (!time.reached) return nullptr;
  return {{"value", time.value}, {"error", time.error}};
}

Json exponent_json(const Exponent& p) { return {{"value", p.value}, {"error", p.error}}; }

Json attention_json(const LearnedAttention& a) {
  const AttentionPlaces& at = a.places;
  return {{"layer2", {{"before", at.before}, {"tau", at.trigger}, {"output", at.output}, {"after", at.after}, {"last", at.last}}},
          {"layer1_at_output",
           {{"previous", at.previous}, {"previous_uniform", at.previous_uniform}, {"trigger_share", at.trigger_share}}},
          {"accuracy", {{"o = q", at.accuracy_same}, {"o != q", at.accuracy_other}}},
          {"wk1", {{"E,E diag - off", a.equal_tokens}, {"P,P previous", a.previous}, {"P,P same", a.same}}}};
}

Json point_json(const Emergence& e) {
  const MinimalTask& task = e.request.task;
  Json json = {{"N", task.N},
               {"T", task.T},
               {"without", e.request.without},
               {"emergence", time_json(e.emergence)},
               {"t90", time_json(e.t90)},
               {"runs", Json::array()}};
  for (std::size_t i = 0; i < e.runs.size(); ++i) {
    const Crossing& run = e.runs[i];
    Json one = {{"rate", e.rate[i]}, {"emergence", nullptr}, {"interpolation", nullptr}, {"t90", nullptr}};
    if (run.emerged) {
      one["emergence"] = run.emergence;
      one["interpolation"] = run.interpolation;
    }
    if (run.accurate) one["t90"] = run.t90;
    one["updates"] = run.updates;
    one["loss"] = run.loss;
    one["accuracy"] = run.accuracy;
    json["runs"].push_back(std::move(one));
  }
  return json;
}

}  // namespace

std::string emergence_json(const std::vector<Emergence>& all, const std::vector<EmergenceLine>& lines,
                           const std::vector<LearnedAttention>& learned, const std::string& program) {
  const EmergenceRequest& first = all.front().request;
  Json json = {{"format", "popgrad-emergence-1"},
               {"program", program},
               {"configuration",
                {{"background", name(first.task.background)},
                 {"query", name(first.task.query)},
                 {"blocks", name(first.blocks)},
                 {"rate", first.rate},
                 {"rates", first.rates},
                 {"accuracy", first.accuracy}}},
               {"points", Json::array()},
               {"exponents", Json::array()}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    json["points"].push_back(point_json(all[i]));
    if (!learned.empty()) json["points"].back()["attention"] = attention_json(learned[i]);
  }
  for (const EmergenceLine& line : lines) {
    if (!line.law) continue;
    Json sizes = Json::array(), local = Json::array();
    for (const Emergence* point : line.points) sizes.push_back(line.size(*point));
    for (const Exponent& p : line.law->local) local.push_back(exponent_json(p));
    json["exponents"].push_back({{"over", line.over_T ? "T" : "N"},
                                 {line.over_T ? "N" : "T", line.fixed},
                                 {"without", line.without},
                                 {"sizes", sizes},
                                 {"local", local},
                                 {"pure", exponent_json(line.law->pure)},
                                 {"next", exponent_json(line.law->next)},
                                 {"without_smallest", line.law->without_smallest},
                                 {"with_square", line.law->with_square},
                                 {"low", line.law->low()},
                                 {"high", line.law->high()}});
  }
  return json.dump(2) + "\n";
}

std::string emergence_tsv(const std::vector<Emergence>& all) {
  // The word left out as a number would say nothing: a table of text, written here.
  std::string text = "N\tT\twithout\temergence\terror\tt90\tt90_error\tsmallest_rate\tloss\taccuracy\n";
  const auto number = [](double x) { return to_tsv({{"x"}, {{x}}}).substr(2); };
  const auto cell = [&](double x) {
    std::string shortest = number(x);
    shortest.pop_back();
    return "\t" + shortest;
  };
  for (const Emergence& e : all) {
    text += std::to_string(e.request.task.N) + "\t" + std::to_string(e.request.task.T) + "\t" + e.request.without;
    text += cell(e.emergence.reached ? e.emergence.value : NAN) + cell(e.emergence.reached ? e.emergence.error : NAN);
    text += cell(e.t90.reached ? e.t90.value : NAN) + cell(e.t90.reached ? e.t90.error : NAN);
    text += cell(e.rate.back()) + cell(e.runs.back().loss) + cell(e.runs.back().accuracy) + "\n";
  }
  return text;
}

}  // namespace popgrad
