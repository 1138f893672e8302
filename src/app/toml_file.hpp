// A TOML file as a flat list of dotted keys with their lines.
#pragma once
#include <filesystem>
#include <vector>

#include "app/setting.hpp"

namespace popgrad {

// Tables become dots: [data] vocab = 65 is "data.vocab". In order of lines. Throws InputError if the file is missing or
// unreadable and Error (exit 2) "F.toml:LINE: ..." where the syntax breaks.
std::vector<Setting> read_toml(const std::filesystem::path& file);

}  // namespace popgrad
