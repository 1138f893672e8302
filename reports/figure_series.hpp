// The numbers that a results.json carries for figures.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "reports/figure_table.hpp"

namespace popgrad {

struct FigureSeries {
  std::string figure;         // "onestep_accuracy"
  std::string claim;          // of the row that carried it
  std::string configuration;  // "N=64 T=32 d=128"
  FigureTable table;          // null in the file is NaN here
};

// Every series of every row, in file order. Throws InputError("results", ...) if the file is missing, is not JSON, or does
// not have the shape described in docs/formats.md.
std::vector<FigureSeries> read_series(const std::filesystem::path& results);

// InputError("results", ...) unless the series has all of `columns`.
void require_columns(const FigureSeries& series, const std::vector<std::string>& columns);

}  // namespace popgrad
