#include "theory/formulas/print_inline.hpp"

namespace popgrad {
namespace {

class Text : public InlineNotation {
 public:
  Text() : InlineNotation("(", ")") {}
  Piece symbol(const std::string& name) const override { return {name, Level::atom}; }
  Piece product(const std::vector<Piece>& factors) const override {
    return joined(factors, "*", Level::power);
  }
  Piece fraction(const Piece& above, const Piece& below) const override {
    return {bracketed(above, Level::product) + "/" + bracketed(below, Level::power), Level::product};
  }
  Piece power(const Piece& base, const Piece& exponent) const override {
    return {bracketed(base, Level::atom) + "^" + bracketed(exponent, Level::atom), Level::power};
  }
  Piece root(const Piece& inside) const override { return {"sqrt(" + inside.text + ")", Level::atom}; }
  Piece harmonic(const std::vector<Piece>& arguments) const override {
    std::string text = "H(" + arguments.front().text;
    if (arguments.size() > 1) text += ", " + arguments[1].text;
    return {text + ")", Level::atom};
  }
  Piece exponential(const Piece& argument) const override { return {"exp(" + argument.text + ")", Level::atom}; }
};

}  // namespace

std::string print_text(const NodePtr& node) { return render(node, Text{}).text; }

}  // namespace popgrad
