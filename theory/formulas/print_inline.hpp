// What text and LaTeX write alike: digits, signed sums and products on one line, brackets around what binds too loosely.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "theory/formulas/render.hpp"

namespace popgrad {

class InlineNotation : public Notation {
 public:
  Piece number(const std::string& digits) const override;
  Piece sum(const std::vector<std::pair<bool, Piece>>& terms) const override;

 protected:
  InlineNotation(const char* open, const char* close) : open_(open), close_(close) {}
  std::string bracketed(const Piece& piece, Level loosest) const;  // in brackets if looser than that
  Piece joined(const std::vector<Piece>& factors, const char* separator, Level loosest) const;  // a product

 private:
  const char* open_;
  const char* close_;
};

}  // namespace popgrad
