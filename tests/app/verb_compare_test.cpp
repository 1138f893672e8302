// What popgrad compare says of the gradient that a run recorded.
#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

Finished compare(const TemporaryFolder& folder) {
  return run_popgrad({"compare", folder / "run", "--set", "compare.groups=8", "--set", "compare.minibatches=2"});
}

void train(const TemporaryFolder& folder, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"train", "--no-figures",
                                    "--out", folder / "run",
                                    "--set", "data.task=minimal",
                                    "-N",    "5",
                                    "-T",    "6",
                                    "-d",    "8",
                                    "--set", "train.batch=4",
                                    "--set", "train.eval_sequences=8",
                                    "--set", "train.steps=2"};
  words.insert(words.end(), more.begin(), more.end());
  REQUIRE(run_popgrad(words).code == 0);
}

}  // namespace

TEST_CASE("compare judges the gradient that the run recorded, with its controls") {
  const TemporaryFolder folder;
  train(folder);
  const Finished run = compare(folder);
  INFO(run.out << run.err);
  for (const char* word : {"the run's own first update (wo2, wk2, wk1): verified", "no allowance for rounding",
                           "second minibatch", "the first minibatch, as recorded"})
    CHECK(contains(run.out, word));
}

TEST_CASE("compare of a run without a record says so and is not verified") {
  const TemporaryFolder folder;
  train(folder);
  std::filesystem::remove(folder / "run/first_gradient.safetensors");
  const Finished run = compare(folder);
  INFO(run.out << run.err);
  CHECK(run.code == 3);
  CHECK(contains(run.out, "the run's own first update: undecided: not recorded"));
  CHECK(contains(run.out, "the first minibatch, drawn again"));
}

TEST_CASE("compare says which maps were frozen in update 1") {
  const TemporaryFolder folder;
  train(folder, {"--set", "freeze.wo2=1"});
  CHECK(contains(compare(folder).out, "(wk2, wk1; frozen in update 1, nothing recorded: wo2): verified"));
}

TEST_CASE("a damaged record is one line on standard error and exit code 2") {
  const TemporaryFolder folder;
  train(folder);
  const std::string good = text_of(folder / "run/first_gradient.safetensors");
  for (const std::string& bad : {std::string(), good.substr(0, good.size() - 1), good + "x", std::string("{}")}) {
    folder.write("run/first_gradient.safetensors", bad);
    const Finished run = compare(folder);
    INFO(run.out << run.err);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(lines(run.err) == 1);
    CHECK(contains(run.err, "first_gradient.safetensors"));
  }
}
