#include "theory/formulas/symbol_parts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr std::array<std::pair<const char*, const char*>, 12> greek_letters = {{{"alpha", "&#x3B1;"},
                                                                                {"beta", "&#x3B2;"},
                                                                                {"delta", "&#x3B4;"},
                                                                                {"epsilon", "&#x3B5;"},
                                                                                {"eta", "&#x3B7;"},
                                                                                {"kappa", "&#x3BA;"},
                                                                                {"lambda", "&#x3BB;"},
                                                                                {"mu", "&#x3BC;"},
                                                                                {"pi", "&#x3C0;"},
                                                                                {"sigma", "&#x3C3;"},
                                                                                {"tau", "&#x3C4;"},
                                                                                {"xi", "&#x3BE;"}}};

bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

SymbolParts symbol_parts(const std::string& name) {
  const std::string expected = "letters, then digits or an underscore and an index";
  const auto end = std::find_if_not(name.begin(), name.end(), letter);
  SymbolParts parts;
  parts.base = std::string(name.begin(), end);
  std::string rest(end, name.end());
  if (!rest.empty() && rest.front() == '_') {
    rest.erase(0, 1);
    require(!rest.empty() && std::all_of(rest.begin(), rest.end(), [](char c) { return letter(c) || digit(c); }),
            "symbol_parts", "name", expected, name);
  } else {
    require(std::all_of(rest.begin(), rest.end(), digit), "symbol_parts", "name", expected, name);
  }
  require(!parts.base.empty(), "symbol_parts", "name", expected, name);
  parts.subscript = rest;
  const auto strip = [&](const std::string& suffix, Accent accent) {
    if (parts.accent != Accent::none || parts.base.size() <= suffix.size() || !parts.base.ends_with(suffix)) return;
    parts.base.erase(parts.base.size() - suffix.size());
    parts.accent = accent;
  };
  strip("hat", Accent::hat);
  strip("bar", Accent::bar);
  for (const auto& [greek, character] : greek_letters) {
    if (parts.base != greek) continue;
    parts.greek = true;
    parts.character = character;
  }
  return parts;
}

}  // namespace popgrad
