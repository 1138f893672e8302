#include "app/compare_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "app/results.hpp"

namespace popgrad {
namespace {

constexpr std::size_t columns = 10;
using Line = std::vector<std::string>;

Line cells_of(const CompareRow& row) {
  const auto number = [](double x) { return fmt::format("{:.4g}", x); };
  if (row.statistic == Statistic::exact_zero)
    return {row.map, row.block, name(row.statistic), "0", fmt::format("{} sequences not 0", row.nonzero), "-", "-",
            "-",     "-",       name(row.verdict)};
  return {row.map,
          row.block,
          name(row.statistic),
          number(row.predicted),
          number(row.measured),
          number(row.se),
          fmt::format("{:+.2f}", row.z),
          fmt::format("{:.2f}", row.bound),
          row.detectable > 0 ? fmt::format("{:.2g}", row.detectable) : "-",
          name(row.verdict)};
}

std::string layout(const std::vector<Line>& table) {
  std::vector<int> width(columns, 0);
  for (const Line& line : table)
    for (std::size_t c = 0; c < columns; ++c) width[c] = std::max(width[c], display_width(line[c]));
  std::string text;
  for (const Line& line : table) {
    std::string out;
    for (std::size_t c = 0; c < columns; ++c) out += pad_right(line[c], width[c]) + "  ";
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  }
  return text;
}

std::string table_of(const std::vector<CompareRow>& rows) {
  std::vector<Line> table = {
      {"map", "block", "statistic", "predicted", "measured", "std error", "z", "bound", "detects", "verdict"}};
  for (const CompareRow& row : rows) table.push_back(cells_of(row));
  return layout(table);
}

// Rows that are undecided for the same reason.
struct Undecided {
  std::string reason;
  std::vector<std::string> rows;
  std::int64_t needed = 0;  // sequences that would decide all of them; 0 if unknown for one
};

std::vector<Undecided> grouped(const std::vector<CompareRow>& rows) {
  std::vector<Undecided> groups;
  for (const CompareRow& row : rows) {
    if (row.verdict != Verdict::undecided) continue;
    const std::string where = row.map + " " + row.block + " " + name(row.statistic);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Undecided& g) { return g.reason == row.reason; });
    if (same == groups.end()) {
      groups.push_back({row.reason, {where}, row.needed_sequences});
    } else {
      same->rows.push_back(where);
      same->needed = same->needed == 0 || row.needed_sequences == 0 ? 0 : std::max(same->needed, row.needed_sequences);
    }
  }
  return groups;
}

// Many blocks lack samples for the same reason: the first few are named.
std::string undecided_reasons(const std::string& which, const std::vector<CompareRow>& rows, const TableStyle& style) {
  constexpr std::size_t named = 3;
  std::string text;
  for (const Undecided& group : grouped(rows)) {
    std::string where;
    for (std::size_t i = 0; i < std::min(named, group.rows.size()); ++i) where += (i == 0 ? "" : ", ") + group.rows[i];
    if (group.rows.size() > named) where += fmt::format(" and {} more", group.rows.size() - named);
    std::string line = which + ": " + where + ": " + group.reason;
    if (group.needed > 0) line += fmt::format("; about {} sequences would decide", group.needed);
    text += wrap(line, style.width, "undecided, ", "           ");
  }
  return text;
}

// What the projections would have noticed: the best block, the worst, and how many blocks notice nothing.
std::string power_line(const std::vector<CompareRow>& rows) {
  const CompareRow *best = nullptr, *worst = nullptr;
  int blind = 0;  // undecided, their bound means nothing
  for (const CompareRow& row : rows) {
    if (row.statistic != Statistic::projection) continue;
    if (!(row.detectable > 0)) {
      ++blind;
      continue;
    }
    if (best == nullptr || row.detectable < best->detectable) best = &row;
    if (worst == nullptr || row.detectable > worst->detectable) worst = &row;
  }
  if (best == nullptr) return "";
  std::string text = fmt::format(
      "to be refuted with probability 0.95 the gradient's component along the population gradient must be off by "
      "a factor 1 +- {:.2g} in {} {} (the most sensitive block), by 1 +- {:.2g} in {} {} (the least)",
      best->detectable, best->map, best->block, worst->detectable, worst->map, worst->block);
  if (blind > 0) text += fmt::format("; in {} undecided ones no error is known to be refuted", blind);
  return text;
}

