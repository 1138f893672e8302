#include "numerics/train_options.hpp"

#include <cmath>
#include <set>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "tests/numerics/train_fixture.hpp"
#include "numerics/train_options_toml.hpp"

namespace popgrad {
namespace {

std::string complaint(const TrainOptions& options) {
  try {
    options.validate(fixture::small_corpus());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool starts_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

TEST_CASE("the default options are valid with the default counts") {
  CHECK_NOTHROW(TrainOptions().validate(default_counts()));
  CHECK(TrainOptions().model_options(default_counts()).N == default_counts().N());
  CHECK(TrainOptions().model_options(default_counts()).T == TrainOptions().bigram.T);
}

TEST_CASE("a bad value is reported under its key") {
  TrainOptions options = fixture::small_bigram();
  REQUIRE(complaint(options).empty());
  SECTION("rate") {
    options.rate = -1;
    CHECK(starts_with(complaint(options), "train.rate: got -1, expected "));
  }
  SECTION("rate that is not a number") {
    options.rate = std::nan("");
    CHECK(starts_with(complaint(options), "train.rate: got nan"));
  }
  SECTION("momentum 1 never forgets") {
    options.momentum = 1;
    CHECK(starts_with(complaint(options), "train.momentum: got 1, "));
  }
  SECTION("weight decay") {
    options.weight_decay = -0.5;
    CHECK(starts_with(complaint(options), "train.weight_decay: got -0.5, "));
  }
  SECTION("batch") {
    options.batch = 0;
    CHECK(starts_with(complaint(options), "train.batch: got 0, "));
  }
  SECTION("steps") {
    options.steps = 0;
    CHECK(starts_with(complaint(options), "train.steps: got 0, "));
  }
  SECTION("sample numbers that overflow") {
    options.steps = std::int64_t{1} << 52;
    CHECK(starts_with(complaint(options), "train.steps: got 4503599627370496, "));
  }
  SECTION("freeze") {
    options.freeze.wk2 = -3;
    CHECK(starts_with(complaint(options), "train.freeze.wk2: got -3, "));
  }
  SECTION("rates out of order, at update 0, or not positive") {
    options.rates = {{5, 0.1}, {5, 0.2}};
    CHECK(starts_with(complaint(options), "train.rates: got update 5 after update 5, "));
    options.rates = {{0, 0.1}};
    CHECK(starts_with(complaint(options), "train.rates: got update 0 after update 0, "));
    options.rates = {{5, 0}};
    CHECK(starts_with(complaint(options), "train.rates: got 0, "));
  }
  SECTION("adamw") {
    options.beta2 = 1;
    CHECK(starts_with(complaint(options), "train.beta2: got 1, "));
    options.beta2 = 0.5;
    options.epsilon = 0;
    CHECK(starts_with(complaint(options), "train.epsilon: got 0, "));
  }
  SECTION("a table that is not learned cannot be unfrozen") {
    options.freeze.pos = 3;
    CHECK(starts_with(complaint(options), "train.freeze.pos: got 3, "));
    options.learn.pos = true;
    CHECK(complaint(options).empty());
  }
  SECTION("a seed that TOML cannot hold") {
    options.seed = ~std::uint64_t{0};
    CHECK(starts_with(complaint(options), "run.seed: got 18446744073709551615, "));
  }
  SECTION("snapshots") {
    options.snapshot_every = -1;
    CHECK(starts_with(complaint(options), "train.snapshot_every: got -1, "));
  }
  SECTION("evaluations") {
    options.eval_every = 0;
    CHECK(starts_with(complaint(options), "train.eval_every: got 0, "));
  }
  SECTION("a key of the task gets its section") {
    options.bigram.K = 99;
    CHECK(starts_with(complaint(options), "data.K: got 99, "));
  }
  SECTION("a key of the minimal task only when it is used") {
    options.minimal.T = 3;
    CHECK(complaint(options).empty());
    options.task = TaskKind::minimal;
    CHECK(starts_with(complaint(options), "data.T: got 3, "));
  }
  SECTION("a key of the model gets its section") {
    options.model.d = 0;
    CHECK(starts_with(complaint(options), "model.d: got 0, "));
  }
}

TrainOptions unusual_options() {
  TrainOptions options = fixture::small_bigram();
  options.bigram.outputs = Outputs::bigram;
  options.bigram.triggers = Triggers::random;
  options.bigram.loss = LossKind::full;
  options.bigram.distinct = true;
  options.optimizer = OptimizerKind::adamw;
  options.rate = 0.1 + 0.2;  // needs 17 digits
  options.rates = {{3, 1e-300}, {7, 2}};
  options.momentum = 0.3;
  options.weight_decay = 5e-7;
  options.beta1 = 0.25;
  options.beta2 = 0;
  options.epsilon = 1e-3;
  options.freeze = {1, 2, 3, 4, 5, 6, 7};
  options.learn = {true, true, true};
  options.seed = 0x7fffffffffffffffULL;
  options.steps = 7;
  options.batch = 3;
  options.eval_every = 11;
  options.eval_sequences = 13;
  options.checkpoint_every = 17;
  options.snapshot_every = 19;
  options.model.feed_forward = true;
  options.model.wk1 = {Init::zero, {}};
  options.model.pos = {Init::orthonormal, 0.7};
  return options;
}

TrainOptions read_back(const TrainOptions& options) { return parse_run_config("config", to_toml(options, "")).options; }

TEST_CASE("config.toml reads back to the same options, in every key") {
  const TrainOptions options = unusual_options();
  const std::string text = to_toml(options, "program 1 (x)");
  const RunConfig read = parse_run_config("config", text);
  const TrainOptions& back = read.options;
  CHECK(to_toml(back, read.program) == text);
  CHECK(read.program == "program 1 (x)");
  // Not only consistent with itself: values that a writer and a reader could both miss.
  CHECK(back.rate == options.rate);
  CHECK(back.rates.size() == 2);
  CHECK(back.rates[0].rate == 1e-300);
  CHECK(back.rates[1].step == 7);
  CHECK(back.optimizer == OptimizerKind::adamw);
  CHECK(back.beta1 == 0.25);
  CHECK(back.beta2 == 0);
  CHECK(back.epsilon == 1e-3);
  CHECK(back.seed == options.seed);
  CHECK(back.freeze.wf == 4);
  CHECK(back.freeze.out == 7);
  CHECK((back.learn.tok && back.learn.pos && back.learn.out));
  CHECK(back.snapshot_every == 19);
  CHECK(back.bigram.distinct);
  CHECK(back.bigram.loss == LossKind::full);
  CHECK(back.model.pos.kind == Init::orthonormal);
  CHECK(back.model.pos.scale == 0.7);
  CHECK(back.model.wk1.kind == Init::zero);
  CHECK(back.model.feed_forward);

  TrainOptions minimal = fixture::small_minimal();
  minimal.minimal.query = Query::any;
  minimal.minimal.output_weights = {1, 2, 3, 4};
  const TrainOptions again = read_back(minimal);
  CHECK(again.task == TaskKind::minimal);
  CHECK(again.minimal.query == Query::any);
  CHECK(again.minimal.output_weights == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("config.toml leaves nothing to a default: the scales in force are in it") {
  TrainOptions options = fixture::small_bigram();
  options.model.wk1 = {Init::gaussian, {}};
  CHECK(read_back(options).model.wk1.scale == std::sqrt(1.0 / 6));
  TrainOptions given = options;
  given.model.wk1.scale = std::sqrt(1.0 / 6);
  CHECK(to_toml(options, "") == to_toml(given, ""));
}

TEST_CASE("no two options that differ have the same keys, and each is named") {
  const ResolvedKeys keys = resolved_keys(unusual_options());
  std::set<std::string> names;
  for (const auto& [key, value] : keys) CHECK(names.insert(key).second);
  TrainOptions other = unusual_options();
  other.rates[1].rate = 2 + 0x1p-51;
  const ResolvedKeys changed = resolved_keys(other);
  REQUIRE(changed.size() == keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) CHECK((keys[i].second == changed[i].second) == (keys[i].first != "train.rates"));
}

TEST_CASE("a damaged config.toml is refused and the key is named") {
  TrainOptions options = fixture::small_bigram();
  options.rate = 0.125;
  const std::string good = to_toml(options, "");
  const auto said = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    try {
      parse_run_config("config", text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(said("x", "x") == "accepted");
  CHECK(starts_with(said("format = \"popgrad-run-2\"", "="), "config: got text that is not TOML at line 2"));
  CHECK(starts_with(said("popgrad-run-2", "popgrad-run-9"), "config: got format 'popgrad-run-9'"));
  CHECK(starts_with(said("rate = 0.125", "rate = \"fast\""), "config: got train.rate = a value of another type"));
  CHECK(starts_with(said("batch = ", "bach = "), "config: got no key 'train.batch'"));
  CHECK(starts_with(said("batch = ", "more = 1\nbatch = "), "config: got unknown key 'train.more'"));
  CHECK(starts_with(said("batch = 9", "batch = 9000000000"), "config: got train.batch = 9000000000"));
  CHECK(starts_with(said("rates = []", "rates = [[3]]"), "config: got train.rates = something else than [update, rate]"));
  CHECK(starts_with(said("\"sgd\"", "\"sdg\""), "config: got train.optimizer = 'sdg'"));
  CHECK(starts_with(said("corpus.counts.tsv", "/etc/passwd"), "config: got data.corpus = '/etc/passwd'"));
}

TEST_CASE("the learning rate is piecewise constant: an entry is in force from its update on") {
  TrainOptions options;
  options.rate = 0.5;
  CHECK(options.rate_at(1000) == 0.5);
  options.rates = {{1, 0.25}, {300, 0.125}};
  CHECK(options.rate_at(0) == 0.5);
  CHECK(options.rate_at(1) == 0.25);
  CHECK(options.rate_at(299) == 0.25);
  CHECK(options.rate_at(300) == 0.125);
  CHECK(options.rate_at(100000) == 0.125);
}

}  // namespace
}  // namespace popgrad
