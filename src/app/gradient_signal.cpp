#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gradient_output.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

const GradientBlock& block_named(const GradientTerm& term, const std::string& name) {
  const auto found =
      std::find_if(term.blocks.begin(), term.blocks.end(), [&](const GradientBlock& b) { return b.name == name; });
  require(found != term.blocks.end(), "memory_signal", "term", "with the block " + name, "without");
  return *found;
}

enum class Sign { positive, negative, zero, unknown };
struct Judged {
  Sign sign = Sign::unknown;
  bool estimated = false;  // by the value alone or with a standard error: nothing is proved
};

Judged judged(const Number& x) {
  if (x.exact) return {x.exact->is_zero() ? Sign::zero : *x.exact > 0 ? Sign::positive : Sign::negative};
  const bool bounded = x.lower.has_value() || x.roundoff.has_value();
  const double slack = x.roundoff ? *x.roundoff : x.se ? 4 * *x.se : 0;
  const double low = x.lower ? *x.lower : x.value - slack, high = x.upper ? *x.upper : x.value + slack;
  return {low > 0                 ? Sign::positive
          : high < 0              ? Sign::negative
          : low == 0 && high == 0 ? Sign::zero
                                  : Sign::unknown,
          !bounded};
}

std::string sign(const Number& x) {
  const Judged j = judged(x);
  if (j.sign == Sign::zero) return "(a tie)";
  if (j.sign == Sign::unknown) return x.se ? "(within 4 standard errors of 0)" : "(sign unknown)";
  return std::string(j.sign == Sign::positive ? "> 0" : "< 0") + (j.estimated && !x.se ? " (estimate)" : "");
}

// By the largest value that each may have: an entry certainly above the largest other in this sense is above all of them.
bool exceeds(const Number& a, const Number& b) {
  if (a.exact && b.exact) return *a.exact > *b.exact;
  const auto high = [](const Number& x) { return x.upper ? *x.upper : x.value + x.roundoff.value_or(0); };
  return high(a) > high(b);
}

struct RowSignal {
  std::string line;
  bool recalled = false;
};

// Row t (from 1) of (P,P): the entry at t-1, the largest other key s <= t, and their difference.
RowSignal row_signal(const std::vector<Number>& entries, int T, int t) {
  const auto at = [&](int s) -> const Number& { return entries[static_cast<std::size_t>((t - 1) * T + s - 1)]; };
  int other = t;
  for (int s = 1; s <= t; ++s)
    if (s != t - 1 && exceeds(at(s), at(other))) other = s;
  const Number margin = difference(at(t - 1), at(other));
  RowSignal row;
  row.recalled = judged(margin).sign == Sign::positive;
  row.line = fmt::format("row {}: W[{},{}] = {}, largest other {} at s = {}, margin {} {}", t, t, t - 1, shown(at(t - 1)),
                         shown(at(other)), other, shown(margin), sign(margin));
  if (t == T) row.line += " (boundary row)";
  if (t < 4 || t == T) return row;
  double mean = 0;
  for (int s = 2; s <= t - 2; ++s) mean += at(s).value / (t - 3);
  row.line += fmt::format("; minus the mean of s = 2..{}: {:.6g}", t - 2, at(t - 1).value - mean);
  return row;
}

std::string position_signal(const GradientBlock& block, const TableStyle& style) {
  const auto T = static_cast<int>(std::lround(std::sqrt(static_cast<double>(block.entries.size()))));
  std::string text =
      wrap("memory signal (P,P): in row t the entry of key t-1 against the others (s <= t); recall where the margin is > 0",
           style.width, "", "  ");
  int recalled = 0;
  constexpr int longest = 24;  // rows that are shown one by one
  for (int t = 2; t <= T; ++t) {
    const RowSignal row = row_signal(block.entries, T, t);
    if (t < T && row.recalled) ++recalled;
    if (T <= longest) text += wrap(row.line, style.width, "  ", "      ");
  }
  if (T > longest) text += "  (rows not shown: T above 24; --json has every entry)\n";
  return text + fmt::format("  rows 2..{} with the largest entry at t-1: {} of {}\n", T - 1, recalled, T - 2);
}

}  // namespace

std::string memory_signal(const GradientTerm& term, int map, const TableStyle& style) {
  if (map == 3) return position_signal(block_named(term, "P,P"), style);
  const std::string name = map == 1 ? "U,E" : "E,R";  // a string: no temporary for g++ 14 to warn of
  const GradientBlock& block = block_named(term, name);
  return wrap(fmt::format("memory signal ({}): diag - off = {} {}", name, shown(block.contrast, 60), sign(block.contrast)),
              style.width, "", "  ");
}

}  // namespace popgrad
