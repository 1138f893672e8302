#include "app/lattice_table.hpp"

#include <sstream>

#include "core/errors.hpp"
#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("steps: three positive numbers, anything else is one line") {
  const StageSizes sizes = parse_steps("1.5,20,3e2");
  CHECK(sizes.first == 1.5);
  CHECK(sizes.second == 20);
  CHECK(sizes.third == 300);
  for (const char* bad : {"", "1", "1,2", "1,2,3,4", "1,2,-3", "1,2,x", "1,,3", "1,2,3,", "1,2,nan", "1,2,inf"}) {
    INFO(bad);
    CHECK_THROWS_AS(parse_steps(bad), InputError);
  }
}

TEST_CASE("verify --lattice prints the table, says what stands in the way, and writes rows and figure") {
  const TemporaryFolder folder;
  const Finished run = run_popgrad({"verify", "T3.*", "--lattice", "-N", "3", "-T", "4", "--set", "data.background=avoid",
                                    "--set", "data.query=last", "--out", folder / "lattice"});
  INFO(run.out << run.err);
  CHECK((run.code == 0 || run.code == 3));
  for (const char* word :
       {"Lattice of Theorem 3, N=3 T=4", "ideal     isolated", "actual    full", "gate", "step 3", "What stands in the way",
        "step 2: fails", "1 claim, 20 rows", "negative controls refuted", "this project's formalization"}) {
    INFO(word);
    CHECK(contains(run.out, word));
  }
  const std::string results = text_of(folder / "lattice/results.json");
  CHECK(contains(results, "\"T3.lattice\""));
  CHECK(contains(results, "\"lattice_accuracy\""));
  CHECK(contains(text_of(folder / "lattice/lattice_accuracy.tsv"), "ideal hand-off\tfull blocks"));
}

TEST_CASE("verify --lattice: on a narrow terminal no line is longer than it") {
  RunSetup narrow;
  narrow.environment["COLUMNS"] = "60";
  const Finished run = run_popgrad(
      {"verify", "--lattice", "-N", "3", "-T", "4", "--set", "data.background=any", "--set", "data.query=last"}, narrow);
  CHECK(contains(run.out, "hand-off: actual; blocks: full"));
  std::istringstream text(run.out);
  for (std::string line; std::getline(text, line) && !line.starts_with("T3.lattice") && !line.starts_with("1 claim");)
    CHECK(line.size() <= 60);
}

TEST_CASE("verify --lattice is about T3, and --steps about the lattice") {
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{{"verify", "L1", "--lattice"},
                                                                                   {"verify", "T3.gate", "--steps", "1,2,3"},
                                                                                   {"verify", "--lattice", "--steps", "1,2"},
                                                                                   {"verify", "--lattice", "-T", "3"}}) {
    const Finished run = run_popgrad(bad);
    CHECK(run.code == 2);
    CHECK(lines(run.err) == 1);
    CHECK(run.out.empty());
  }
}
