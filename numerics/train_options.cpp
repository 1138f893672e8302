#include "numerics/train_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/errors.hpp"
#include "numerics/model_tables.hpp"

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

const char* name(OptimizerKind kind) { return kind == OptimizerKind::sgd ? "sgd" : "adamw"; }

const char* name(KernelKind kernel) { return kernel == KernelKind::fast ? "fast" : "reference"; }

KernelKind parse_kernel(const std::string& text) {
  if (text == "fast") return KernelKind::fast;
  if (text == "reference") return KernelKind::reference;
  throw InputError("kernel", "'" + text + "'", "fast or reference");
}

OptimizerKind parse_optimizer(const std::string& text) {
  if (text == "sgd") return OptimizerKind::sgd;
  if (text == "adamw") return OptimizerKind::adamw;
  throw InputError("optimizer", "'" + text + "'", "sgd or adamw");
}

std::int64_t FreezeUntil::at(Table table) const {
  switch (table) {
    case Table::tok:
      return tok;
    case Table::pos:
      return pos;
    case Table::out:
      return out;
    case Table::wk1:
      return wk1;
    case Table::wk2:
      return wk2;
    case Table::wo2:
      return wo2;
    case Table::wf:
      return wf;
    default:
      return 0;
  }
}

std::int64_t FreezeUntil::at(Map map) const { return at(table_of(map)); }

double TrainOptions::rate_at(std::int64_t step) const {
  double now = rate;
  for (const RateFrom& later : rates)
    if (later.step <= step) now = later.rate;
  return now;
}

std::vector<Table> TrainOptions::trained() const {
  std::vector<Table> list = {Table::wk1, Table::wk2, Table::wo2};
  if (model.feed_forward) list.push_back(Table::wf);
  if (learn.tok) list.push_back(Table::tok);
  if (learn.pos) list.push_back(Table::pos);
  if (learn.out) list.push_back(Table::out);
  return list;
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
  std::int64_t before = 0;
  for (const RateFrom& later : rates) {
    in_range("train.rates", later.rate, later.rate > 0, "positive rates");
    if (later.step <= before)
      throw InputError("train.rates", fmt::format("update {} after update {}", later.step, before),
                       "increasing updates, the first at least 1 (train.rate is the rate before it)");
    before = later.step;
  }
  in_range("train.momentum", momentum, momentum >= 0 && momentum < 1, "a number in [0, 1)");
  in_range("train.weight_decay", weight_decay, weight_decay >= 0, "a number of at least 0");
  in_range("train.beta1", beta1, beta1 >= 0 && beta1 < 1, "a number in [0, 1)");
  in_range("train.beta2", beta2, beta2 >= 0 && beta2 < 1, "a number in [0, 1)");
  in_range("train.epsilon", epsilon, epsilon > 0, "a positive number");
  for (const Table table : {Table::wk1, Table::wk2, Table::wo2, Table::wf, Table::tok, Table::pos, Table::out})
    at_least((std::string("train.freeze.") + name(table)).c_str(), freeze.at(table), 0);
  for (const auto& [table, learned] : {std::pair{Table::tok, learn.tok}, {Table::pos, learn.pos}, {Table::out, learn.out}})
    if (!learned && freeze.at(table) > 0)
      throw InputError(std::string("train.freeze.") + name(table), std::to_string(freeze.at(table)),
                       std::string("0: ") + name(table) + " is not trained at all without learn." + name(table));
  at_least("train.eval_every", eval_every, 1);
  at_least("train.eval_sequences", eval_sequences, 1);
  at_least("train.checkpoint_every", checkpoint_every, 1);
  at_least("train.snapshot_every", snapshot_every, 0);
  if (seed >> 63 != 0) throw InputError("run.seed", std::to_string(seed), "an integer from 0 to 2^63 - 1");
}

}  // namespace popgrad
