#include "reports/figure_series.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

using Json = nlohmann::json;

// JSON has neither NaN nor infinities: null, and the texts "inf" and "-inf".
double number(const Json& cell) {
  if (cell.is_null()) return NAN;
  if (cell == "inf") return INFINITY;
  if (cell == "-inf") return -INFINITY;
  return cell.get<double>();
}

FigureTable read_table(const Json& series) {
  FigureTable table;
  table.columns = series.at("columns").get<std::vector<std::string>>();
  for (const Json& row : series.at("rows")) {
    if (!row.is_array() || row.size() != table.columns.size())
      throw InputError("results", "a row of figure '" + series.at("figure").get<std::string>() + "' of another width",
                       std::to_string(table.columns.size()) + " numbers a row");
    auto& numbers = table.rows.emplace_back();
    for (const Json& cell : row) numbers.push_back(number(cell));
  }
  return table;
}

}  // namespace

std::vector<FigureSeries> read_series(const std::filesystem::path& results) {
  const std::string text = read_file("results", results);
  std::vector<FigureSeries> found;
  try {
    const Json document = Json::parse(text);
    if (document.at("format") != "popgrad-results")
      throw InputError("results", "'" + results.string() + "' (another format)", "a file written by popgrad verify");
    for (const Json& row : document.at("rows")) {
      if (!row.contains("series")) continue;
      for (const Json& series : row.at("series"))
        found.push_back({series.at("figure").get<std::string>(), row.at("claim").get<std::string>(),
                         row.at("configuration").get<std::string>(), read_table(series)});
    }
  } catch (const Json::exception& problem) {
    throw InputError("results", "'" + results.string() + "' (" + problem.what() + ")", "a file written by popgrad verify");
  }
  return found;
}

void require_columns(const FigureSeries& series, const std::vector<std::string>& columns) {
  for (const std::string& name : columns)
    if (std::find(series.table.columns.begin(), series.table.columns.end(), name) == series.table.columns.end())
      throw InputError("results", "figure '" + series.figure + "' without a column '" + name + "'",
                       "a file written by popgrad verify");
  if (series.table.rows.empty())
    throw InputError("results", "figure '" + series.figure + "' without rows", "a file written by popgrad verify");
}

}  // namespace popgrad
