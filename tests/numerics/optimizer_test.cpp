#include "numerics/optimizer.hpp"

#include "numerics/adamw.hpp"
#include "numerics/sgd.hpp"
#include "numerics/trainer.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/train_fixture.hpp"

namespace popgrad {
namespace {

TrainOptions with(OptimizerKind kind) {
  TrainOptions options = fixture::small_bigram();
  options.optimizer = kind;
  options.rate = kind == OptimizerKind::sgd ? 0.2 : 0.01;
  options.weight_decay = 0.1;
  return options;
}

TEST_CASE("the optimizer of the options is the one that acts") {
  const Matrix start = Matrix::Constant(2, 2, 0.5), g = Matrix::Constant(2, 2, 0.25);
  TrainOptions options = with(OptimizerKind::sgd);
  Matrix theta = start, expected = start, velocity = Matrix::Zero(2, 2);
  OptimizerMemory memory = no_memory(options.optimizer, start);
  CHECK(memory.second.size() == 0);
  for (int i = 0; i < 2; ++i) {
    optimizer_step(options, 0.5, g, memory, theta);
    sgd_step({options.momentum, options.weight_decay}, 0.5, g, velocity, expected);
  }
  CHECK(theta == expected);
  options = with(OptimizerKind::adamw);
  options.beta1 = 0.5;
  theta = expected = start;
  memory = no_memory(options.optimizer, start);
  Matrix m = Matrix::Zero(2, 2), v = Matrix::Zero(2, 2);
  std::int64_t updates = 0;
  for (int i = 0; i < 2; ++i) {
    optimizer_step(options, 0.5, g, memory, theta);
    adamw_step({0.5, options.beta2, options.epsilon, options.weight_decay}, 0.5, g, m, v, updates, expected);
  }
  CHECK(theta == expected);
  CHECK(memory.updates == 2);
}

TEST_CASE("what is frozen does not move, weight decay included, and the optimizer remembers nothing of it") {
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adamw}) {
    TrainOptions options = with(kind);
    options.learn = {true, true, true};
    options.freeze.wo2 = options.freeze.tok = 3;
    options.freeze.pos = 1000;
    INFO(name(kind));
    Trainer trainer(options, fixture::small_corpus());
    const TableSet start = trainer.state().weights;
    for (int i = 0; i < 3; ++i) trainer.update();
    for (const Table table : {Table::wo2, Table::tok, Table::pos}) {
      INFO(name(table));
      CHECK(trainer.state().weights.at(table) == start.at(table));
      CHECK(trainer.state().memory.at(table).first.isZero(0));
      CHECK(trainer.state().memory.at(table).updates == 0);
      CHECK_FALSE(trainer.measure().batch->norms.at(table).has_value());
    }
    for (const Table table : {Table::wk1, Table::wk2, Table::out}) {
      INFO(name(table));
      CHECK(trainer.state().weights.at(table) != start.at(table));
      CHECK(trainer.state().memory.at(table).updates == 3);
      CHECK(trainer.measure().batch->norms.at(table).value() > 0);
    }
    // The first update after that is a first update: no momentum, and AdamW's bias correction starts with it.
    const FiniteModel before = trainer.model();
    const SequenceSource source(options, fixture::small_corpus());
    const Matrix g = batch_gradient(before, source, source.training(), 27, 9, options.learn).mean(Table::tok);
    trainer.update();
    Matrix expected = before.frozen.tok;
    OptimizerMemory fresh = no_memory(kind, expected);
    optimizer_step(options, options.rate, g, fresh, expected);
    CHECK(trainer.model().frozen.tok == expected);
    CHECK(trainer.state().weights.at(Table::pos) == start.at(Table::pos));
  }
}

TEST_CASE("a later learning rate acts from its update on and nowhere else") {
  TrainOptions options = with(OptimizerKind::sgd);
  options.rates = {{3, 0.025}};
  TrainOptions constant = options;
  constant.rates.clear();
  Trainer changed(options, fixture::small_corpus()), same(constant, fixture::small_corpus());
  for (int i = 0; i < 3; ++i) changed.update(), same.update();
  CHECK(changed.state().weights == same.state().weights);
  const Matrix before = changed.model().trained.wk2;
  changed.update();
  same.update();
  // The velocities are still equal: the gradient was taken at equal weights, and the rate does not enter them.
  const Matrix velocity = changed.state().memory.at(Table::wk2).first;
  CHECK(velocity == same.state().memory.at(Table::wk2).first);
  CHECK(changed.model().trained.wk2 == before - 0.025 * velocity);
  CHECK(same.model().trained.wk2 == before - 0.2 * velocity);
}

TEST_CASE("AdamW trains: the loss of the minimal task falls") {
  TrainOptions options = fixture::small_minimal();
  options.optimizer = OptimizerKind::adamw;
  options.rate = 0.02;
  options.batch = 32;
  options.eval_sequences = 200;
  Trainer trainer(options, fixture::small_corpus());
  const double before = trainer.measure().loss;
  for (int i = 0; i < 60; ++i) trainer.update();
  CHECK(trainer.measure().loss < 0.9 * before);
}

}  // namespace
}  // namespace popgrad
