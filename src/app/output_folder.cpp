#include "app/output_folder.hpp"

#include <system_error>
#include <utility>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

void remove_empty(const std::vector<fs::path>& folders) {
  std::error_code failed;
  for (const fs::path& folder : folders) {
    fs::remove(folder, failed);  // fails on a folder that is not empty, and then so do its parents
    if (failed) return;
  }
}

}  // namespace

OutputFolder::OutputFolder(const std::string& argument, fs::path folder) : folder_(std::move(folder)) {
  std::error_code ignored;
  const fs::path full = fs::absolute(folder_, ignored).lexically_normal();
  for (fs::path at = full; !at.empty() && !fs::exists(at, ignored) && at != at.root_path(); at = at.parent_path())
    if (at.has_filename()) made_.push_back(at);
  try {
    require_writable_folder(argument, folder_);
  } catch (...) {
    remove_empty(made_);
    throw;
  }
}

OutputFolder::~OutputFolder() {
  if (!keep_) remove_empty(made_);
}

void require_writable_file(const std::string& argument, const fs::path& file) {
  std::error_code ignored;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const std::string expected = "a file that can be written";
  if (fs::is_directory(file, ignored)) throw InputError(argument, "'" + file.string() + "' (a folder)", expected);
  if (!fs::is_directory(folder, ignored))
    throw InputError(argument, "'" + file.string() + "' (no folder '" + folder.string() + "')", expected);
  require_writable_folder(argument, folder);  // by trying: permission bits say nothing of file systems that refuse
}

}  // namespace popgrad
