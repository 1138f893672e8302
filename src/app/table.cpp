#include "app/table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace popgrad {
namespace {

constexpr std::array headers = {"claim", "configuration", "predicted", "measured", "error budget",
                                "grade", "verdict",       "controls",  "time"};
constexpr std::size_t columns = headers.size();
constexpr std::size_t configuration_column = 1, verdict_column = 6, controls_column = 7;
constexpr int gap = 2;

// Columns whose texts may take several lines, and the least width that they keep.
struct Foldable {
  std::size_t column;
  int least;
};
constexpr std::array foldable = {Foldable{0, 12}, Foldable{configuration_column, 16}, Foldable{4, 12}};

using Line = std::array<std::string, columns>;

Line line_of(const TableCells& c) {
  return {c.claim, c.configuration, c.predicted, c.measured, c.budget, c.grade, c.verdict, c.controls, c.time};
}

const char* colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::verified:
      return "\033[32m";
    case Verdict::refuted:
      return "\033[31m";
    case Verdict::undecided:
      return "\033[33m";
    case Verdict::not_applicable:
      return "\033[2m";
  }
  return "";
}

std::string painted(const std::string& text, const char* colour, bool on) { return on ? colour + text + "\033[0m" : text; }

bool all_controls_refuted(const Row& row) {
  return std::all_of(row.controls.begin(), row.controls.end(), [](const ControlOutcome& o) { return o.refuted(); });
}

// The cell padded, and painted after padding so that colour codes do not count as columns.
std::string cell(const Line& line, std::size_t column, int width, const Row& row, bool colour) {
  const bool right = column == controls_column || column == columns - 1;
  const std::string padded = right ? pad_left(line[column], width) : pad_right(line[column], width);
  if (column == verdict_column) return painted(padded, colour_of(row.verdict), colour);
  if (column == controls_column && !all_controls_refuted(row)) return painted(padded, colour_of(Verdict::refuted), colour);
  return padded;
}

