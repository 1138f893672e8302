#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/gradient_output.hpp"
#include "app/results.hpp"

namespace popgrad {
namespace {

using Line = std::vector<std::string>;

std::string layout(const std::vector<Line>& table, const std::string& indent) {
  std::vector<int> width;
  for (const Line& line : table) {
    width.resize(std::max(width.size(), line.size()), 0);
    for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], display_width(line[c]));
  }
  std::string text;
  for (const Line& line : table) {
    std::string out = indent;
    for (std::size_t c = 0; c < line.size(); ++c) out += pad_right(line[c], width[c]) + "  ";
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  }
  return text;
}

// The largest error of each sort among the entries.
std::string widest_error(const std::vector<Number>& entries) {
  Number widest;
  const auto raise = [](std::optional<double>& to, const std::optional<double>& from) {
    if (from) to = std::max(to.value_or(0), *from);
  };
  for (const Number& x : entries) {
    if (x.exact) widest.exact = x.exact;
    raise(widest.roundoff, x.roundoff);
    raise(widest.se, x.se);
    raise(widest.spread, x.spread);
    if (x.lower && x.upper && (!widest.upper || *x.upper - *x.lower > *widest.upper - *widest.lower)) {
      widest.lower = x.lower;
      widest.upper = x.upper;
    }
  }
  if (widest.lower) return fmt::format("enclosures {:.2g} wide at most", *widest.upper - *widest.lower);
  const std::string text = shown_error(widest);
  return widest.exact ? text : text + " at most";
}

std::string token_token_table(const std::vector<GradientBlock>& blocks) {
  std::vector<Line> table = {{"block", "diag", "off", "diag - off", "error (of diag)"}};
  for (const GradientBlock& b : blocks)
    if (b.kind == BlockKind::token_token && !is_zero(b))
      table.push_back({b.name, shown(b.diag), shown(b.off), shown(b.contrast), shown_error(b.diag)});
  return table.size() == 1 ? "" : layout(table, "  ");
}

// Rationals only where they are short enough to be read side by side.
std::string cell(const Number& x) { return shown(x, 16); }

std::string by_position(const GradientBlock& block) {
  constexpr std::size_t most = 16;
  std::string text = fmt::format("  {} by position 1..{}, the same for every token ({}):", block.name, block.entries.size(),
                                 widest_error(block.entries));
  for (std::size_t t = 0; t < std::min(most, block.entries.size()); ++t) text += " " + cell(block.entries[t]);
  return text + (block.entries.size() > most ? " ..." : "");
}

std::string matrix(const GradientBlock& block) {
  constexpr int most = 12;
  const auto T = static_cast<int>(std::lround(std::sqrt(static_cast<double>(block.entries.size()))));
  std::string text =
      fmt::format("  {} row t (query position), column s (key position) ({})\n", block.name, widest_error(block.entries));
  std::vector<Line> table = {{"t\\s"}};
  for (int s = 1; s <= std::min(T, most); ++s) table.front().push_back(std::to_string(s));
  bool zero_rows = false;
  for (int t = 1; t <= T; ++t) {
    const auto first = block.entries.begin() + (t - 1) * T;
    if (std::all_of(first, first + T, [](const Number& x) { return is_zero(x); })) {
      zero_rows = true;
      continue;
    }
    if (T > most && t > 4 && t < T) continue;
    Line line = {std::to_string(t)};
    for (int s = 1; s <= std::min(T, most); ++s) line.push_back(cell(*(first + s - 1)));
    if (T > most) line.push_back("...");
    table.push_back(std::move(line));
  }
  text += layout(table, "    ");
  if (T > most) return text + "    (T above 12: a part; --json has every entry)\n";
  return text + (zero_rows ? "    (a row that is not shown is zero)\n" : "");
}

std::string term_text(const GradientTerm& term, const GradientRequest& request, const TableStyle& style) {
  const int map = request.map();
  std::string text = term.monomial == "full" ? "full softmax at these sizes\n"
                     : term.monomial == "1"  ? "at zero\n"
                                             : "coefficient of " + term.monomial + "\n";
  if (request.symbolic) {
    text += formula_table(term, request, style) + function_signal(term, request, style);
    return text + (request.N_given ? memory_signal(term, map, style) : "") + "\n";
  }
  text += token_token_table(term.blocks);
  std::string zeros;
  for (const GradientBlock& block : term.blocks) {
    if (is_zero(block))
      zeros += " " + block.name;
    else if (block.kind == BlockKind::token_position)
      text += wrap(by_position(block), style.width, "  ", "      ");
    else if (block.kind == BlockKind::position_position)
      text += matrix(block);
  }
  if (!zeros.empty()) text += wrap("exactly zero:" + zeros, style.width, "  ", "    ");
  return text + memory_signal(term, map, style) + "\n";
}

}  // namespace

std::string shown(const Number& x, std::size_t longest) {
  if (x.exact) {
    std::string text = to_string(*x.exact);
    if (text.size() <= longest) return text;
  }
  return fmt::format("{:.6g}", x.value);
}

std::string shown_error(const Number& x) {
  if (x.exact) return "exact";
  if (x.lower && x.upper && *x.upper - *x.lower < 1e-5 * std::abs(x.value))
    return fmt::format("enclosure {:.2g} wide", *x.upper - *x.lower);
  if (x.lower && x.upper) return fmt::format("in [{:.6g}, {:.6g}]", *x.lower, *x.upper);
  if (x.roundoff) return fmt::format("roundoff {:.2g}", *x.roundoff);
  std::string text;
  if (x.se) text += fmt::format("se {:.2g}", *x.se);
  if (x.spread) text += fmt::format(", spread {:.2g}", *x.spread);
  return text.empty() ? "none known" : text;
}

std::string gradient_table(const GradientRequest& request, const GradientResult& result, const TableStyle& style) {
  const char* maps[] = {"W_O2", "W_K2", "W_K1"};
  std::string text =
      wrap(fmt::format("-dL/d{} at the start of {}", maps[request.map() - 1], describe(request)), style.width, "", "  ");
  std::string how = fmt::format("engine {} ({}), grade {}", result.engine, result.work, name(result.grade));
  if (request.d) how += fmt::format("; {} draws of the embeddings, seed {}", result.draws, request.seed);
  if (!request.d && result.draws > 0) how += fmt::format("; {} samples, seed {}", result.draws, request.seed);
  text += wrap(how + "; entries of -dL, the direction of a step, in nats per unit of weight; query or output block first",
               style.width, "", "  ");
  if (request.d)
    text += wrap(
        "value: mean over draws of the dictionary coefficients, themselves averaged over the entries that are equal as d "
        "grows; se: "
        "its standard error; spread: standard deviation of one draw. Each draw is an exact population gradient.",
        style.width, "", "  ");
  text += "\n";
  for (const GradientTerm& term : result.terms) text += term_text(term, request, style);
  return text + statement_note + "\n";
}

}  // namespace popgrad
