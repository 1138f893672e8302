// The built program on training runs, as a user meets it.
#include "tests/catch.hpp"
#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tiny_run.hpp"

using namespace popgrad;

TEST_CASE("train writes a run and shows its probes, a second run does not overwrite it") {
  const TemporaryFolder folder;
  const Finished first = run_popgrad(tiny_train(folder / "run", {"--set", "train.steps=10"}));
  INFO(first.out << first.err);
  CHECK(first.code == 0);
  CHECK(first.err.empty());
  for (const char* word : {"after step 10", "R(W_O2)", "R(W_K2)", "R(W_K1)", "chance", "in-context accuracy"})
    CHECK(contains(first.out, word));
  CHECK(lines(text_of(folder / "run/metrics.jsonl")) == 3);  // steps 0, 5 and 10
  const std::string metrics = text_of(folder / "run/metrics.jsonl");
  const Finished second = run_popgrad(tiny_train(folder / "run", {"--set", "train.steps=10"}));
  CHECK(second.code == 2);
  CHECK(lines(second.err) == 1);
  CHECK(contains(second.err, "--out: got"));
  CHECK(text_of(folder / "run/metrics.jsonl") == metrics);
}

TEST_CASE("report shows of a run the table that train showed") {
  const TemporaryFolder folder;
  const Finished trained = run_popgrad(tiny_train(folder / "run", {"--set", "train.steps=10"}));
  REQUIRE(trained.code == 0);
  const std::string table = trained.out.substr(0, trained.out.find("wrote "));
  const Finished report = run_popgrad({"report", folder / "run"});
  INFO(report.out << report.err);
  CHECK(report.code == 0);
  CHECK(contains(table, "after step 10"));
  CHECK(contains(report.out, table));
  CHECK_FALSE(contains(run_popgrad({"report", folder / "run", "--quiet"}).out, "after step 10"));
}

TEST_CASE("a training that diverged says so, with the step, and exits with 1, its run is kept") {
  const TemporaryFolder folder;
  const Finished run = run_popgrad(tiny_train(folder / "run", {"--set", "train.steps=10", "--set", "train.rate=1e4"}));
  INFO(run.out << run.err);
  CHECK(run.code == 1);
  CHECK(lines(run.err) == 1);
  CHECK(contains(run.err, "popgrad: diverged: the held-out loss is "));
  CHECK(contains(run.err, "from step 5 on above 10 log N = 16.09 nats"));
  CHECK(contains(run.out, "wrote the run to"));
  const Finished report = run_popgrad({"report", folder / "run"});
  CHECK(report.code == 0);
  CHECK(contains(report.out, "diverged: the held-out loss is "));
}

TEST_CASE("weights that overflow are a divergence too: one line, exit code 1") {
  const TemporaryFolder folder;
  const Finished run = run_popgrad(tiny_train(folder / "run", {"--set", "train.steps=10", "--set", "train.rate=1e300"}));
  INFO(run.err);
  CHECK(run.code == 1);
  CHECK(lines(run.err) == 1);
  CHECK(contains(run.err, "popgrad: diverged: "));
  CHECK(contains(run.err, "train.rate: got 1e+300, expected a smaller rate"));
  CHECK(contains(run.err, "the last good checkpoint is that of step "));
  CHECK(std::filesystem::exists(folder / "run/latest.safetensors"));
  const Finished report = run_popgrad({"report", folder / "run"});
  CHECK(report.code == 0);
}

TEST_CASE("a divergence under a list of rates names the rate that was in force, and the step") {
  const TemporaryFolder folder;
  const Finished run = run_popgrad(tiny_train(
      folder / "run", {"--set", "train.steps=40", "--set", "train.rates=[[20, 1e300]]", "--set", "train.checkpoint_every=4"}));
  INFO(run.err);
  CHECK(run.code == 1);
  CHECK(lines(run.err) == 1);
  CHECK(contains(run.err, "is not finite at step 2"));
  CHECK(contains(run.err, "(train.rates: got 1e+300, expected a smaller rate); the last good checkpoint is that of step 2"));
}

TEST_CASE("a checkpoint that is cut, or of another run, is refused by --resume in one line, exit code 2") {
  const TemporaryFolder folder;
  REQUIRE(run_popgrad(tiny_train(folder / "run", {"--set", "train.steps=5"})).code == 0);
  REQUIRE(run_popgrad(tiny_train(folder / "other", {"--set", "train.steps=5", "--seed", "2"})).code == 0);
  const std::string good = text_of(folder / "run/latest.safetensors");
  for (const std::string& bad : {good.substr(0, 5), good.substr(0, good.size() - 8), text_of(folder / "other/latest.safetensors"),
                                 text_of(folder / "run/initial.safetensors")}) {
    folder.write("run/latest.safetensors", bad);
    const Finished run = run_popgrad(resume(folder / "run", {"--set", "train.steps=9"}));
    INFO(run.err);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(lines(run.err) == 1);
    CHECK(contains(run.err, "latest.safetensors: got "));
  }
}