void append_trimmed(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

std::vector<std::string> lines_of(const std::string& text, int width) {
  std::vector<std::string> lines;
  const std::string wrapped = wrap(text, width, "", "");
  for (std::size_t begin = 0; begin < wrapped.size();) {
    const std::size_t end = wrapped.find('\n', begin);
    lines.push_back(wrapped.substr(begin, end - begin));
    begin = end + 1;
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

// The row's cells folded into as many lines as the tallest needs.
std::string folded(const Line& cells, const std::array<int, columns>& width, const Row& row, bool colour) {
  std::array<std::vector<std::string>, columns> pieces;
  std::size_t height = 1;
  for (std::size_t column = 0; column < columns; ++column) {
    pieces[column] = lines_of(cells[column], width[column]);
    height = std::max(height, pieces[column].size());
  }
  std::string text;
  for (std::size_t i = 0; i < height; ++i) {
    std::string line;
    Line part;
    for (std::size_t column = 0; column < columns; ++column) {
      if (i < pieces[column].size()) part[column] = pieces[column][i];
      line += (i == 0 ? cell(part, column, width[column], row, colour) : pad_right(part[column], width[column])) +
              std::string(gap, ' ');
    }
    append_trimmed(text, line);
  }
  return text;
}

std::string wide_table(const std::vector<Row>& rows, const std::vector<Line>& lines, const std::array<int, columns>& width,
                       bool colour) {
  std::string text, header;
  int total = -gap;
  for (std::size_t column = 0; column < columns; ++column) {
    const bool right = column == controls_column || column == columns - 1;
    header += (right ? pad_left(headers[column], width[column]) : pad_right(headers[column], width[column])) +
              std::string(gap, ' ');
    total += width[column] + gap;
  }
  append_trimmed(text, header);
  text += std::string(static_cast<std::size_t>(total), '-') + "\n";
  for (std::size_t i = 0; i < rows.size(); ++i) text += folded(lines[i], width, rows[i], colour);
  return text;
}

// Two lines a row, where they fit: what and verdict; where and numbers.
std::string stacked_table(const std::vector<Row>& rows, const std::vector<Line>& lines,
                          const std::array<int, columns>& natural, const TableStyle& style) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Line& line = lines[i];
    std::string first = pad_right(line[0], natural[0]);
    for (const std::size_t column : {verdict_column, std::size_t{5}, controls_column, columns - 1})
      first += "  " + cell(line, column, natural[column], rows[i], style.colour);
    int width = natural[0];
    for (const std::size_t column : {verdict_column, std::size_t{5}, controls_column, columns - 1})
      width += 2 + natural[column];
    if (width <= style.width)
      append_trimmed(text, first);
    else
      text += wrap(line[0], style.width, "", "  ") +
              wrap(line[verdict_column] + ", " + line[5] + ", controls " + line[controls_column] + ", " + line[columns - 1],
                   style.width, "  ", "  ");
    text += wrap(line[configuration_column] + ": predicted " + line[2] + ", measured " + line[3] + ", budget " + line[4],
                 style.width, "    ", "    ");
  }
  return text;
}

// Takes columns from the widest foldable one until `total` fits; false if that is not enough.
bool fold(std::array<int, columns>& width, int total, int available) {
  for (; total > available; --total) {
    const Foldable* widest = nullptr;
    for (const Foldable& f : foldable)
      if (width[f.column] > f.least && (widest == nullptr || width[f.column] > width[widest->column])) widest = &f;
    if (widest == nullptr) return false;
    --width[widest->column];
  }
  return true;
}

// Rows of experiments hold p values against a level of their own: ranks of a few seeds cannot reach run.level.
std::string budget_legend(const Results& results) {
  const auto experiments = std::ranges::count_if(results.rows, [](const Row& row) { return row.claim.rfind("EMP.", 0) == 0; });
  std::string text;
  if (experiments == 0 || experiments < std::ssize(results.rows))
    text += fmt::format("error budget: r roundoff, t truncation, s sampling at family-wise level {} a row\n", results.level);
  if (experiments > 0)
    text += "EMP: measured is the p value of an order over seeds, adjusted by Holm over the row; the budget is the level it must not exceed\n";
  return text;
}

}  // namespace

std::string verdict_table(const std::vector<Row>& rows, const TableStyle& style) {
  std::vector<Line> lines;
  std::array<int, columns> width{};
  for (std::size_t column = 0; column < columns; ++column) width[column] = display_width(headers[column]);
  for (const Row& row : rows) {
    lines.push_back(line_of(cells(row)));
    for (std::size_t column = 0; column < columns; ++column)
      width[column] = std::max(width[column], display_width(lines.back()[column]));
  }
  int total = -gap;
  for (const int w : width) total += w + gap;
  const std::array<int, columns> natural = width;
  return fold(width, total, style.width) ? wide_table(rows, lines, width, style.colour)
                                         : stacked_table(rows, lines, natural, style);
}

std::string reasons(const std::vector<Row>& rows, const TableStyle& style) {
  std::string text;
  for (const Row& row : rows) {
    if (row.verdict == Verdict::verified) continue;
    const TableCells c = cells(row);
    text += c.claim + "  " + row.configuration + ": " + painted(c.verdict, colour_of(row.verdict), style.colour) + "\n";
    text += wrap(row.reason, style.width, "  why:  ", "        ");
    if (!row.next.empty()) text += wrap(row.next, style.width, "  next: ", "        ");
  }
  return text;
}

std::string verdict_text(const Results& results, bool quiet, const TableStyle& style) {
  std::string text;
  if (!quiet) text = verdict_table(results.rows, style) + "\n" + budget_legend(results);
  return text + reasons(results.rows, style) + summary(results.rows) + statement_note + "\n";
}

}  // namespace popgrad
