// Gradients of the embedding tables, entry by entry against the oracle, and by Taylor remainders of the loss.
#include <cmath>
#include <functional>
#include <string>

#include "numerics/batch_gradient.hpp"
#include "numerics/model_tables.hpp"
#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/finite_fixture.hpp"
#include "tests/numerics/finite_instances.hpp"
#include "tests/numerics/oracle_comparison.hpp"
#include "tests/numerics/train_fixture.hpp"
#include "tests/oracle/taylor.hpp"

using namespace popgrad;
using namespace popgrad::against_oracle;

namespace {

EmbeddingGradient zeros_like(const FiniteModel& model) {
  const auto zero = [](const Matrix& m) { return Matrix(Matrix::Zero(m.rows(), m.cols())); };
  return {zero(model.frozen.tok), zero(model.frozen.pos), zero(model.frozen.out)};
}

EmbeddingGradient gradient_of(const FiniteModel& model, const Example& example) {
  EmbeddingGradient embeddings = zeros_like(model);
  TrainedMaps maps = TrainedMaps::zero(model.d());
  add_gradient(model, example, maps, &embeddings);
  return embeddings;
}

std::vector<double> in_oracle_order(const EmbeddingGradient& g) {
  std::vector<double> result;
  for (const Matrix* m : {&g.tok, &g.pos, &g.out}) {
    const std::vector<double> part = entries(*m);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

auto loss_of_embeddings(const Instance& instance) {
  return [base = for_oracle(instance.model), tokens = instance.example.tokens,
          targets = pairs(instance.example.targets)](const auto& theta) {
    return oracle::finite_loss(oracle::with_embedding_entries(base, theta), tokens, targets);
  };
}

}  // namespace

TEST_CASE("embedding gradients equal the oracle's, entry by entry, and three per cent on one entry is noticed") {
  for (const Instance& instance : instances()) {
    INFO(instance.name);
    const auto expected = oracle::gradient(loss_of_embeddings(instance), oracle::embedding_entries(for_oracle(instance.model)));
    check_gradient(instance, expected, in_oracle_order(gradient_of(instance.model, instance.example)));
  }
}

TEST_CASE("every path of an embedding counts: without any one of them the oracle disagrees") {
  // Each path is closed in the model; the gradient that the open model has must then be another one, so that the comparison
  // above could not have passed without it.
  const Instance open = instances()[1];
  const EmbeddingGradient all = gradient_of(open.model, open.example);
  const auto closed = [&](const std::function<void(FiniteModel&)>& close) {
    Instance changed = open;
    close(changed.model);
    return gradient_of(changed.model, changed.example);
  };
  const EmbeddingGradient no_value = closed([](FiniteModel& m) { m.frozen.wv1.setZero(); });
  const EmbeddingGradient no_score1 = closed([](FiniteModel& m) { m.trained.wk1.setZero(); });
  const EmbeddingGradient no_score2 = closed([](FiniteModel& m) { m.trained.wk2.setZero(); });
  const EmbeddingGradient no_output = closed([](FiniteModel& m) { m.trained.wo2.setZero(); });
  for (const EmbeddingGradient* one : {&no_value, &no_score1, &no_score2, &no_output}) {
    CHECK((one->tok - all.tok).norm() > 0.01 * all.tok.norm());
    CHECK((one->pos - all.pos).norm() > 0.01 * all.pos.norm());
  }
}

TEST_CASE("Taylor test of the embedding gradients: slope 2, and slope 1 if three per cent are off") {
  const FiniteModel model = generic_model(5, 6, 7, 21);
  const Example example{{3, 1, 4, 1, 0}, {{4, 1}, {2, 0}, {2, 3}, {0, 2}, {3, 3}}};
  const EmbeddingGradient gradient = gradient_of(model, example);
  Stream stream(17, Purpose::test, 50);
  for (const auto& [table, G] : {std::pair{Table::tok, gradient.tok}, {Table::pos, gradient.pos}, {Table::out, gradient.out}}) {
    INFO(name(table));
    Matrix D = normal_matrix(stream, static_cast<int>(G.rows()), static_cast<int>(G.cols()), 1);
    D /= D.norm();
    const auto f = [&, at = table](double h) {
      FiniteModel moved = model;
      matrix(moved, at) += h * D;
      return forward(moved, example).loss;
    };
    // Some 4 (T + d) roundings on the way to a logit.
    const auto error = [&](double, double value) { return 4 * (6 + 7) * 0x1p-53 * std::abs(value); };
    const double slope = G.cwiseProduct(D).sum();
    CHECK(oracle::taylor_test(f, slope, 1e-14, error).verdict == oracle::TaylorVerdict::pass);
    CHECK(oracle::taylor_test(f, 1.03 * slope, 1e-14, error).verdict == oracle::TaylorVerdict::fail);
    CHECK(oracle::taylor_test(f, -slope, 1e-14, error).verdict == oracle::TaylorVerdict::fail);
  }
}

TEST_CASE("embedding gradients change nothing of the maps' gradients, and tables that are not wanted stay empty") {
  const FiniteModel model = generic_model(5, 6, 7, 24);
  const Example example{{3, 1, 4, 1, 0}, {{4, 1}, {2, 0}}};
  TrainedMaps alone = TrainedMaps::zero(7), beside = TrainedMaps::zero(7);
  EmbeddingGradient some = zeros_like(model);
  some.tok.resize(0, 0);
  CHECK(add_gradient(model, example, alone) == add_gradient(model, example, beside, &some));
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) CHECK(alone.at(map) == beside.at(map));
  const EmbeddingGradient all = gradient_of(model, example);
  CHECK(some.tok.size() == 0);
  CHECK(some.pos == all.pos);
  CHECK(some.out == all.out);
  CHECK(all.pos.row(5).isZero(0));  // beyond the sequence
  CHECK(all.tok.row(2).isZero(0));  // a token that does not occur
  some.pos.resize(2, 7);
  CHECK_THROWS_AS(add_gradient(model, example, beside, &some), HypothesisError);
}

TEST_CASE("a batch sums the embedding gradients of its sequences, the same bits on any threads, and means divide by loss positions") {
  const TrainOptions options = fixture::small_bigram();
  const BigramCounts corpus = fixture::small_corpus();
  const SequenceSource source(options, corpus);
  const FiniteModel model = make_model(options.model_options(corpus), 3);
  const BatchGradient batch = batch_gradient(model, source, source.training(), 5, 4, {true, true, true});
  EmbeddingGradient sum = zeros_like(model);
  TrainedMaps maps = TrainedMaps::zero(6);
  for (std::uint64_t i = 5; i < 9; ++i) {
    const Sequence sequence = source.draw(source.training(), i);
    if (!sequence.example.targets.empty()) add_gradient(model, sequence.example, maps, &sum);
  }
  CHECK(batch.embeddings.tok == sum.tok);  // one block: the same order
  CHECK(batch.embeddings.pos == sum.pos);
  CHECK(batch.embeddings.out == sum.out);
  CHECK(batch.mean(Table::pos) == sum.pos * (1 / static_cast<double>(batch.loss_positions)));
  CHECK(batch.mean(Table::wk1) == batch.mean().wk1);
  CHECK(batch_gradient(model, source, source.training(), 5, 4).mean(Table::out).size() == 0);
}
