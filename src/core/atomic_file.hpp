// Files that appear whole or not at all.
#pragma once
#include <filesystem>
#include <string>

namespace popgrad {

// Writes to a temporary name beside `path`, then renames. Throws EnvironmentError (file, reason); leaves nothing behind.
void write_file_atomically(const std::filesystem::path& path, const std::string& text);

// The whole file as bytes; throws InputError(argument, path, "...") if it is missing, a folder, or unreadable.
std::string read_file(const std::string& argument, const std::filesystem::path& path);

// Creates `folder` if needed and proves that it can be written to; throws InputError(argument, ...) otherwise.
void require_writable_folder(const std::string& argument, const std::filesystem::path& folder);

}  // namespace popgrad
