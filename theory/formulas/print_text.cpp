#include "theory/formulas/render.hpp"

namespace popgrad {
namespace {

std::string bracketed(const Piece& piece, Level loosest) {
  return piece.level < loosest ? "(" + piece.text + ")" : piece.text;
}

class Text : public Notation {
 public:
  Piece number(const std::string& digits) const override { return {digits, Level::atom}; }
  Piece symbol(const std::string& name) const override { return {name, Level::atom}; }
  Piece sum(const std::vector<std::pair<bool, Piece>>& terms) const override {
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
  Piece product(const std::vector<Piece>& factors) const override {
    std::string text;
    for (const auto& factor : factors) text += (text.empty() ? "" : "*") + bracketed(factor, Level::power);
    return {text, Level::product};
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
