#include "core/atomic_file.hpp"

#include <unistd.h>

#include <fstream>
#include <sstream>
#include <system_error>

#include "core/errors.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

fs::path temporary_beside(const fs::path& path) {
  return fs::path(path.string() + "." + std::to_string(::getpid()) + ".tmp");
}

}  // namespace

void write_file_atomically(const fs::path& path, const std::string& text) {
  const fs::path temporary = temporary_beside(path);
  std::error_code ignored;
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      fs::remove(temporary, ignored);
      throw EnvironmentError("cannot write " + path.string() + ": disk full or permission denied");
    }
  }
  std::error_code failed;
  fs::rename(temporary, path, failed);
  if (failed) {
    fs::remove(temporary, ignored);
    throw EnvironmentError("cannot rename to " + path.string() + ": " + failed.message());
  }
}

std::string read_file(const std::string& argument, const fs::path& path) {
  std::error_code failed;
  if (!fs::exists(path, failed)) throw InputError(argument, "'" + path.string() + "' (no such file)", "a readable file");
  if (!fs::is_regular_file(path, failed)) throw InputError(argument, "'" + path.string() + "' (not a file)", "a readable file");
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw InputError(argument, "'" + path.string() + "' (cannot be read)", "a readable file");
  return text.str();
}

void require_writable_folder(const std::string& argument, const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed || !fs::is_directory(folder, failed))
    throw InputError(argument, "'" + folder.string() + "' (" + (failed ? failed.message() : "not a folder") + ")",
                     "a folder that can be written to");
  const fs::path probe = temporary_beside(folder / "probe");
  std::ofstream out(probe);
  const bool writable = static_cast<bool>(out << "x");
  out.close();
  std::error_code ignored;
  fs::remove(probe, ignored);
  if (!writable) throw InputError(argument, "'" + folder.string() + "' (cannot be written to)", "a folder that can be written to");
}

}  // namespace popgrad
