#include "reports/figure_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"

namespace popgrad {
namespace {

std::string cell(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Inf" : "-Inf";
  return fmt::format("{}", value);
}

}  // namespace

std::size_t FigureTable::column(const std::string& name) const {
  const auto found = std::find(columns.begin(), columns.end(), name);
  require(found != columns.end(), "FigureTable::column", "name", "a column of the table", name);
  return static_cast<std::size_t>(found - columns.begin());
}

std::pair<double, double> FigureTable::range(std::size_t column) const {
  double low = INFINITY, high = -INFINITY;
  for (const auto& row : rows) {
    if (!std::isfinite(row[column])) continue;
    low = std::min(low, row[column]);
    high = std::max(high, row[column]);
  }
  if (low > high) return {0, 0};
  return {low, high};
}

std::string to_tsv(const FigureTable& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::string& name = table.columns[i];
    require(name.find_first_of("\t\r\n") == std::string::npos, "to_tsv", "columns", "free of tabs and line breaks", name);
    text += (i == 0 ? "" : "\t") + name;
  }
  text += '\n';
  for (const auto& row : table.rows) {
    require(row.size() == table.columns.size(), "to_tsv", "rows", std::to_string(table.columns.size()) + " numbers wide",
            std::to_string(row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : "\t") + cell(row[i]);
    text += '\n';
  }
  return text;
}

}  // namespace popgrad
