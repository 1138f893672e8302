// A minimal check that a string is one well-formed XML element: tags nest and close, text is escaped.
#pragma once
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace popgrad_test {

inline bool is_entity(const std::string& text, std::size_t at) {
  const std::size_t end = text.find(';', at);
  if (end == std::string::npos || end - at < 3) return false;
  const std::string name = text.substr(at + 1, end - at - 1);
  if (name.rfind("#x", 0) == 0)
    return name.size() > 2 &&
           std::all_of(name.begin() + 2, name.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
  return name == "amp" || name == "lt" || name == "gt";
}

inline bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  bool finished = false;
  for (std::size_t i = 0; i < xml.size();) {
    if (finished) return false;  // something after the root
    if (xml[i] != '<') {
      if (open.empty() || xml[i] == '>' || (xml[i] == '&' && !is_entity(xml, i))) return false;
      ++i;
      continue;
    }
    const std::size_t end = xml.find('>', i);
    if (end == std::string::npos) return false;
    const bool closing = xml[i + 1] == '/';
    const std::size_t first = i + (closing ? 2 : 1);
    const std::string inside = xml.substr(first, end - first);
    const std::string name = inside.substr(0, inside.find(' '));
    if (name.empty() || !std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalpha(c) != 0; }))
      return false;
    if (std::count(inside.begin(), inside.end(), '"') % 2 != 0) return false;
    if (!closing) {
      open.push_back(name);
    } else {
      if (open.empty() || open.back() != name) return false;
      open.pop_back();
      finished = open.empty();
    }
    i = end + 1;
  }
  return finished;
}

}  // namespace popgrad_test
