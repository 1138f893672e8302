#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "app/gradient_output.hpp"
#include "core/errors.hpp"
#include "core/function_sign.hpp"

namespace popgrad {
namespace {

// "> 0 for N >= 6, = 0 for no N, < 0 for N = 2..5", without what is for no N.
std::string signs_text(const Signs& signs, const char* positive, const char* tie, const char* negative) {
  std::string text;
  const auto add = [&](const char* what, int sign) {
    const std::string at = where(signs, sign);
    if (at != "no N") text += fmt::format("{}{} for {}", text.empty() ? "" : ", ", what, at);
  };
  add(positive, 1);
  add(tie, 0);
  add(negative, -1);
  return text;
}

const GradientBlock& block_named(const GradientTerm& term, const std::string& name) {
  const auto found =
      std::find_if(term.blocks.begin(), term.blocks.end(), [&](const GradientBlock& b) { return b.name == name; });
  require(found != term.blocks.end(), "function_signal", "term", "with the block " + name, "without");
  return *found;
}

}  // namespace

std::string function_signal(const GradientTerm& term, const GradientRequest& request, const TableStyle& style) {
  if (request.map() < 3) {
    const std::string name = request.map() == 1 ? "U,E" : "E,R";
    const Signs signs = signs_of(*block_named(term, name).contrast.formula);
    return wrap(fmt::format("memory signal ({}) at every N: diag - off {}", name, signs_text(signs, "> 0", "= 0", "< 0")),
                style.width, "", "  ");
  }
  const std::string name = "P,P";  // a string: no temporary for g++ 14 to warn of
  const GradientBlock& block = block_named(term, name);
  if (is_zero(block)) return "memory signal (P,P) at every N: none, the block is zero\n";
  const int T = request.task.T;
  const auto at = [&](int t, int s) { return *block.entries[static_cast<std::size_t>((t - 1) * T + s - 1)].formula; };
  std::string text = "memory signal (P,P) at every N: W[t,t-1] against the largest other W[t,s], s <= t\n";
  std::vector<std::string> rows;  // from 2
  for (int t = 2; t <= T; ++t) {
    std::vector<Signs> margins;
    for (int s = 1; s <= t; ++s)
      if (s != t - 1) margins.push_back(signs_of(at(t, t - 1) - at(t, s)));
    rows.push_back(signs_text(least(margins), "larger", "a tie", "smaller") + (t == T ? " (boundary row)" : ""));
  }
  for (int t = 2, last = 2; t <= T; t = last + 1) {
    const std::string& row = rows[static_cast<std::size_t>(t - 2)];
    for (last = t; last < T && rows[static_cast<std::size_t>(last - 1)] == row;) ++last;
    const std::string which = last > t ? fmt::format("rows {}..{}", t, last) : fmt::format("row {}", t);
    text += wrap(which + ": " + row, style.width, "  ", "      ");
  }
  return text;
}

}  // namespace popgrad