TEST_CASE("batches without a loss position: counted and shown, and a run that has no other is stopped with exit code 2") {
  const TemporaryFolder folder;
  folder.write("text.txt", "abababcabdababab");
  folder.write("cycle.txt", "abcdefgabcdefgabcdefg");  // with bigram outputs a letter comes back after seven
  const auto with = [&](const std::string& text, const std::string& outputs) {
    return run_popgrad({"train", "--no-figures", "-d", "8", "-T", "4", "--out", folder / ("run_" + outputs),
                        "--set", "data.corpus=" + (folder / text).string(), "--set", "data.triggers_count=1", "--set", "data.outputs=" + outputs,
                        "--set", "train.steps=120", "--set", "train.batch=1"});
  };
  const Finished some = with("text.txt", "uniform");
  INFO(some.out << some.err);
  CHECK(some.code == 0);
  CHECK(contains(some.out, "batches without a loss position"));
  CHECK_FALSE(contains(some.out, " 0 batches without a loss position"));
  const Finished none = with("cycle.txt", "bigram");
  INFO(none.out << none.err);
  CHECK(none.code == 2);
  CHECK(lines(none.err) == 1);
  CHECK(contains(none.err, "train.batch: got 100 updates, of 1 sequences each, without a single loss position"));
}

TEST_CASE("Ctrl-C stops training with 130 in a state that --resume continues to the same bits") {
  const TemporaryFolder folder;
  RunSetup interrupted;
  interrupted.interrupt_when_not_empty = folder / "run/metrics.jsonl";
  const Finished stopped = run_popgrad(tiny_train(folder / "run", {"--set", "train.steps=100000000"}), interrupted);
  INFO(stopped.out << stopped.err);
  REQUIRE(stopped.code == 130);
  CHECK(contains(stopped.out, "--resume"));
  const std::size_t at = stopped.out.find("stopped after step ");
  REQUIRE(at != std::string::npos);
  const std::string steps = "train.steps=" + std::to_string(std::stoll(stopped.out.substr(at + 19)) + 7);
  const Finished resumed = run_popgrad({"train", "--resume", "--no-figures", "--out", folder / "run", "--set", steps});
  INFO(resumed.out << resumed.err);
  CHECK(resumed.code == 0);
  REQUIRE(run_popgrad(tiny_train(folder / "whole", {"--set", steps})).code == 0);
  CHECK(text_of(folder / "run/metrics.jsonl") == text_of(folder / "whole/metrics.jsonl"));
  CHECK(text_of(folder / "run/latest.safetensors") == text_of(folder / "whole/latest.safetensors"));
}

TEST_CASE("compare judges the first minibatch of a run, shows its controls and exits by its verdict") {
  const TemporaryFolder folder;
  REQUIRE(run_popgrad(tiny_train(folder / "run", {"--set", "train.steps=2"})).code == 0);
  const auto before = folder.contents();
  const Finished run =
      run_popgrad({"compare", folder / "run", "--set", "compare.groups=50", "--set", "compare.minibatches=20"});
  INFO(run.out << run.err);
  CHECK((run.code == 0 || run.code == 3));  // a small run may be undecided, a right gradient is not refuted
  CHECK(contains(run.out, run.code == 0 ? "\nverified: " : "\nundecided: "));
  CHECK(run.err.empty());
  CHECK(contains(run.out, "M = 200 sequences"));  // 50 groups of a batch of 4
  for (const char* word :
       {"wo2", "U,E", "projection", "squared distance", "control: sign", "[decisive]", "not the authors'"})
    CHECK(contains(run.out, word));
  CHECK(folder.contents() == before);
}

TEST_CASE("resuming with another option is refused under the name of its key") {
  const TemporaryFolder folder;
  REQUIRE(run_popgrad(tiny_train(folder / "run", {"--set", "train.steps=5"})).code == 0);
  const Finished run = run_popgrad({"train", "--resume", "--out", folder / "run", "--set", "train.rate=0.125"});
  INFO(run.err);
  CHECK(run.code == 2);
  CHECK(lines(run.err) == 1);
  CHECK(contains(run.err, "train.rate"));
}
