#include "numerics/train_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/errors.hpp"

namespace popgrad {
namespace {

// Runs a validation of a part and puts the part's section before the key that it names.
template <class Check>
void in_section(const std::string& section, Check check) {
  try {
    check();
  } catch (const InputError& error) {
    const std::string text = error.what();
    const std::size_t got = text.find(": got "), expected = text.find(", expected ");
    if (got == std::string::npos || expected == std::string::npos || expected < got) throw;
    throw InputError(section + "." + text.substr(0, got), text.substr(got + 6, expected - got - 6),
                     text.substr(expected + 11));
  }
}

void at_least(const char* key, std::int64_t value, std::int64_t least) {
  if (value < least) throw InputError(key, std::to_string(value), "an integer of at least " + std::to_string(least));
}

void in_range(const char* key, double value, bool fits, const char* expected) {
  if (!std::isfinite(value) || !fits) throw InputError(key, fmt::format("{}", value), expected);
}

}  // namespace

const char* name(TaskKind task) { return task == TaskKind::bigram ? "bigram" : "minimal"; }

TaskKind parse_task(const std::string& text) {
  if (text == "bigram") return TaskKind::bigram;
  if (text == "minimal") return TaskKind::minimal;
  throw InputError("task", "'" + text + "'", "bigram or minimal");
}

std::int64_t FreezeUntil::at(Map map) const {
  switch (map) {
    case Map::wk1:
      return wk1;
    case Map::wk2:
      return wk2;
    case Map::wo2:
      return wo2;
    case Map::wf:
      return wf;
  }
  return 0;
}

TrainOptions::TrainOptions() {
  bigram.T = 32;
  minimal.N = 8;
  minimal.T = 8;
  model = published_options(65, bigram.T, 96);  // N is replaced by the task's
}

ModelOptions TrainOptions::model_options(const BigramCounts& corpus) const {
  ModelOptions options = model;
  options.N = N(corpus);
  options.T = T();
  return options;
}

void TrainOptions::validate(const BigramCounts& corpus) const {
  if (task == TaskKind::bigram)
    in_section("data", [&] { bigram.validate(corpus); });
  else
    in_section("data", [&] { minimal.validate(); });
  in_section("model", [&] { model_options(corpus).validate(); });
  // 2^31 sequences a step or 2^53 in all would overflow the sample numbering long after any run anyone can afford.
  at_least("train.steps", steps, 1);
  at_least("train.batch", batch, 1);
  if (steps > (std::int64_t{1} << 53) / batch)
    throw InputError("train.steps", std::to_string(steps), "steps * batch of at most 2^53");
  in_range("train.rate", rate, rate > 0, "a positive number");
  in_range("train.momentum", momentum, momentum >= 0 && momentum < 1, "a number in [0, 1)");
  in_range("train.weight_decay", weight_decay, weight_decay >= 0, "a number of at least 0");
  at_least("train.freeze.wk1", freeze.wk1, 0);
  at_least("train.freeze.wk2", freeze.wk2, 0);
  at_least("train.freeze.wo2", freeze.wo2, 0);
  at_least("train.freeze.wf", freeze.wf, 0);
  at_least("train.eval_every", eval_every, 1);
  at_least("train.eval_sequences", eval_sequences, 1);
  at_least("train.checkpoint_every", checkpoint_every, 1);
}

}  // namespace popgrad