std::string own_lines(const Row& own, const TableStyle& style) {
  std::string text = own.claim;
  if (!own.configuration.empty()) text += " (" + own.configuration + ")";
  text = wrap(text + ": " + name(own.verdict) + ": " + own.reason, style.width, "", "  ");
  std::string refuted, passed;
  for (const ControlOutcome& control : own.controls)
    (control.refuted() ? refuted : passed) += "; " + control.name + " (" + control.changes + ")";
  if (!refuted.empty())
    text += wrap("refuted, as they must be: " + refuted.substr(2), style.width, "  controls ", "           ");
  if (!passed.empty()) text += wrap("not refuted: " + passed.substr(2), style.width, "  controls ", "           ");
  return text;
}

std::string control_line(const CompareControl& control) {
  std::string text = control.name + " (" + control.changes + "): ";
  text += control.refuted ? "refuted by " + control.by : "not refuted";
  if (!control.refuted && control.needed_sequences > 0)
    text += fmt::format("; about {} sequences would", control.needed_sequences);
  if (control.decisive) text += " [decisive]";
  return text;
}

}  // namespace

std::string compare_table(const CompareReport& report, const TableStyle& style) {
  const GradientEvidence& first = report.evidence;
  const GradientEvidence& stream = report.stream_evidence;
  const bool recorded = !report.own.empty() && report.own.front().comparison.entries > 0;
  std::string text = wrap(fmt::format("population gradient at the initial weights from M = {} sequences ({:.4g} +- {:.2g} "
                                      "loss positions each); minibatches "
                                      "of B = {} sequences; family-wise level {}",
                                      first.reference, first.positions, first.positions_error, first.batch, report.level),
                          style.width, "", "");
  for (const Row& own : report.own) text += "\n" + own_lines(own, style);
  text += fmt::format("\nthe first minibatch{} ({} loss positions)\n",
                      recorded ? ", as recorded" : ", drawn again", first.batch_positions) +
          table_of(report.rows);
  text += fmt::format("\nthe first {} minibatches of the stream, all at the initial weights ({} loss positions)\n",
                      stream.minibatches, stream.batch_positions);
  text += table_of(report.stream_rows) + "\n";
  text += undecided_reasons("first minibatch", report.rows, style) + undecided_reasons("stream", report.stream_rows, style);
  if (const std::string power = power_line(report.stream_rows); !power.empty())
    text += wrap(power, style.width, "power, stream: ", "               ");
  for (const CompareControl& control : report.controls)
    text += wrap(control_line(control), style.width, "control: ", "         ");
  text += wrap(std::string(name(report.verdict)) + ": " + report.reason, style.width, "", "  ");
  if (!report.next.empty()) text += wrap(report.next, style.width, "  next: ", "        ");
  return text + statement_note + "\n";
}

const char* compare_legend() {
  return R"legend(The gradient that the run recorded in its first update is compared with the same computed again; all
numbers must be equal. Then every block of every map (query or output first: U, E, P, R, S) is compared twice, for the first
minibatch alone and for the first minibatches of the stream together, all at the initial weights:
  projection        of the minibatch gradient on the direction of the population gradient, which a third of the
                    reference fixes; predicted is that of the other two thirds
  squared distance  |g_B - G|^2, predicted c (1/B + 1/M) with c the variance of one sequence's gradient
  exact zero        a block that is zero on every reference sequence must be zero on the minibatches
All gradients are divided by the expected number of loss positions of a sequence (nats per unit of weight). z is in standard
errors; |z| above the bound, which holds for all rows together at the family-wise level, refutes. Controls are gradients that
are wrong in a known way, put through the same comparison; the decisive ones have to be refuted. detects is the smallest
relative error (of the projection, of the squared distance) that the row would refute with probability 0.95: what "verified"
excludes. The numbers of minibatches and of reference batches are choices of time; detects says what they are worth.
Exit code: 0 verified, 1 refuted, 3 undecided, 2 bad usage or input, 5 the environment failed.)legend";
}

}  // namespace popgrad
