#include "reports/gnuplot.hpp"

#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

TEST_CASE("find_gnuplot takes the first executable file on PATH, and nothing else") {
  const ScratchFolder a, b;
  fake_gnuplot(b, "exit 0");
  std::filesystem::create_directory(a.path / "gnuplot");  // a folder of that name is not it
  const PathVariable path(a.path.string() + ":" + b.path.string());
  REQUIRE(find_gnuplot());
  CHECK(*find_gnuplot() == b.path / "gnuplot");
  std::filesystem::permissions(b.path / "gnuplot", std::filesystem::perms::owner_read);
  // Root may read anything but executes only what has an x bit.
  CHECK_FALSE(find_gnuplot());
}

TEST_CASE("an empty PATH has no gnuplot") {
  const PathVariable path("");
  CHECK_FALSE(find_gnuplot());
}

TEST_CASE("a quoted text means itself to gnuplot") {
  CHECK(gnuplot_quote("a b") == "'a b'");
  CHECK(gnuplot_quote("it's") == "'it''s'");
  const ScratchFolder folder;
  const std::string nasty = "it's `echo no` \"x\" \\n @y $1";
  const auto file = folder.path / "said";
  REQUIRE(find_gnuplot());
  CHECK(run_gnuplot(*find_gnuplot(), "set print " + gnuplot_quote(file.string()) + "\nprint " + gnuplot_quote(nasty) + "\n",
                    folder.path / "log") == "");
  CHECK(slurp(file) == nasty + "\n");
}

TEST_CASE("every failure of gnuplot is noticed and the log goes away") {
  const ScratchFolder folder;
  REQUIRE(find_gnuplot());
  const auto log = folder.path / "lo'g";
  CHECK(run_gnuplot(*find_gnuplot(), "x = 1\n", log) == "");
  const std::string complaint = run_gnuplot(*find_gnuplot(), "set bananas\n", log);
  CHECK(complaint.find("gnuplot: ") == 0);
  CHECK(complaint.find("option") != std::string::npos);  // "unrecognized option"
  CHECK(complaint.find('\n') == std::string::npos);

  fake_gnuplot(folder, "exit 7");
  CHECK(run_gnuplot(folder.path / "gnuplot", "x = 1\n", log) == "gnuplot: exit status 7");
  fake_gnuplot(folder, "kill -9 $$");
  CHECK(run_gnuplot(folder.path / "gnuplot", "x = 1\n", log).find("gnuplot: ") == 0);
  // More than a pipe holds, to a reader that never reads: the writer must survive.
  fake_gnuplot(folder, "exit 3");
  CHECK(run_gnuplot(folder.path / "gnuplot", std::string(1 << 20, '\n'), log) == "gnuplot: exit status 3");
  std::filesystem::remove(folder.path / "gnuplot");
  CHECK(folder.files().empty());
}
