#include <fmt/core.h>

#include "app/gradient_output.hpp"

namespace popgrad {
namespace {

constexpr std::size_t most_entries = 48;  // of one block

// "  E,R diag - off = 25*N/... (25/6912 at N=4)", wrapped.
std::string line(const std::string& entry, const Number& x, const GradientRequest& request, const TableStyle& style) {
  std::string text = entry + " = " + to_string(*x.formula);
  if (x.exact && !is_zero(x)) text += fmt::format("   ({} at N={})", shown(x), request.task.N);
  return wrap(text, style.width, "  ", "      ");
}

std::string entries(const GradientBlock& block, const GradientRequest& request, const TableStyle& style) {
  const bool matrix = block.kind == BlockKind::position_position;
  const auto T = static_cast<std::size_t>(request.task.T);
  std::string text = fmt::format("  {} by {}\n", block.name,
                                 matrix ? "[query position, key position]" : "position, the same for every token");
  std::size_t shown_entries = 0;
  bool zeros = false;
  for (std::size_t i = 0; i < block.entries.size(); ++i) {
    if (is_zero(block.entries[i])) {
      zeros = true;
      continue;
    }
    if (shown_entries++ == most_entries) return text + "  (not all of them: --json has every entry)\n";
    const std::string at = matrix ? fmt::format("[{},{}]", i / T + 1, i % T + 1) : fmt::format("[{}]", i + 1);
    text += line(at, block.entries[i], request, style);
  }
  return text + (zeros ? "  (those that are not shown are zero)\n" : "");
}

}  // namespace

std::string formula_table(const GradientTerm& term, const GradientRequest& request, const TableStyle& style) {
  std::string text, zeros;
  for (const GradientBlock& block : term.blocks) {
    if (is_zero(block)) {
      zeros += " " + block.name;
    } else if (block.kind == BlockKind::token_token) {
      text += line(block.name + " diag", block.diag, request, style) + line(block.name + " off", block.off, request, style) +
              line(block.name + " diag - off", block.contrast, request, style);
    } else {
      text += entries(block, request, style);
    }
  }
  if (!zeros.empty()) text += wrap("zero for every N:" + zeros, style.width, "  ", "    ");
  return text;
}

}  // namespace popgrad
