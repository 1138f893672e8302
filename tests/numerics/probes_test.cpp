#include "numerics/probes.hpp"

#include <omp.h>

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "finite_fixture.hpp"

using namespace popgrad;

namespace {

constexpr int N = 5, T = 7;

FiniteModel planted() {
  FiniteModel model = coordinate_model(N, T);
  plant_memories(model, 3, 0.5, 2);
  return model;
}

void check(const Probe& probe, double value, double chance, double margin, int ties, int rows) {
  CHECK(probe.value == value);
  CHECK(probe.chance == Approx(chance).epsilon(1e-15));
  CHECK(probe.margin == Approx(margin).margin(1e-15));
  CHECK(probe.ties == ties);
  CHECK(probe.rows == rows);
}

// Mean of 1/t over t = 2..P.
double causal_chance(int P) {
  double sum = 0;
  for (int t = 2; t <= P; ++t) sum += 1.0 / t;
  return sum / (P - 1);
}

}  // namespace

TEST_CASE("planted memories are recalled, with the planted strength as margin") {
  const FiniteModel model = planted();
  check(recall_wo2(model), 1, 1.0 / N, 3, 0, N);
  check(recall_wk2(model), 1, 1.0 / N, 0.5, 0, N);
  check(recall_wk2(model, {4, 1}), 1, 0.5, 0.5, 0, 2);
  check(recall_wk1(model, T, true), 1, causal_chance(T), 2, 0, T - 1);
  check(recall_wk1(model, 1000, false), 1, 1.0 / (T - 1), 2, 0, T - 1);
  check(recall_wk1(model, 4, true), 1, causal_chance(4), 2, 0, 3);
}

TEST_CASE("zero maps tie everywhere, and the value is exactly chance") {
  const FiniteModel model = coordinate_model(N, T);
  for (const Probe& probe : {recall_wo2(model), recall_wk2(model), recall_wk2(model, {3, 0, 2}), recall_wk1(model, T, true),
                             recall_wk1(model, 5, false), recall_wk1(model, 64, false)}) {
    CHECK(probe.value == probe.chance);
    CHECK(probe.margin == 0);
    CHECK(probe.ties == probe.rows);
    CHECK(probe.rows > 0);
  }
}

TEST_CASE("a memory shifted by one is recall 0 with negative margin") {
  FiniteModel model = coordinate_model(N, T);
  const Coordinates at{N, T};
  for (int k = 0; k < N; ++k) {
    model.trained.wo2(output_coordinate(model, (k + 1) % N), at.at(Block::E, k)) = 2;
    model.trained.wk2(at.at(Block::E, k), at.at(Block::R, (k + 1) % N)) = 2;
  }
  for (int t = 0; t < T; ++t) model.trained.wk1(at.at(Block::P, t), at.at(Block::P, t)) = 2;  // attends to itself
  check(recall_wo2(model), 0, 1.0 / N, -2, 0, N);
  check(recall_wk2(model), 0, 1.0 / N, -2, 0, N);
  check(recall_wk1(model, T, true), 0, causal_chance(T), -2, 0, T - 1);
}

TEST_CASE("recall reads maps in the right direction") {
  FiniteModel model = coordinate_model(N, T);
  const Coordinates at{N, T};
  model.trained.wo2(output_coordinate(model, 0), at.at(Block::E, 0)) = 1;
  model.trained.wo2(output_coordinate(model, 1), at.at(Block::E, 0)) = 2;  // token 0 -> output 1; row 1 still tied at 0
  const Probe probe = recall_wo2(model);
  CHECK(probe.value == Approx((0 + 4 * 1.0 / N) / N));
  CHECK(probe.margin == Approx(-1.0 / N));
  CHECK(probe.ties == 4);
  model.trained.wk1(at.at(Block::P, 2), at.at(Block::P, 1)) = 1;  // query position 3 finds key 2
  const Probe first = recall_wk1(model, T, true);
  CHECK(first.ties == T - 2);
  CHECK(first.value == Approx(first.chance + (1 - 1.0 / 3) / (T - 1)));
}

TEST_CASE("future keys matter only without the causal mask") {
  FiniteModel model = planted();
  const Coordinates at{N, T};
  for (int t = 1; t + 1 < T; ++t) model.trained.wk1(at.at(Block::P, t), at.at(Block::P, t + 1)) = 5;
  check(recall_wk1(model, T, true), 1, causal_chance(T), 2, 0, T - 1);
  // Keys are positions 1..T-1, so rows T-1 and T see no future key.
  const Probe open = recall_wk1(model, T, false);
  CHECK(open.value == 2.0 / (T - 1));
  CHECK(open.margin == Approx((2 * 2.0 - 3.0 * (T - 3)) / (T - 1)));
}

