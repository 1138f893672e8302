#include "core/atomic_file.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;
namespace fs = std::filesystem;

namespace {

// An empty folder of the test's own, removed with everything in it.
class Folder {
 public:
  explicit Folder(const std::string& name)
      : path_(fs::temp_directory_path() / ("popgrad_" + name + "_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  fs::path operator/(const char* name) const { return path_ / name; }
  const fs::path& path() const { return path_; }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(path_), fs::directory_iterator()); }

 private:
  fs::path path_;
};

// While it lives, no file may grow beyond `bytes`: a write then fails as it does on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before_) == 0);
    const rlimit limit{bytes, before_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

void put(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

}  // namespace

TEST_CASE("a written file has exactly the given bytes, replaces an older one, and leaves no temporary file") {
  const Folder folder("write");
  const std::string bytes("a\0b\r\n\xff", 6);
  write_file_atomically(folder / "file", "an older and longer text");
  write_file_atomically(folder / "file", bytes);
  CHECK(read_file("FILE", folder / "file") == bytes);
  CHECK(folder.entries() == 1);
}

TEST_CASE("an empty file is written and read as empty") {
  const Folder folder("empty");
  write_file_atomically(folder / "file", "");
  CHECK(fs::exists(folder / "file"));
  CHECK(read_file("FILE", folder / "file").empty());
}

TEST_CASE("a failed write is an environment error and leaves nothing behind") {
  const Folder folder("failed");
  CHECK_THROWS_AS(write_file_atomically(folder.path() / "missing" / "file", "x"), EnvironmentError);
  CHECK(folder.entries() == 0);
  // A folder with something in it cannot be replaced by a file: the rename fails after the temporary file was written.
  fs::create_directory(folder / "taken");
  put(folder.path() / "taken" / "inside", "x");
  CHECK_THROWS_AS(write_file_atomically(folder / "taken", "x"), EnvironmentError);
  CHECK(folder.entries() == 1);
  CHECK(fs::exists(folder.path() / "taken" / "inside"));
}

TEST_CASE("a disk that fills up while writing: the older file is whole, and no temporary file stays") {
  const Folder folder("full");
  write_file_atomically(folder / "file", "older");
  bool refused = false;
  {
    const FileSizeLimit limit(1000);
    try {
      write_file_atomically(folder / "file", std::string(100000, 'x'));
    } catch (const EnvironmentError&) {
      refused = true;
    }
  }
  CHECK(refused);
  CHECK(read_file("FILE", folder / "file") == "older");
  CHECK(folder.entries() == 1);
}

TEST_CASE("reading what is missing or a folder is an input error that names argument and path") {
  const Folder folder("read");
  CHECK_THROWS_AS(read_file("corpus", folder / "missing"), InputError);
  CHECK_THROWS_WITH(read_file("corpus", folder / "missing"),
                    "corpus: got '" + (folder / "missing").string() + "' (no such file), expected a readable file");
  CHECK_THROWS_AS(read_file("corpus", folder.path()), InputError);
}

TEST_CASE("a writable folder is created with its parents and left empty") {
  const Folder folder("out");
  const fs::path deep = folder.path() / "a" / "b";
  CHECK_NOTHROW(require_writable_folder("--out", deep));
  CHECK(fs::is_directory(deep));
  CHECK(fs::is_empty(deep));
  put(deep / "kept", "x");
  CHECK_NOTHROW(require_writable_folder("--out", deep));
  CHECK(fs::exists(deep / "kept"));
}

TEST_CASE("a file where a folder is wanted is an input error, and the file stays as it was") {
  const Folder folder("notafolder");
  put(folder / "file", "text");
  CHECK_THROWS_AS(require_writable_folder("--out", folder / "file"), InputError);
  CHECK_THROWS_AS(require_writable_folder("--out", folder.path() / "file" / "below"), InputError);
  CHECK(read_file("FILE", folder / "file") == "text");
  CHECK(folder.entries() == 1);
}
