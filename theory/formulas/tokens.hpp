// Internal: a formula as typed, cut into numbers, names and signs.
#pragma once
#include <string>
#include <vector>

#include "core/rational.hpp"

namespace popgrad {

enum class TokenKind { number, name, sign, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;  // as typed; a sign is one of + - * / ^ ( ) ,
  Rational value;    // of a number: digits, or digits '.' digits, exactly
  int column = 1;    // in characters, from 1
};

// What a message says was found: 'N', or "the end".
std::string shown(const Token& token);

// The tokens and the end. InputError(argument + ", column C", ...) for any other character, a malformed or a too long
// number.
std::vector<Token> tokens_of(const std::string& argument, const std::string& text);

// The argument of a message about a place in the formula: "equals, column 7".
std::string at_column(const std::string& argument, int column);

}  // namespace popgrad
