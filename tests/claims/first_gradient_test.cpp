#include "theory/claims/first_gradient.hpp"

#include <cmath>
#include <limits>

#include "numerics/training_gradient.hpp"
#include "numerics/training_run.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/train_fixture.hpp"

namespace popgrad {
namespace {

using fixture::TemporaryFolder;

// A run of three updates in which momentum and weight decay act, and what is needed to judge its record.
struct Recorded {
  TemporaryFolder folder;
  TrainOptions options = fixture::small_bigram();

  explicit Recorded(const std::string& name) : folder("first_gradient_" + name) {
    options.steps = 3;
    options.weight_decay = 1e-2;
  }
  RunFolder trained() { return train(options, fixture::small_corpus(), folder / "run", false), open(); }
  RunFolder open() { return RunFolder::open(folder / "run"); }
};

BatchGradient minibatch(const RunFolder& run, std::uint64_t number) {
  const SequenceSource source(run.options(), run.corpus());
  return training_gradient(run.options(), run.initial_model(), source, static_cast<std::int64_t>(number),
                           moving_tables(run.options(), 0));
}

Row judged(const RunFolder& run) {
  const SequenceSource source(run.options(), run.corpus());
  const FiniteModel theta0 = run.initial_model();
  return judge_first_gradient(run, theta0, source, run.first_gradient(),
                              training_gradient(run.options(), theta0, source, 0, moving_tables(run.options(), 0)));
}

const ControlOutcome* control(const Row& row, const std::string& name) {
  for (const ControlOutcome& outcome : row.controls)
    if (outcome.name == name) return &outcome;
  return nullptr;
}

TEST_CASE("the record of a run is the gradient of its first minibatch, and no wrong one passes for it") {
  Recorded recorded("good");
  const Row row = judged(recorded.trained());
  INFO(row.reason);
  CHECK(row.verdict == Verdict::verified);
  CHECK(row.comparison.entries == 2 * 3 * 6 * 6 + 2);  // gradient and weights of three maps, the loss and its positions
  for (const char* name : {"second minibatch", "sign", "doubled", "one entry", "ascent", "rate", "weight decay", "sum"}) {
    INFO(name);
    REQUIRE(control(row, name) != nullptr);
    CHECK(control(row, name)->refuted());
  }
  // Not for another reason than the one changed number.
  CHECK(control(row, "one entry")->comparison.outside == 1);
  // The gradient is right, every weight after the update wrong.
  CHECK(control(row, "weight decay")->comparison.outside == 3 * 6 * 6);
}

TEST_CASE("a run that recorded another gradient than its configuration's is refuted") {
  Recorded recorded("wrong");
  const RunFolder run = recorded.trained();
  FirstGradient first = *run.first_gradient();
  const auto refuted = [&] {
    run.save(first);
    const Row row = judged(recorded.open());
    CHECK(row.verdict == Verdict::refuted);
    CHECK_FALSE(row.next.empty());
  };
  SECTION("of the second minibatch") {
    const BatchGradient second = minibatch(run, 1);
    for (const Table table : first.moved) first.gradient.at(table) = second.mean(table);
    first.loss = second.mean_loss();
    first.loss_positions = second.loss_positions;
    refuted();
  }
  SECTION("reversed") {
    for (const Table table : first.moved) first.gradient.at(table) *= -1;
    refuted();
  }
  SECTION("one entry off by one unit in the last place") {
    double& entry = first.gradient.at(Table::wk2)(2, 3);
    entry = std::nextafter(entry, std::numeric_limits<double>::infinity());
    refuted();
  }
  SECTION("not a number") {
    first.gradient.at(Table::wo2)(0, 0) = std::nan("");
    refuted();
  }
  SECTION("with weight decay") {
    first.gradient.at(Table::wk1) += 1e-2 * run.initial_model().trained.wk1;
    refuted();
  }
  SECTION("with a step upwards") {
    for (const Table table : first.moved) {
      const Matrix start = matrix(run.initial_model(), table);
      first.after.at(table) = 2 * start - first.after.at(table);
    }
    refuted();
  }
  SECTION("another loss") {
    first.loss *= 1 + 0x1p-50;
    refuted();
  }
  SECTION("another number of loss positions") {
    first.loss_positions += 1;
    refuted();
  }
}

TEST_CASE("last digits that another build made are undecided, larger differences and the same build's are refuted") {
  Recorded recorded("build");
  const RunFolder run = recorded.trained();
  FirstGradient first = *run.first_gradient();
  const auto verdict = [&](const std::string& program) {
    run.save(first);
    const SequenceSource source(run.options(), run.corpus());
    const RunFolder again = recorded.open();
    return judge_first_gradient(again, run.initial_model(), source, again.first_gradient(), minibatch(run, 0), program).verdict;
  };
  first.gradient.at(Table::wk2)(2, 3) *= 1 + 0x1p-50;
  CHECK(verdict("another build") == Verdict::undecided);
  CHECK(verdict("") == Verdict::refuted);  // these runs record no program
  first.gradient.at(Table::wk2) *= 1.001;
  CHECK(verdict("another build") == Verdict::refuted);
}

TEST_CASE("maps that were frozen in update 1 are named, and the others are judged") {
  Recorded recorded("frozen");
  recorded.options.freeze.wo2 = 2;
  const Row row = judged(recorded.trained());
  CHECK(row.verdict == Verdict::verified);
  CHECK(row.configuration == "wk2, wk1; frozen in update 1, nothing recorded: wo2");
  CHECK(row.comparison.entries == 2 * 2 * 6 * 6 + 2);
}

TEST_CASE("the first update of AdamW, and of learned embeddings, is judged number by number too") {
  Recorded recorded("adamw");
  recorded.options.optimizer = OptimizerKind::adamw;
  recorded.options.rate = 0.01;
  recorded.options.learn = {true, true, true};
  recorded.options.freeze.pos = 1;
  const Row row = judged(recorded.trained());
  INFO(row.reason);
  CHECK(row.verdict == Verdict::verified);
  CHECK(row.configuration == "wo2, wk2, wk1, tok, out; frozen in update 1, nothing recorded: pos");
  CHECK(row.comparison.entries == 2 * (3 * 6 * 6 + 2 * 4 * 6) + 2);
  for (const char* name : {"second minibatch", "sign", "doubled", "one entry", "ascent", "rate", "weight decay", "sum"}) {
    INFO(name);
    REQUIRE(control(row, name) != nullptr);
    CHECK(control(row, name)->refuted());
  }
}

TEST_CASE("a run of AdamW whose weights are those of SGD is refuted") {
  Recorded recorded("not_adamw");
  const RunFolder sgd = recorded.trained();
  const FirstGradient record = *sgd.first_gradient();
  std::filesystem::remove_all(recorded.folder / "run");
  recorded.options.optimizer = OptimizerKind::adamw;
  const RunFolder run = recorded.trained();
  FirstGradient mixed = *run.first_gradient();
  mixed.after = record.after;
  run.save(mixed);
  CHECK(judged(recorded.open()).verdict == Verdict::refuted);
}

TEST_CASE("with every map frozen there is no gradient to judge, and nothing is claimed") {
  Recorded recorded("all_frozen");
  recorded.options.freeze = {1, 1, 1, 1, 0, 0, 0};
  const Row row = judged(recorded.trained());
  CHECK(row.verdict == Verdict::undecided);
  CHECK(row.reason.find("frozen") != std::string::npos);
}

TEST_CASE("a run without a record is undecided and says so") {
  Recorded recorded("none");
  recorded.trained();
  std::filesystem::remove(recorded.folder / "run" / "first_gradient.safetensors");
  const Row row = judged(recorded.open());
  CHECK(row.verdict == Verdict::undecided);
  CHECK(row.reason.rfind("not recorded", 0) == 0);
}

TEST_CASE("a gradient that is zero cannot be told from its multiples: undecided, not verified") {
  Recorded recorded("zero");
  recorded.options.bigram.T = 2;  // no letter after itself: no loss position
  recorded.options.bigram.distinct = true;
  recorded.options.bigram.K = 1;
  recorded.options.model = published_options(4, 2, 6);
  const BigramCounts corpus = count_bigrams("corpus", "abababcabdababab", "test");
  CHECK_THROWS_AS(train(recorded.options, corpus, recorded.folder / "run", false), InputError);
  const Row row = judged(recorded.open());
  CHECK(row.comparison.outside == 0);
  CHECK(row.verdict == Verdict::undecided);
}

}  // namespace
}  // namespace popgrad
