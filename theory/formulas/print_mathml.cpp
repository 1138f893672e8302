#include "theory/formulas/render.hpp"
#include "theory/formulas/symbol_parts.hpp"

namespace popgrad {
namespace {

std::string row(const std::string& inside) { return "<mrow>" + inside + "</mrow>"; }
std::string sign(const char* character) { return std::string("<mo>") + character + "</mo>"; }

std::string bracketed(const Piece& piece, Level loosest) {
  return piece.level < loosest ? row(sign("(") + piece.text + sign(")")) : piece.text;
}

std::string letter(const SymbolParts& parts) {
  const std::string base = "<mi>" + (parts.greek ? parts.character : parts.base) + "</mi>";
  switch (parts.accent) {
    case Accent::hat:
      return "<mover accent=\"true\">" + base + sign("^") + "</mover>";
    case Accent::bar:
      return "<mover accent=\"true\">" + base + sign("&#xAF;") + "</mover>";
    case Accent::none:
      break;
  }
  return base;
}

class Mathml : public Notation {
 public:
  Piece number(const std::string& digits) const override { return {"<mn>" + digits + "</mn>", Level::atom}; }
  Piece symbol(const std::string& name) const override {
    const SymbolParts parts = symbol_parts(name);
    if (parts.subscript.empty()) return {letter(parts), Level::atom};
    return {"<msub>" + letter(parts) + "<mi>" + parts.subscript + "</mi></msub>", Level::atom};
  }
  Piece sum(const std::vector<std::pair<bool, Piece>>& terms) const override {
    std::string text;
    for (const auto& [minus, term] : terms) {
      if (minus)
        text += sign("&#x2212;");
      else if (!text.empty())
        text += sign("+");
      text += bracketed(term, Level::product);
    }
    return {row(text), Level::sum};
  }
  Piece product(const std::vector<Piece>& factors) const override {
    std::string text;
    for (const auto& factor : factors) text += (text.empty() ? "" : sign("&#x2062;")) + bracketed(factor, Level::product);
    return {row(text), Level::product};
  }
  Piece fraction(const Piece& above, const Piece& below) const override {
    return {"<mfrac>" + above.text + below.text + "</mfrac>", Level::product};
  }
  Piece power(const Piece& base, const Piece& exponent) const override {
    return {"<msup>" + bracketed(base, Level::atom) + exponent.text + "</msup>", Level::power};
  }
  Piece root(const Piece& inside) const override { return {"<msqrt>" + inside.text + "</msqrt>", Level::atom}; }
  // Level::power: a further exponent would collide with the order in H_n^(m).
  Piece harmonic(const std::vector<Piece>& arguments) const override {
    if (arguments.size() == 1) return {"<msub><mi>H</mi>" + arguments.front().text + "</msub>", Level::power};
    return {"<msubsup><mi>H</mi>" + arguments[0].text + row(sign("(") + arguments[1].text + sign(")")) + "</msubsup>",
            Level::power};
  }
  Piece exponential(const Piece& argument) const override {
    return {row("<mi>exp</mi>" + sign("&#x2061;") + row(sign("(") + argument.text + sign(")"))), Level::atom};
  }
};

}  // namespace

std::string print_mathml(const NodePtr& node) {
  return "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">" + render(node, Mathml{}).text + "</math>";
}

}  // namespace popgrad
