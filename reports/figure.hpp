// One figure: its data as TSV, always; its drawing as SVG and PDF, if gnuplot can.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "reports/figure_table.hpp"

namespace popgrad {

struct FigureSpec {
  std::string name;  // file stem: letters, digits, '_', '-', '.', '='
  FigureTable table;
  // gnuplot commands after the common style. The string variable DATA names the TSV file; its first line is a header. Empty:
  // data without a drawing.
  std::string script;
  double width_cm = 16, height_cm = 10;
};

struct FigureOutcome {
  std::string name;
  bool drawn = false;                        // every format was drawn
  std::vector<std::filesystem::path> files;  // the TSV and whatever was drawn
  std::string reason;                        // why not, in one line; empty if drawn
};

// Writes folder/name.tsv, .svg and .pdf, each whole or not at all, and creates the folder. A drawing left by an earlier run
// is removed where no new one could be made: it would show other data than the TSV beside it.
// Throws EnvironmentError if the TSV cannot be written; a missing or failing gnuplot is an outcome, not an error.
FigureOutcome draw(const FigureSpec& figure, const std::filesystem::path& folder);

}  // namespace popgrad
