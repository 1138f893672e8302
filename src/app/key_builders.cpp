#include "app/key_builders.hpp"

namespace popgrad {

Key integer_key(std::string name, Verbs verbs, std::string doc, std::int64_t low, std::int64_t high,
                std::function<void(Config&, std::int64_t)> set, Getter get) {
  return {std::move(name),
          "integer",
          std::move(doc),
          std::move(verbs),
          true,
          [low, high, set = std::move(set)](Config& c, const Setting& s) { set(c, parse_integer(s, low, high)); },
          std::move(get)};
}

Key number_key(std::string name, Verbs verbs, std::string doc, Range range, std::function<void(Config&, double)> set,
               Getter get) {
  return {std::move(name),
          "number",
          std::move(doc),
          std::move(verbs),
          true,
          [range, set = std::move(set)](Config& c, const Setting& s) { set(c, parse_number(s, range)); },
          std::move(get)};
}

Key boolean_key(std::string name, Verbs verbs, std::string doc, std::function<void(Config&, bool)> set, Getter get) {
  return {std::move(name),  "true|false", std::move(doc),
          std::move(verbs), true,         [set = std::move(set)](Config& c, const Setting& s) { set(c, parse_boolean(s)); },
          std::move(get)};
}

Key word_key(std::string name, Verbs verbs, std::string doc, std::vector<std::string> words,
             std::function<void(Config&, const std::string&)> set, Getter get) {
  std::string type;
  for (const std::string& word : words) type += (type.empty() ? "" : "|") + word;
  return {std::move(name),
          std::move(type),
          std::move(doc),
          std::move(verbs),
          true,
          [words = std::move(words), set = std::move(set)](Config& c, const Setting& s) { set(c, parse_word(s, words)); },
          std::move(get)};
}

}  // namespace popgrad