TEST_CASE("fixed triggers are compared with each other only") {
  FiniteModel model = planted();
  const Coordinates at{N, T};
  model.trained.wk2(at.at(Block::E, 1), at.at(Block::R, 3)) = 9;
  CHECK(recall_wk2(model, {1, 4}).value == 1);
  CHECK(recall_wk2(model, {1, 3}).value == 0.5);
  CHECK(recall_wk2(model).value == Approx(0.8));
  CHECK_THROWS_AS(recall_wk2(model, {1, 5}), HypothesisError);
  CHECK_THROWS_AS(recall_wk2(model, {1, 1}), HypothesisError);
}

TEST_CASE("duplicate embeddings tie, whatever the roundoff") {
  const int d = 20;
  ModelOptions options;
  options.N = 6;
  options.T = 5;
  options.d = d;
  options.tok = options.out = options.wv2 = {Init::orthonormal, {}};
  FiniteModel model = make_model(options, 3);
  model.frozen.tok.row(4) = model.frozen.tok.row(1);
  model.frozen.out.row(4) = model.frozen.out.row(1);
  // W_O2 W_V2 = sum_k w_U(k) w_E(k)^T: perfect but for the pair, which cannot be told apart.
  model.trained.wo2 = model.frozen.out.transpose() * model.frozen.tok * model.frozen.wv2.transpose();
  const Probe probe = recall_wo2(model);
  CHECK(probe.ties == 2);
  CHECK(probe.value == Approx((4 + 2 * 0.5) / 6));
}

TEST_CASE("R(W_K2) reads w_1 = W_O1 W_V1 w_E with general rotations") {
  ModelOptions options;
  options.N = 6;
  options.T = 5;
  options.d = 20;
  options.tok = options.wv1 = options.wo1 = {Init::orthonormal, {}};
  FiniteModel model = make_model(options, 4);
  model.trained.wk2 = model.frozen.tok.transpose() * model.remapped_tokens();  // sum_k w_E(k) w_1(k)^T
  const Probe probe = recall_wk2(model);
  CHECK(probe.value == 1);
  CHECK(probe.margin == Approx(1).epsilon(1e-13));  // orthonormal: 1 on the diagonal, 0 off it
}

TEST_CASE("weights that are not numbers are not recall") {
  FiniteModel model = planted();
  model.trained.wo2.setConstant(std::nan(""));
  model.trained.wk1.setConstant(HUGE_VAL);
  CHECK(recall_wo2(model).value == 0);
  CHECK(recall_wk1(model, T, false).value == 0);
}

TEST_CASE("empty probes are flagged, not NaN") {
  const Probe none = recall_wk1(planted(), 1, true);
  CHECK(none.empty());
  CHECK(none.value == 0);
  CHECK_THROWS_AS(recall_wk1(planted(), 0, true), HypothesisError);
  const Evaluation evaluation = evaluate(planted(), {{{0, 1, 2}, {}}, {{2, 2}, {}}});
  CHECK(evaluation.accuracy.empty());
  CHECK(evaluation.loss_sum == 0);
  CHECK(evaluation.mean_loss() == 0);
  CHECK(evaluation.accuracy.margin == 0);
  CHECK(evaluate(planted(), {}).accuracy.empty());
}

TEST_CASE("KL to the bigram law by hand, with zero probabilities and excluded tokens") {
  FiniteModel model = coordinate_model(3, 4);
  const Coordinates at{3, 4};
  Matrix law(3, 3);
  law << 0.25, 0.75, 0, 1, 0, 0, 0.2, 0.3, 0.5;
  model.trained.wf(output_coordinate(model, 1), at.at(Block::E, 0)) = std::log(3.0);  // row 0: (1, 3, 1)/5
  model.trained.wf(output_coordinate(model, 0), at.at(Block::E, 1)) = std::log(2.0);  // row 1: (2, 1, 1)/4
  const double row0 = 0.25 * std::log(0.25 * 5) + 0.75 * std::log(0.75 * 5 / 3);
  const double row1 = std::log(2.0);
  const double row2 = 0.2 * std::log(0.6) + 0.3 * std::log(0.9) + 0.5 * std::log(1.5);
  const double flat0 = 0.25 * std::log(0.75) + 0.75 * std::log(2.25), flat1 = std::log(3.0);
  const Probe all = bigram_kl(model, law);
  CHECK(all.value == Approx((row0 + row1 + row2) / 3).epsilon(1e-14));
  CHECK(all.chance == Approx((flat0 + flat1 + row2) / 3).epsilon(1e-14));
  CHECK(all.margin == Approx((flat0 - row0 + flat1 - row1) / 3).epsilon(1e-13));
  CHECK(all.rows == 3);
  const Probe some = bigram_kl(model, law, {2, 0});
  CHECK(some.value == Approx(row1).epsilon(1e-14));
  CHECK(some.rows == 1);
  CHECK(bigram_kl(model, law, {0, 1, 2}).empty());
  CHECK_THROWS_AS(bigram_kl(model, law, {3}), HypothesisError);
  law(1, 0) = 0.9;
  CHECK_THROWS_AS(bigram_kl(model, law), HypothesisError);
}

