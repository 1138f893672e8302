#include "app/output_folder.hpp"

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

TEST_CASE("folders made for a run that fails are removed, folders that were there stay") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "there");
  {
    const OutputFolder out("--out", folder / "there/a/b/");
    CHECK(std::filesystem::is_directory(folder / "there/a/b"));
  }
  CHECK(folder.contents() == std::set<std::string>{(folder / "there").string()});
}

TEST_CASE("a folder that is kept, or that has got a file, stays") {
  const TemporaryFolder folder;
  {
    OutputFolder out("--out", folder / "kept");
    out.keep();
    const OutputFolder used("--out", folder / "used");
    folder.write("used/file", "x");
  }
  CHECK(std::filesystem::is_directory(folder / "kept"));
  CHECK(std::filesystem::exists(folder / "used/file"));
}

TEST_CASE("a file in place of the folder, or of a parent, is an input error and leaves nothing") {
  const TemporaryFolder folder;
  folder.write("file", "x");
  const auto before = folder.contents();
  CHECK_THROWS_AS(OutputFolder("--out", folder / "file"), InputError);
  CHECK_THROWS_AS(OutputFolder("--out", folder / "file/a/b"), InputError);
  CHECK(folder.contents() == before);
}

TEST_CASE("a file to be written needs a folder and must not be one") {
  const TemporaryFolder folder;
  CHECK_NOTHROW(require_writable_file("--out", folder / "new.tsv"));
  CHECK_THROWS_AS(require_writable_file("--out", folder.path()), InputError);
  CHECK_THROWS_AS(require_writable_file("--out", folder / "none/new.tsv"), InputError);
}
