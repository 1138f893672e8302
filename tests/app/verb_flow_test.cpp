// The built program on flows, as a user meets it.
#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

Finished flow(const std::string& folder, std::vector<std::string> more) {
  std::vector<std::string> words = {"flow", "--out", folder, "--no-figures", "--set", "data.vocab=3", "--set", "data.length=5", "--set", "flow.steps=12"};
  words.insert(words.end(), more.begin(), more.end());
  return run_popgrad(words);
}

}  // namespace

TEST_CASE("flow writes a run, report shows the same table, a second flow does not overwrite it") {
  const TemporaryFolder folder;
  const Finished first = flow(folder / "run", {});
  INFO(first.out << first.err);
  CHECK(first.code == 0);
  CHECK(first.err.empty());
  for (const char* word : {"after step 12", "R(W_O2)", "R(W_K2)", "R(W_K1)", "in-context accuracy"}) CHECK(contains(first.out, word));
  CHECK(lines(text_of(folder / "run/metrics.jsonl")) == 3);  // steps 0, 10 and 12
  CHECK(contains(text_of(folder / "run/config.json"), "popgrad-flow-1"));
  CHECK(contains(text_of(folder / "run/maps.json"), "\"P,P\""));
  const Finished report = run_popgrad({"report", folder / "run"});
  CHECK(report.code == 0);
  CHECK(contains(report.out, first.out.substr(0, first.out.find("wrote "))));
  const Finished second = flow(folder / "run", {});
  CHECK(second.code == 2);
  CHECK(lines(second.err) == 1);
  CHECK(contains(second.err, "--out: got"));
}

TEST_CASE("flow answers bad input with one line and code 2, and leaves no folder") {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& bad : std::vector<std::vector<std::string>>{
           {"-T", "3"}, {"-T", "15"}, {"-N", "1"}, {"--set", "flow.rate=-1"}, {"--set", "flow.momentum=1"},
           {"--set", "flow.without=keys"}, {"--set", "flow.blocks=some"}, {"--set", "flow.steps=0"}, {"--set", "train.rate=1"},
           {"-T", "13", "--set", "flow.steps=1000000"}}) {
    const Finished run = flow(folder / "run", bad);
    INFO(bad.back() << ": " << run.out << run.err);
    CHECK(run.code == 2);
    CHECK(lines(run.err) == 1);
    CHECK(run.out.empty());
    CHECK_FALSE(std::filesystem::exists(folder / "run"));
  }
  CHECK(run_popgrad({"flow"}).code == 2);
}

TEST_CASE("flow.rate sets all three rates wherever it stands, flow.rate_wk1 wins over it") {
  const TemporaryFolder folder;
  CHECK(flow(folder / "run", {"--set", "flow.rate_wk1=3", "--set", "flow.rate=2"}).code == 0);
  const std::string config = text_of(folder / "run/config.json");
  CHECK(contains(config, "\"rate_wo2\": 2.0"));
  CHECK(contains(config, "\"rate_wk2\": 2.0"));
  CHECK(contains(config, "\"rate_wk1\": 3.0"));
}

TEST_CASE("a flow that diverged says so and exits with 1, its run is kept") {
  const TemporaryFolder folder;
  const Finished run = flow(folder / "run", {"--set", "flow.rate=1e6"});
  CHECK(run.code == 1);
  CHECK(contains(run.err, "diverged"));
  CHECK(std::filesystem::exists(folder / "run/summary.json"));
}
