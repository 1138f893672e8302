#include "theory/formulas/tokens.hpp"

#include <algorithm>
#include <string_view>

#include "core/byte_text.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr std::size_t longest_number = 40;

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The bytes of the UTF-8 character that starts at `i`.
std::string character_at(const std::string& text, std::size_t i) {
  std::size_t end = i + 1;
  while (end < text.size() && end < i + 4 && continues_character(text[end])) ++end;
  return text.substr(i, end - i);
}

std::string hint_for(const std::string& character) {
  if (character == "\u2212" || character == "\u2013") return "; did you mean '-'?";
  if (character == "\u00b7" || character == "\u00d7") return "; did you mean '*'?";
  if (character == "[" || character == "{") return "; did you mean '('?";
  if (character == "]" || character == "}") return "; did you mean ')'?";
  return "";
}

// The characters that have a hint as they are, other bytes above 0x7e and control bytes escaped.
std::string shown_character(const std::string& character) {
  return hint_for(character).empty() ? popgrad::quoted(character) : "'" + character + "'";
}

// Digits, or digits with a point inside: "0.25" is 1/4.
Rational value_of(const std::string& argument, int column, const std::string& text) {
  const std::size_t point = text.find('.');
  const bool malformed = text.front() == '.' || text.back() == '.' ||
                         (point != std::string::npos && text.find('.', point + 1) != std::string::npos);
  if (malformed)
    throw InputError(at_column(argument, column), popgrad::quoted(text), "an integer, or a decimal such as 0.25");
  if (text.size() > longest_number)
    throw InputError(at_column(argument, column), "a number of " + std::to_string(text.size()) + " characters",
                     "at most " + std::to_string(longest_number));
  std::string digits = text;
  std::string ten_power = "1";
  if (point != std::string::npos) {
    digits.erase(point, 1);
    ten_power.append(text.size() - point - 1, '0');
  }
  // GMP takes a leading zero for octal.
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return Rational(digits) / Rational(ten_power);
}

}  // namespace

std::string shown(const Token& token) { return token.kind == TokenKind::end ? "the end" : popgrad::quoted(token.text); }

std::string at_column(const std::string& argument, int column) { return argument + ", column " + std::to_string(column); }

std::vector<Token> tokens_of(const std::string& argument, const std::string& text) {
  std::vector<Token> tokens;
  int column = 1;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    const auto take_while = [&](const auto& belongs) {
      while (i < text.size() && belongs(text[i])) ++i;
      return text.substr(start, i - start);
    };
    Token token;
    token.column = column;
    if (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
      ++i;
      ++column;
      continue;
    }
    if (digit(text[i]) || text[i] == '.') {
      token.kind = TokenKind::number;
      token.text = take_while([](char c) { return digit(c) || c == '.'; });
      token.value = value_of(argument, column, token.text);
    } else if (letter(text[i])) {
      token.kind = TokenKind::name;
      token.text = take_while([](char c) { return letter(c) || digit(c) || c == '_'; });
    } else if (std::string_view("+-*/^(),").find(text[i]) != std::string_view::npos) {
      token.kind = TokenKind::sign;
      token.text = text[i++];
    } else {
      const std::string character = character_at(text, i);
      throw InputError(at_column(argument, column), shown_character(character),
                       "a number, a name or one of + - * / ^ ( ) ," + hint_for(character));
    }
    column += static_cast<int>(token.text.size());
    tokens.push_back(std::move(token));
  }
  Token end;
  end.column = column;
  tokens.push_back(end);
  return tokens;
}

}  // namespace popgrad
