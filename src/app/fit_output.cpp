#include "app/fit_output.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/results.hpp"

namespace popgrad {
namespace {

using Json = nlohmann::ordered_json;
using Outcome = Fitted::Outcome;

// "N=2..4 T=4..17": the smallest and largest value of each symbol.
std::string extent(const std::vector<Size>& sizes) {
  if (sizes.empty()) return "none";
  std::string text;
  for (const char* symbol : {"N", "T", "t", "s"}) {
    const std::string name = symbol;
    if (!sizes.front().of(name)) continue;
    const auto [low, high] = std::minmax_element(sizes.begin(), sizes.end(),
                                                 [&](const Size& a, const Size& b) { return *a.of(name) < *b.of(name); });
    const int first = *low->of(name), last = *high->of(name);
    text +=
        (text.empty() ? "" : " ") + name + "=" + std::to_string(first) + (first == last ? "" : ".." + std::to_string(last));
  }
  return text;
}

// "N=5 T=13": the largest value of each symbol, not all at one size.
std::string largest(const std::vector<Size>& sizes) {
  std::string text;
  for (const std::string& symbol : size_symbols()) {
    int most = 0;
    for (const Size& size : sizes) most = std::max(most, size.of(symbol).value_or(0));
    if (most > 0) text += (text.empty() ? "" : " ") + symbol + "=" + std::to_string(most);
  }
  return text;
}

std::string brief(const Rational& x) {
  const std::string text = to_string(x);
  return text.size() <= 60 ? text : text.substr(0, 24) + "... (" + std::to_string(text.size()) + " characters)";
}

std::string verdict(const FitAttempt& attempt) {
  const Fitted& f = attempt.fitted;
  const std::string rank = "rank " + std::to_string(f.rank) + " of " + std::to_string(attempt.functions);
  if (f.outcome == Outcome::found) return "found";
  if (f.outcome == Outcome::none && f.predicted)
    return "no: " + rank + "; fitted on " + std::to_string(f.fitted.size()) + " sizes it predicts " + brief(*f.predicted) +
           " at " + f.contradiction->describe() + ", where the value is " + brief(*f.measured);
  if (f.outcome == Outcome::none)
    return "no: " + std::to_string(f.fitted.size()) + " sizes contradict each other, the last " +
           f.contradiction->describe();
  if (f.rank < attempt.functions) return "undetermined: " + rank + " at these sizes; more sizes, or fewer functions";
  return "undetermined: " + std::to_string(f.held_out.size()) + " sizes are left to predict, at least " +
         std::to_string(needed_held_out(attempt.functions)) + " are needed";
}

Json sizes_json(const std::vector<Size>& sizes) {
  Json list = Json::array();
  for (const Size& size : sizes) {
    Json at = {{"N", size.N}, {"T", size.T}};
    if (size.t) at["t"] = *size.t;
    if (size.s) at["s"] = *size.s;
    list.push_back(std::move(at));
  }
  return list;
}

const char* word(Outcome outcome) {
  return outcome == Outcome::found ? "found" : outcome == Outcome::none ? "none" : "underdetermined";
}

}  // namespace

std::string fit_text(const FitReport& report, const TableStyle& style) {
  std::string text = wrap(report.quantity + "; exact values by " +
                              (report.engine == MeterEngine::moments ? "joint laws of a few tokens" : "sums over orbits"),
                          style.width, "", "  ");
  for (const FitAttempt& attempt : report.attempts) {
    text += wrap("basis of " + std::to_string(attempt.functions) + " functions: " + attempt.basis, style.width, "", "  ");
    text += wrap(verdict(attempt) + " (" + std::to_string(attempt.sizes) + " sizes, " + attempt.grid + ")", style.width,
                 "  ", "    ");
  }
  const FitAttempt& last = report.attempts.back();
  if (last.fitted.outcome == Outcome::none)
    return text + "no closed form in " + (report.attempts.size() > 1 ? "these bases" : "this basis") + "\n";
  if (last.fitted.outcome == Outcome::underdetermined)
    return text + "undecided: these sizes do not determine a closed form\n";
  const Formula& formula = *last.fitted.formula;
  text += "\nclosed form\n" + wrap(formula.text(), style.width, "  ", "    ") + "LaTeX\n" +
          wrap(formula.latex(), style.width, "  ", "    ");
  text += wrap("fitted on " + std::to_string(last.fitted.fitted.size()) + " sizes (" + extent(last.fitted.fitted) +
                   "), rank " + std::to_string(last.fitted.rank) + " of " + std::to_string(last.functions),
               style.width, "", "  ");
  text += wrap("predicts exactly all " + std::to_string(last.fitted.held_out.size()) + " sizes that were held out, up to " +
                   largest(last.fitted.held_out),
               style.width, "", "  ");
  if (!report.checked_by_orbits.empty())
    text += wrap("agrees with sums over orbits at " + std::to_string(report.checked_by_orbits.size()) + " sizes (" +
                     extent(report.checked_by_orbits) + ")",
                 style.width, "", "  ");
  return text + "A closed form at these sizes: strong evidence for others, no proof.\n";
}

std::string fit_json(const FitReport& report) {
  Json attempts = Json::array();
  for (const FitAttempt& a : report.attempts) {
    Json json = {{"basis", a.basis}, {"functions", a.functions},          {"grid", a.grid},
                 {"sizes", a.sizes}, {"outcome", word(a.fitted.outcome)}, {"rank", a.fitted.rank}};
    json["fitted"] = sizes_json(a.fitted.fitted);
    json["held_out"] = sizes_json(a.fitted.held_out);
    json["contradiction"] = Json();
    if (a.fitted.contradiction)
      json["contradiction"] = {{"size", sizes_json({*a.fitted.contradiction}).front()},
                               {"predicted", a.fitted.predicted ? Json(to_string(*a.fitted.predicted)) : Json()},
                               {"measured", to_string(*a.fitted.measured)}};
    attempts.push_back(std::move(json));
  }
  const Fitted& last = report.attempts.back().fitted;
  Json json = {{"format", "popgrad-fit"}, {"version", 1}, {"statement_note", statement_note}, {"quantity", report.quantity}};
  json["engine"] = name(report.engine);
  json["outcome"] = word(last.outcome);
  json["closed_form"] = Json();
  if (last.formula)
    json["closed_form"] = {
        {"text", last.formula->text()}, {"latex", last.formula->latex()}, {"mathml", last.formula->mathml()}};
  json["checked_by_orbits"] = sizes_json(report.checked_by_orbits);
  json["attempts"] = std::move(attempts);
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace popgrad
