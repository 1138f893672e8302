#include "numerics/train_options.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "tests/numerics/train_fixture.hpp"
#include "numerics/train_options_json.hpp"

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

TEST_CASE("config.json reads back to the same options, in every key") {
  TrainOptions options = fixture::small_bigram();
  options.bigram.outputs = Outputs::bigram;
  options.bigram.triggers = Triggers::random;
  options.bigram.loss = LossKind::full;
  options.bigram.distinct = true;
  options.rate = 0.1 + 0.2;  // needs 17 digits
  options.momentum = 0.3;
  options.weight_decay = 5e-7;
  options.freeze = {1, 2, 3, 4};
  options.seed = 0xffffffffffffffffULL;
  options.steps = 7;
  options.batch = 3;
  options.eval_every = 11;
  options.eval_sequences = 13;
  options.checkpoint_every = 17;
  options.model.feed_forward = true;
  options.model.wk1 = {Init::zero, {}};
  options.model.pos = {Init::orthonormal, 0.7};
  const std::string text = to_json(options, "program");
  const TrainOptions back = parse_train_options("config", text);
  CHECK(to_json(back, "program") == text);
  // Not only consistent with itself: values that a writer and a reader could both miss.
  CHECK(back.rate == options.rate);
  CHECK(back.seed == options.seed);
  CHECK(back.freeze.wf == 4);
  CHECK(back.bigram.distinct);
  CHECK(back.bigram.loss == LossKind::full);
  CHECK(back.model.pos.kind == Init::orthonormal);
  CHECK(back.model.pos.scale == 0.7);
  CHECK_FALSE(back.model.wk1.scale.has_value());
  CHECK(back.model.feed_forward);

  TrainOptions minimal = fixture::small_minimal();
  minimal.minimal.query = Query::any;
  minimal.minimal.output_weights = {1, 2, 3, 4};
  const TrainOptions again = parse_train_options("config", to_json(minimal, ""));
  CHECK(again.task == TaskKind::minimal);
  CHECK(again.minimal.query == Query::any);
  CHECK(again.minimal.output_weights == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("a damaged config.json is refused and the key is named") {
  TrainOptions options = fixture::small_bigram();
  options.rate = 0.125;
  const std::string good = to_json(options, "");
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  CHECK_THROWS_AS(parse_train_options("config", "{"), InputError);
  CHECK_THROWS_AS(parse_train_options("config", "[]"), InputError);
  try {
    parse_train_options("config", broken("\"rate\": 0.125", "\"rate\": \"fast\""));
    FAIL("accepted a rate that is text");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("train.rate") != std::string::npos);
  }
  try {
    parse_train_options("config", broken("\"batch\"", "\"bach\""));
    FAIL("accepted a missing batch");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("train.batch") != std::string::npos);
  }
  CHECK_THROWS_AS(parse_train_options("config", broken("popgrad-run-1", "popgrad-run-9")), InputError);
}

}  // namespace
}  // namespace popgrad
