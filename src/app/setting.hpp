// One configuration key as the user wrote it, wherever that was.
#pragma once
#include <filesystem>
#include <string>

namespace popgrad {

struct Setting {
  // What the file's syntax says the value is. text: from the command line, where the key decides what it means.
  // array: `value` is a JSON array.
  enum class Kind { text, string, integer, number, boolean, array, other };

  std::string key;    // "data.vocab"
  std::string value;  // "65"
  Kind kind = Kind::text;
  std::string where;             // how a message names it: "F.toml:12: data.vocab", "--set data.vocab", "-N"
  std::string unknown_prefix;    // what stands before "unknown key": "F.toml:12: ", "--set: "
  std::filesystem::path folder;  // of the file it comes from; relative paths start there
  bool command_line = false;
};

// What was typed behind an option of a verb.
inline Setting typed(const std::string& option, const std::string& value) {
  Setting setting;
  setting.where = option;
  setting.value = value;
  return setting;
}

}  // namespace popgrad
