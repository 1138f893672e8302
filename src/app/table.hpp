// The verdict table on the terminal.
#pragma once
#include <string>
#include <vector>

#include "app/results.hpp"
#include "app/terminal.hpp"
#include "check/row.hpp"

namespace popgrad {

// The cells of one row, before any layout.
struct TableCells {
  std::string claim;  // "L2.onestep variance"
  std::string configuration;
  std::string predicted;  // the headline entry, or the worst one if the row is refuted
  std::string measured;
  std::string budget;  // "0 (exact)", or its parts: "r 1.1e-16 + s 3e-03"
  std::string grade;
  std::string verdict;
  std::string controls;  // refuted of all: "5/5"
  std::string time;      // "0.3 s"
};
TableCells cells(const Row& row);

// Exact values as rationals of at most 18 characters, otherwise 6 significant digits.
std::string shown_predicted(const Entry& e);
std::string shown_measured(const Entry& e);
std::string shown_budget(const Entry& e, Grade grade);

// Aligned table with a header, in which claim, configuration and budget take several lines where the width asks for it;
// below that every row is a block of two lines or more. No line is longer than style.width unless one word alone is.
std::string verdict_table(const std::vector<Row>& rows, const TableStyle& style);

// For each row that is not verified: why, and what to do next. Empty if all are verified.
std::string reasons(const std::vector<Row>& rows, const TableStyle& style);

// "7 claims, 12 rows: 11 verified, 1 refuted; 60 of 60 negative controls refuted; 12.3 s" and a newline.
std::string summary(const std::vector<Row>& rows);

// All that is shown of results: the table and what its letters mean, reasons, summary and whose statements these are.
// quiet: without the table.
std::string verdict_text(const Results& results, bool quiet, const TableStyle& style);

// What the columns mean, for --help.
const char* table_legend();

}  // namespace popgrad
