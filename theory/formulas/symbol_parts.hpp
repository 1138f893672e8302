// How the name of a symbol is set in type: muhat_k is a mu with a hat and the index k; eta1 is an eta with the index 1.
#pragma once
#include <string>

namespace popgrad {

enum class Accent { none, hat, bar };

struct SymbolParts {
  std::string base;       // "mu", "N"
  bool greek = false;     // base is the name of a Greek letter
  std::string character;  // the letter itself as an XML character reference, if Greek
  Accent accent = Accent::none;
  std::string subscript;  // "k", "1"; may be empty
};

// name = base [hat|bar] [digits | _subscript], of letters, digits and underscores; throws HypothesisError otherwise.
SymbolParts symbol_parts(const std::string& name);

}  // namespace popgrad
