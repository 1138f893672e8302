// The numbers behind a figure, and the TSV file that carries them.
#pragma once
#include <string>
#include <vector>

namespace popgrad {

// Every row has columns.size() numbers; NaN where there is none.
struct FigureTable {
  std::vector<std::string> columns;  // names with units
  std::vector<std::vector<double>> rows;

  // Index of a column. HypothesisError if there is none of that name.
  std::size_t column(const std::string& name) const;
  // Smallest and largest finite value of a column; {0, 0} if it has none.
  std::pair<double, double> range(std::size_t column) const;
};

// One header line of names, then the rows, tab-separated; shortest decimals that read back to the same double, "NaN" where
// there is no number. HypothesisError on a row of another width or a name with a tab or line break.
std::string to_tsv(const FigureTable& table);

}  // namespace popgrad