TEST_CASE("KL stays finite at logits of 700, and is 0 when the law is met") {
  FiniteModel model = coordinate_model(2, 4);
  const Coordinates at{2, 4};
  model.trained.wf(output_coordinate(model, 0), at.at(Block::E, 0)) = 700;
  model.trained.wf(output_coordinate(model, 1), at.at(Block::E, 0)) = -700;
  const Matrix swapped = (Matrix(2, 2) << 0, 1, 0.5, 0.5).finished();
  CHECK(bigram_kl(model, swapped).value == Approx(700).epsilon(1e-14));  // (1400 + 0) / 2
  const Matrix met = (Matrix(2, 2) << 1, 0, 0.5, 0.5).finished();
  CHECK(std::abs(bigram_kl(model, met).value) <= 1e-15);
}

TEST_CASE("the bigram law of counts: rows are successors, a token without one has the unigram law") {
  BigramCounts counts;
  counts.bytes = {'a', 'b', 'c'};
  counts.unigram = {3, 2, 1};  // "abaabc": ab, ba, aa, ab, bc
  counts.bigram = {1, 2, 0, 1, 0, 1, 0, 0, 0};
  const Matrix law = bigram_law(counts);
  const Matrix expected = (Matrix(3, 3) << 1.0 / 3, 2.0 / 3, 0, 0.5, 0, 0.5, 0.5, 1.0 / 3, 1.0 / 6).finished();
  CHECK((law - expected).cwiseAbs().maxCoeff() <= 1e-16);
}

TEST_CASE("in-context accuracy counts loss positions, ties as shares") {
  FiniteModel model = coordinate_model(N, T);
  const std::vector<Example> examples = {
      {{3, 4, 1, 2, 0, 2, 4}, {{6, 1}, {5, 0}}}, {{0, 1, 2}, {}}, {{3, 1, 2, 1}, {{3, 2}}}};
  const Evaluation zero = evaluate(model, examples);
  check(zero.accuracy, zero.accuracy.chance, 1.0 / N, 0, 3, 3);
  CHECK(zero.mean_loss() == Approx(std::log(static_cast<double>(N))).epsilon(1e-15));
  plant_memories(model, 3, 200, 200);
  const Evaluation head = evaluate(model, examples);
  check(head.accuracy, 1, 1.0 / N, 3, 0, 3);
  CHECK(head.loss_sum == Approx(3 * (std::log(std::exp(3.0) + N - 1) - 3)).epsilon(1e-14));
  // A trigger at position 1 ties with its output (it has no predecessor): half a success.
  const Evaluation tie = evaluate(model, {{{4, 1, 2, 4}, {{3, 1}}}});
  check(tie.accuracy, 0.5, 1.0 / N, 0, 1, 1);
}

TEST_CASE("evaluation has the same bits with 1, 2 and 7 threads") {
  const FiniteModel model = generic_model(5, 6, 7, 41);
  std::vector<Example> examples;
  for (int i = 0; i < 100; ++i) examples.push_back({{i % 5, (i / 5) % 5, (3 * i) % 5, 1}, {{1 + i % 3, (2 * i) % 5}}});
  const int before = omp_get_max_threads();
  std::vector<Evaluation> results;
  for (const int threads : {1, 2, 7}) {
    omp_set_num_threads(threads);
    results.push_back(evaluate(model, examples));
  }
  omp_set_num_threads(before);
  CHECK(results[0].accuracy.rows == 100);
  for (const Evaluation& other : results) {
    CHECK(other.loss_sum == results[0].loss_sum);
    CHECK(other.accuracy.value == results[0].accuracy.value);
    CHECK(other.accuracy.margin == results[0].accuracy.margin);
  }
}
