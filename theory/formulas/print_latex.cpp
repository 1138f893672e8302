#include "theory/formulas/print_inline.hpp"
#include "theory/formulas/symbol_parts.hpp"

namespace popgrad {
namespace {

std::string letter(const SymbolParts& parts) {
  const std::string base = parts.greek             ? "\\" + parts.base
                           : parts.base.size() > 1 ? "\\mathrm{" + parts.base + "}"
                                                   : parts.base;
  switch (parts.accent) {
    case Accent::hat:
      return "\\hat{" + base + "}";
    case Accent::bar:
      return "\\bar{" + base + "}";
    case Accent::none:
      break;
  }
  return base;
}

class Latex : public InlineNotation {
 public:
  Latex() : InlineNotation("\\left(", "\\right)") {}
  Piece symbol(const std::string& name) const override {
    const SymbolParts parts = symbol_parts(name);
    return {letter(parts) + (parts.subscript.empty() ? "" : "_{" + parts.subscript + "}"), Level::atom};
  }
  Piece product(const std::vector<Piece>& factors) const override {
    return joined(factors, "\\,", Level::product);
  }
  Piece fraction(const Piece& above, const Piece& below) const override {
    return {"\\frac{" + above.text + "}{" + below.text + "}", Level::product};
  }
  Piece power(const Piece& base, const Piece& exponent) const override {
    return {bracketed(base, Level::atom) + "^{" + exponent.text + "}", Level::power};
  }
  Piece root(const Piece& inside) const override { return {"\\sqrt{" + inside.text + "}", Level::atom}; }
  // Level::power: a further exponent would collide with the order in H_n^{(m)}.
  Piece harmonic(const std::vector<Piece>& arguments) const override {
    std::string text = "H_{" + arguments.front().text + "}";
    if (arguments.size() > 1) text += "^{(" + arguments[1].text + ")}";
    return {text, Level::power};
  }
  Piece exponential(const Piece& argument) const override {
    return {"\\exp\\left(" + argument.text + "\\right)", Level::atom};
  }
};

}  // namespace

std::string print_latex(const NodePtr& node) { return render(node, Latex{}).text; }

}  // namespace popgrad
