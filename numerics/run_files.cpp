#include "numerics/run_files.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>

#include "core/errors.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view before = "step-", after = ".safetensors";

bool digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// The names in a folder; none if there is no folder.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) names.push_back(entry.path().filename().string());
  return names;
}

}  // namespace

std::vector<std::int64_t> snapshot_steps(const fs::path& folder) {
  std::vector<std::int64_t> steps;
  for (const std::string& name : names_in(folder)) {
    if (!name.starts_with(before) || !name.ends_with(after)) continue;
    const std::string_view middle = std::string_view(name).substr(before.size(), name.size() - before.size() - after.size());
    std::int64_t step = 0;
    if (digits(middle) && std::from_chars(middle.data(), middle.data() + middle.size(), step).ec == std::errc())
      steps.push_back(step);
  }
  std::ranges::sort(steps);
  return steps;
}

void append_line(const fs::path& path, const std::string& line) {
  std::error_code ignored;
  const auto size = fs::file_size(path, ignored);
  std::ofstream out(path, std::ios::binary | std::ios::app);
  out << line << "\n";
  out.close();
  if (out) return;
  if (size != static_cast<std::uintmax_t>(-1)) fs::resize_file(path, size, ignored);
  throw EnvironmentError("cannot write " + path.string() + ": disk full or permission denied");
}

void remove_unfinished(const fs::path& folder) {
  std::error_code ignored;
  for (const std::string& name : names_in(folder)) {
    if (!name.ends_with(".tmp")) continue;
    const std::string stem = name.substr(0, name.size() - 4);
    const std::size_t dot = stem.rfind('.');
    if (dot != std::string::npos && dot > 0 && digits(std::string_view(stem).substr(dot + 1))) fs::remove(folder / name, ignored);
  }
}

}  // namespace popgrad
