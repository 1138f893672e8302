#include <cmath>
#include <nlohmann/json.hpp>

#include "app/results_json.hpp"
#include "core/atomic_file.hpp"

namespace popgrad {
namespace {

using Json = nlohmann::ordered_json;

// JSON has neither: NaN, no number, is null; "inf" and "-inf" are texts.
Json number(double x) {
  if (std::isnan(x)) return {};
  if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
  return x;
}

Json budget_json(const Budget& b) {
  return {{"roundoff", number(b.roundoff)},
          {"truncation", number(b.truncation)},
          {"sampling", number(b.sampling)},
          {"total", number(b.total())}};
}

Json entry_json(const Entry& e) {
  return {{"name", e.name},
          {"predicted", number(e.predicted)},
          {"measured", number(e.measured)},
          {"exact", e.exact.empty() ? Json() : Json(e.exact)},
          {"difference", number(e.difference)},
          {"budget", budget_json(e.budget)},
          {"ratio", number(e.ratio())},
          {"signal", e.signal}};
}

void put_comparison(Json& json, const Comparison& c) {
  json["entries"] = c.entries;
  json["outside"] = c.outside;
  json["effect"] = number(c.effect);
  json["widest"] = number(c.widest);
  json["headline"] = c.entries > 0 ? entry_json(c.headline) : Json();
  json["worst"] = c.entries > 0 ? entry_json(c.worst) : Json();
}

Json control_json(const ControlOutcome& control) {
  Json json = {{"name", control.name}, {"changes", control.changes}, {"verdict", name(control.comparison.verdict)}};
  put_comparison(json, control.comparison);
  return json;
}

Json series_json(const Series& series) {
  Json rows = Json::array();
  for (const std::vector<double>& row : series.rows) {
    Json cells = Json::array();
    for (const double x : row) cells.push_back(std::isfinite(x) ? Json(x) : Json());  // a gap in a figure
    rows.push_back(std::move(cells));
  }
  return {{"figure", series.figure}, {"columns", series.columns}, {"rows", std::move(rows)}};
}

Json row_json(const Row& row) {
  Json json = {{"claim", row.claim},
               {"part", row.part},
               {"configuration", row.configuration},
               {"grade", name(row.grade)},
               {"verdict", name(row.verdict)},
               {"reason", row.reason},
               {"next", row.next}};
  const bool any = compared(row);
  const Entry& shown = row.comparison.headline;
  json["predicted"] = any ? number(shown.predicted) : Json();
  json["measured"] = any ? number(shown.measured) : Json();
  json["exact"] = any && !shown.exact.empty() ? Json(shown.exact) : Json();
  json["difference"] = any ? number(shown.difference) : Json();
  json["budget"] = any ? budget_json(shown.budget) : Json();
  json["margin"] = any ? number(margin(row)) : Json();
  json["comparison_verdict"] = name(row.comparison.verdict);
  put_comparison(json, row.comparison);
  json["controls"] = Json::array();
  for (const ControlOutcome& control : row.controls) json["controls"].push_back(control_json(control));
  json["seconds"] = number(row.seconds);
  json["series"] = Json::array();
  for (const Series& series : row.series) json["series"].push_back(series_json(series));
  return json;
}

struct ToJson {
  Json operator()(std::monostate) const { return {}; }
  Json operator()(double x) const { return number(x); }
  template <class T>
  Json operator()(const T& x) const {
    return x;
  }
};

}  // namespace

double margin(const Row& row) { return 1 - row.comparison.worst.ratio(); }

std::string to_json(const Results& results) {
  Json json = {{"format", "popgrad-results"}, {"version", results_version},
               {"popgrad", results.version},  {"revision", results.revision},
               {"seed", results.seed},        {"level", number(results.level)},
               {"corpus", results.corpus},    {"statement_note", statement_note}};
  json["configuration"] = Json::object();
  for (const auto& [key, value] : results.configuration) json["configuration"][key] = std::visit(ToJson{}, value);
  json["rows"] = Json::array();
  for (const Row& row : results.rows) json["rows"].push_back(row_json(row));
  // Bytes that are not UTF-8 (a file name, say) are replaced, not thrown on.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void write_results(const std::filesystem::path& file, const Results& results) {
  write_file_atomically(file, to_json(results));
}

}  // namespace popgrad
