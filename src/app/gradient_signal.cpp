#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gradient_output.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

const GradientBlock& block_named(const GradientTerm& term, const std::string& name) {
  const auto found = std::find_if(term.blocks.begin(), term.blocks.end(), [&](const GradientBlock& b) { return b.name == name; });
  require(found != term.blocks.end(), "memory_signal", "term", "with the block " + name, "without");
  return *found;
}

// The sign as far as it is known: by the exact value, the enclosure, or the bound; a sampled value alone has none.
const char* sign(const Number& x) {
  if (x.exact) return x.exact->is_zero() ? "= 0" : *x.exact > 0 ? "> 0" : "< 0";
  const double low = x.lower ? *x.lower : x.value - x.roundoff.value_or(0), high = x.upper ? *x.upper : x.value + x.roundoff.value_or(0);
  if (x.roundoff || x.lower) return low > 0 ? "> 0" : high < 0 ? "< 0" : low == 0 && high == 0 ? "= 0" : "of unknown sign";
  if (x.se) return std::abs(x.value) <= 4 * *x.se ? "within 4 standard errors of 0" : x.value > 0 ? "> 0" : "< 0";
  return x.value > 0 ? "> 0" : x.value < 0 ? "< 0" : "= 0";
}

bool exceeds(const Number& a, const Number& b) { return a.exact && b.exact ? *a.exact > *b.exact : a.value > b.value; }

// Row t (from 1) of (P,P): the entry at t-1, the largest other key s <= t, and their difference.
std::string row_line(const std::vector<Number>& entries, int T, int t) {
  const auto at = [&](int s) -> const Number& { return entries[static_cast<std::size_t>((t - 1) * T + s - 1)]; };
  int other = t;
  for (int s = 1; s <= t; ++s)
    if (s != t - 1 && exceeds(at(s), at(other))) other = s;
  const Number margin = difference(at(t - 1), at(other));
  std::string line = fmt::format("  row {}: W[{},{}] = {}, largest other {} at s = {}, margin {} {}", t, t, t - 1, shown(at(t - 1)), shown(at(other)),
                                 other, shown(margin), sign(margin));
  if (t < 4 || t == T) return line + (t == T ? " (boundary row)" : "");
  double mean = 0;
  for (int s = 2; s <= t - 2; ++s) mean += at(s).value / (t - 3);
  return line + fmt::format("; minus the mean of s = 2..{}: {:.6g}", t - 2, at(t - 1).value - mean);
}

std::string position_signal(const GradientBlock& block, const TableStyle& style) {
  const auto T = static_cast<int>(std::lround(std::sqrt(static_cast<double>(block.entries.size()))));
  std::string text = wrap("memory signal (P,P): in row t the entry of key t-1 against the others (s <= t); recall where the margin is > 0",
                          style.width, "", "  ");
  int recalled = 0;
  constexpr int longest = 24;  // rows that are shown one by one
  for (int t = 2; t <= T; ++t) {
    const std::string line = row_line(block.entries, T, t);
    if (t < T && line.find(" > 0") != std::string::npos) ++recalled;
    if (T <= longest) text += wrap(line, style.width, "  ", "      ");
  }
  if (T > longest) text += "  (rows not shown: T above 24; --json has every entry)\n";
  return text + fmt::format("  rows 2..{} with the largest entry at t-1: {} of {}\n", T - 1, recalled, T - 2);
}

}  // namespace

std::string memory_signal(const GradientTerm& term, int map, const TableStyle& style) {
  if (map == 3) return position_signal(block_named(term, "P,P"), style);
  const char* name = map == 1 ? "U,E" : "E,R";
  const GradientBlock& block = block_named(term, name);
  return wrap(fmt::format("memory signal ({}): diag - off = {} {}", name, shown(block.contrast, 60), sign(block.contrast)), style.width, "",
              "  ");
}

}  // namespace popgrad
