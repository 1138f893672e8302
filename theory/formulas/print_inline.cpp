#include "theory/formulas/print_inline.hpp"

namespace popgrad {

std::string InlineNotation::bracketed(const Piece& piece, Level loosest) const {
  return piece.level < loosest ? open_ + piece.text + close_ : piece.text;
}

Piece InlineNotation::number(const std::string& digits) const { return {digits, Level::atom}; }

Piece InlineNotation::sum(const std::vector<std::pair<bool, Piece>>& terms) const {
  std::string text;
  for (const auto& [minus, term] : terms) {
    if (text.empty())
      text = minus ? "-" : "";
    else
      text += minus ? " - " : " + ";
    text += bracketed(term, Level::product);
  }
  return {text, Level::sum};
}

Piece InlineNotation::joined(const std::vector<Piece>& factors, const char* separator, Level loosest) const {
  std::string text;
  for (const auto& factor : factors) text += (text.empty() ? "" : separator) + bracketed(factor, loosest);
  return {text, Level::product};
}

}  // namespace popgrad
