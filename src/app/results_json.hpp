// results.json: written whole or not at all, read back with its format and version checked. docs/formats.md describes it.
#pragma once
#include <filesystem>
#include <string>

#include "app/results.hpp"

namespace popgrad {

std::string to_json(const Results& results);

// Writes atomically; EnvironmentError if the disk fails.
void write_results(const std::filesystem::path& file, const Results& results);

// InputError naming `argument`, the file and the field: not JSON, another format or version, a missing or wrong field.
Results read_results(const std::string& argument, const std::filesystem::path& file);
Results parse_results(const std::string& argument, const std::string& file, const std::string& text);

}  // namespace popgrad
