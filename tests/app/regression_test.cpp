// The whole of `verify` as a user runs it: against the repository's baseline, with another seed, with other numbers of threads.
#include <fstream>
#include <sstream>
#include <string>

#include "tests/app/run_popgrad.hpp"
#include "tests/app/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

const std::string baseline = std::string(POPGRAD_SOURCE_DIR) + "/tests/baseline/results.json";

std::string without_times(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string text, line;
  while (std::getline(in, line))
    if (line.find("\"seconds\"") == std::string::npos) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("verify agrees with the baseline of the repository", "[slow]") {
  const Finished run = run_popgrad({"verify", "--baseline", baseline});
  INFO(run.out << run.err);
  CHECK(run.code == 0);
}

TEST_CASE("verify with another seed reaches the verdicts of the baseline", "[slow]") {
  const Finished run = run_popgrad({"verify", "--seed", "20261201", "--baseline", baseline});
  INFO(run.out << run.err);
  CHECK(run.code == 0);
}

TEST_CASE("verify gives the same bits with 1, 2 and 7 threads", "[slow]") {
  const TemporaryFolder folder;
  std::string first;
  for (const char* threads : {"1", "2", "7"}) {
    const std::string out = (folder / threads).string();
    const Finished run = run_popgrad({"verify", "--set", "verify.work=0.2", "--threads", threads, "--no-figures", "--out", out});
    INFO(run.out << run.err);
    // A fifth of the samples leaves some rows undecided; the bits are the point here.
    CHECK((run.code == 0 || run.code == 3));
    const std::string text = without_times(folder / threads / "results.json");
    CHECK(text.size() > 10000);
    if (first.empty()) first = text;
    CHECK(text == first);
  }
}
