#include "app/lattice_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "core/errors.hpp"

namespace popgrad {
namespace {

using Line = std::vector<std::string>;

// One paragraph a row, where the table is wider than the terminal.
std::string stacked(const std::vector<Line>& table, int width) {
  std::string text;
  for (std::size_t i = 1; i < table.size(); ++i) {
    std::string row;
    for (std::size_t c = 0; c < table[i].size(); ++c) row += (c == 0 ? "" : "; ") + table[0][c] + ": " + table[i][c];
    text += wrap(row, width, "", "    ");
  }
  return text;
}

std::string layout(const std::vector<Line>& table, int available) {
  std::vector<int> width(table.front().size(), 0);
  for (const Line& line : table)
    for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], display_width(line[c]));
  std::string text;
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::string out;
    for (std::size_t c = 0; c < table[i].size(); ++c) out += pad_right(table[i][c], width[c]) + "  ";
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
    if (i == 0) text += std::string(out.size(), '-') + "\n";
  }
  return std::accumulate(width.begin(), width.end(), 2 * static_cast<int>(width.size()) - 2) > available
             ? stacked(table, available)
             : text;
}

std::string word(Formation formation) { return formation == Formation::not_applicable ? "n/a" : name(formation); }

std::string shown(const LatticeCell& cell, bool gate) {
  if (gate)
    return cell.formation == Formation::forms   ? "closed"
           : cell.formation == Formation::fails ? "open"
                                                : word(cell.formation);
  if (cell.formation == Formation::undecided && cell.exact.empty()) return word(cell.formation);
  std::string text = word(cell.formation);
  if (cell.formation != Formation::ties) text += fmt::format(" {:+.2g}", cell.margin);
  if (cell.at_sizes == "undecided")
    text += " (?)";
  else if (!cell.at_sizes.empty())
    text += fmt::format(" ({}{})", cell.at_sizes[0], cell.at_sizes.ends_with("certified") ? "" : "e");
  return text;
}

Line line_of(const LatticeRow& row) {
  const auto& after = row.accuracy.after;
  const Reached& last = after[3];
  Line line = {name(row.switches.handoff), name(row.switches.blocks), name(row.switches.task.background),
               name(row.switches.task.query)};
  for (std::size_t c = 0; c < 4; ++c) line.push_back(shown(row.cells[c], c == 0));
  line.push_back(
      fmt::format("{:.3f} {:.3f} {:.3f}", after[1].answer.accuracy, after[2].answer.accuracy, last.answer.accuracy));
  line.push_back(row.cells[4].formation == Formation::not_applicable
                     ? "n/a"
                     : fmt::format("{} {:+.3f}", word(row.cells[4].formation), row.cells[4].margin));
  line.push_back(fmt::format("{:.3g}, {:.3g}, {:.3g}", last.first, last.second, last.third));
  return line;
}

std::string grid_text(const LatticeOptions& options) {
  const auto list = [](const std::vector<double>& values) {
    std::string text;
    for (const double x : values) text += (text.empty() ? "" : ", ") + fmt::format("{:g}", x);
    return text;
  };
  return "a in {" + list(options.grid.first) + "}, b in {" + list(options.grid.second) + "}, c in {" +
         list(options.grid.third) + "}";
}

std::string failures(const std::vector<LatticeRow>& rows, const TableStyle& style) {
  std::string text;
  for (const LatticeRow& row : rows)
    for (std::size_t c = 0; c < lattice_columns.size(); ++c) {
      const LatticeCell& cell = row.cells[c];
      if (cell.because.empty()) continue;
      const char* verdict = c == 0 ? "open" : name(cell.formation);
      text += wrap(fmt::format("{}, {}: {}: {}", row.switches.describe(), lattice_columns[c], verdict, cell.because),
                   style.width, "  ", "      ");
    }
  const char* heading = "What stands in the way (x: share of the scores over that of the memory block, root mean squares):";
  return text.empty() ? "" : wrap(heading, style.width, "", "") + text;
}

}  // namespace

StageSizes parse_steps(const std::string& text) {
  std::vector<double> sizes;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    double x = 0;
    const auto [next, error] = std::from_chars(at, end, x);
    if (error != std::errc() || !(x > 0) || !std::isfinite(x) || (next < end && (*next != ',' || next + 1 == end)))
      throw InputError("--steps", "'" + text + "'", "three positive numbers: ETA1,ETA2,ETA3");
    sizes.push_back(x);
    at = next < end ? next + 1 : end;
  }
  if (sizes.size() != stages) throw InputError("--steps", "'" + text + "'", "three positive numbers: ETA1,ETA2,ETA3");
  return {sizes[0], sizes[1], sizes[2]};
}

Claim LatticeRun::claim() const {
  Claim claim;
  claim.id = "T3.lattice";
  claim.statement =
      "Each cell's own: the memory of its stage forms, ties, or fails because of the blocks named; the gate is closed or "
      "open. For "
      "the N, T, background and query of the row only.";
  claim.hypotheses = {"minimal task, labels uniform", "ideal model, kappa = 1",
                      steps_ ? "the step sizes given" : "accuracies: the best over step sizes " + grid_text({})};
  claim.source = "Theorem 3 and Figure 3 of the paper, this project's formalization; docs/theory.md, section 5, The lattice";
  claim.reads = {"N", "T", "background", "query"};
  claim.run = [rows = rows_, steps = steps_](const ClaimContext& context) {
    LatticeOptions options;
    options.N = context.N.value_or(options.N);
    options.T = context.T.value_or(options.T);
    options.background = context.background;
    options.query = context.query;
    options.sizes = steps;
    options.samples = std::max<std::int64_t>(2, std::llround(static_cast<double>(options.samples) * context.work));
    options.seed = context.seed;
    options.progress = context.progress;
    *rows = lattice(options);
    return lattice_verdicts(*rows);
  };
  return claim;
}

std::string LatticeRun::text(const TableStyle& style) const {
  if (rows_->empty()) return "";
  const LatticeRow& first = rows_->front();
  std::vector<Line> table = {
      {"hand-off", "blocks", "bg", "query", "gate", "step 1", "step 2", "step 3", "accuracy 1, 2, 3", "end", "a, b, c"}};
  for (const LatticeRow& row : *rows_) table.push_back(line_of(row));
  std::string text = fmt::format("Lattice of Theorem 3, N={} T={}, chance {:.3f}\n", first.switches.task.N,
                                 first.switches.task.T, first.chance) +
                     layout(table, style.width);
  text += wrap(
      "bg: background. gate: no gradient of W_K1 before W_K2 is trained. step m: margin of the memory in the gradient at "
      "leading order, exact; (+) or (-): its "
      "sign at full softmax and the row's sizes, certified (e: enumerated, ?: undecided); ties: a margin of zero. accuracy: "
      "after each step, the best over " +
          (steps_ ? std::string("the sizes given") : grid_text({})) +
          "; a, b: contrasts of (U,E) and (E,R), c: widest row of (P,P), those of step 3 shown. end: accuracy after step 3 "
          "minus the "
          "threshold, halfway from what one or two steps reach to the ideal head (docs/theory.md).",
      style.width, "", "");
  return text + failures(*rows_, style);
}

}  // namespace popgrad
