// Figures quoted from docs/theory.md were computed there by independent brute force in exact arithmetic.
#include "numerics/ideal_population.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tests/catch.hpp"
#include "core/philox.hpp"
#include "numerics/block_summary.hpp"
#include "numerics/ideal_scalars.hpp"

using namespace popgrad;

namespace {

using OneStep = RationalSeries1;
using TwoSteps = RationalSeries2;

Rational ratio(int p, int q) { return Rational(p) / Rational(q); }

// h_T = (T - H_{T-1} - 2/T) / (T - 2)
Rational h(int T) {
  Rational harmonic(0);
  for (int n = 1; n < T; ++n) harmonic += ratio(1, n);
  return (Rational(T) - harmonic - ratio(2, T)) / Rational(T - 2);
}

MinimalTask task(int N, int T, Background background, Query query = Query::last) { return {N, T, background, query, {}}; }

IdealMaps<Rational> step_one(const MinimalTask& task) {
  return population_descent(task, IdealMaps<Rational>(task.N, task.T), {true, false, false});
}

template <class S>
void scale_into(const std::vector<Rational>& from, std::vector<S>& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] = S::monomial(from[i], 1);
}

// W_O = step size x step_one, all of it or only its (U,E) block.
template <class S>
IdealMaps<S> after_step_one(const MinimalTask& task, bool isolated) {
  const IdealMaps<Rational> step = step_one(task);
  IdealMaps<S> maps(task.N, task.T);
  for (int k = 0; k < task.N; ++k)
    for (int j = 0; j < (isolated ? task.N : step.at.size()); ++j) maps.u(k, j) = S::monomial(step.u(k, j), 1);
  return maps;
}

IdealMaps<double> random_maps(int N, int T, std::uint64_t seed) {
  Stream stream(seed, Purpose::test, 0);
  IdealMaps<double> maps(N, T);
  for (std::vector<double>* map : {&maps.wo, &maps.wk2, &maps.wk1})
    for (double& entry : *map) entry = stream.normal();
  return maps;
}

void check_step_one(const IdealMaps<Rational>& step, const Rational& ue, const Rational& ur) {
  const auto blocks = summarize_wo(step);
  const Rational N(step.at.N);
  for (const auto& [name, scale] : {std::pair<const char*, Rational>{"U,E", ue}, {"U,R", ur}}) {
    const auto block = find_block(blocks, name);
    INFO(name);
    CHECK(block.invariant);
    CHECK(block.diag == scale * (Rational(1) - Rational(1) / N));
    CHECK(block.off == -scale / N);
  }
  for (const char* name : {"U,P", "U,S"})
    for (const Rational& entry : find_block(blocks, name).entries) CHECK(entry == 0);
  CHECK(step.wk2 == IdealMaps<Rational>(step.at.N, step.at.T).wk2);
}

}  // namespace

TEST_CASE("step 1: (U,E) = (delta - 1/N)/(NT), (U,R) = h_T (delta - 1/N)/(NT), nothing on positions", "[ideal_population]") {
  CHECK(h(6) == ratio(203, 240));  // (6 - 137/60 - 1/3) / 4
  for (const auto& [N, T] : {std::pair{3, 5}, std::pair{4, 6}, std::pair{2, 4}})
    for (const Background background : {Background::any, Background::avoid}) {
      INFO("N = " << N << ", T = " << T << ", " << name(background));
      check_step_one(step_one(task(N, T, background)), ratio(1, N * T), h(T) * ratio(1, N * T));
    }
  check_step_one(step_one(task(5, 6, Background::avoid)), ratio(1, 30), h(6) * ratio(1, 30));
}

TEST_CASE("step 1 with query = any is the average of its lengths", "[ideal_population]") {
  for (const Background background : {Background::any, Background::avoid}) {
    Rational ue(0), ur(0);
    for (int length = 4; length <= 6; ++length) {
      ue += ratio(1, 3 * length) / Rational(3);
      ur += h(length) * ratio(1, 3 * length) / Rational(3);
    }
    check_step_one(step_one(task(3, 6, background, Query::any)), ue, ur);
  }
}

TEST_CASE("step 1 with labels that are not uniform reaches positions: the control of the claim", "[ideal_population]") {
  MinimalTask uneven = task(3, 5, Background::any);
  uneven.output_weights = {3, 2, 1};
  const IdealMaps<Rational> step = step_one(uneven);
  // (U,P): E[(1{o=k} - 1/N)] / T = (p_k - 1/3)/5 at every position
  for (int k = 0; k < 3; ++k)
    for (int t = 0; t < 5; ++t) CHECK(step.u(k, step.at.at(Block::P, t)) == (ratio(3 - k, 6) - ratio(1, 3)) / Rational(5));
  CHECK_FALSE(find_block(summarize_wo(step), "U,P").invariant);
  uneven.output_weights = {1, 0, 0};  // a token that is never the output has weight zero, not a missing sequence
  CHECK(step_one(uneven).u(0, step.at.at(Block::P, 0)) == ratio(2, 15));
}

TEST_CASE("step 2 at (4,6), avoid: (E,R) from ideal, isolated and full hand-off", "[ideal_population]") {
  const MinimalTask minimal = task(4, 6, Background::avoid);
  IdealMaps<OneStep> ideal(4, 6);
  scale_into(ideal_memories<Rational>(4, 6).wo, ideal.wo);
  const std::vector<std::pair<IdealMaps<OneStep>, Rational>> handoffs = {
      {ideal, ratio(25, 9216)},
      {after_step_one<OneStep>(minimal, true), ratio(25, 221184)},
      {after_step_one<OneStep>(minimal, false), Rational(1350193) / Rational(9555148800LL)}};
  for (const auto& [maps, diag] : handoffs) {
    const auto blocks = summarize_wk2(population_descent(minimal, maps, {false, true, false}));
    const auto er = find_block(blocks, "E,R");
    CHECK(er.invariant);
    CHECK(er.diag[0] == 0);  // W_O = 0: the gate
    CHECK(er.diag[1] == diag);
    CHECK(er.off[1] == -diag / Rational(3));
  }
}

TEST_CASE("step 3 at (4,6), avoid: the alpha beta rows of (P,P), and nothing of order alpha", "[ideal_population]") {
  const MinimalTask minimal = task(4, 6, Background::avoid);
  IdealMaps<TwoSteps> maps(4, 6);  // alpha = beta = h: nothing is of order alpha^2 or beta^2, so h^2 is alpha beta
  const IdealMaps<Rational> memories = ideal_memories<Rational>(4, 6);
  scale_into(memories.wo, maps.wo);
  scale_into(memories.wk2, maps.wk2);
  const auto descent = population_descent(minimal, maps, {false, false, true});
  const auto blocks = summarize_wk1(descent);
  const auto pp = find_block(blocks, "P,P");
  const std::vector<Rational> row2 = {ratio(5, 768), ratio(-5, 768), 0, 0, 0, 0};
  const std::vector<Rational> row3 = {ratio(-1, 288), ratio(1, 192), ratio(-1, 576), 0, 0, 0};
  for (std::size_t s = 0; s < 6; ++s) {
    CHECK(pp.entries[6 + s][2] == row2[s]);
    CHECK(pp.entries[12 + s][2] == row3[s]);
    for (std::size_t t = 0; t < 6; ++t) CHECK(pp.entries[6 * t + s][1] == 0);
  }
}

TEST_CASE("step 3 with a full actual W_O has a term of order eta1 without preference for t-1", "[ideal_population]") {
  const MinimalTask minimal = task(4, 6, Background::avoid);
  const auto pp = [&](bool isolated) {
    const auto descent = population_descent(minimal, after_step_one<OneStep>(minimal, isolated), {false, false, true});
    return find_block(summarize_wk1(descent), "P,P").entries;
  };
  const auto full = pp(false);
  const Rational third = full[14][1];
  CHECK(third > 0);
  CHECK(full[12][1] == Rational(-2) * third);  // row 3 is proportional to (-2, 1, 1)
  CHECK(full[13][1] == third);
  for (const OneStep& entry : pp(true)) CHECK(is_zero(entry));
}

TEST_CASE("1, 2 and 7 threads give the same bits (pitfall 7)", "[ideal_population]") {
  const MinimalTask minimal = task(3, 6, Background::any, Query::any);  // 1308 sequences: several blocks
  const IdealMaps<double> maps = random_maps(3, 6, 4);
  const int before = omp_get_max_threads();
  std::vector<IdealMaps<double>> results;
  std::vector<double> losses;
  for (const int threads : {1, 2, 7}) {
    omp_set_num_threads(threads);
    results.push_back(population_descent(minimal, maps, {}));
    losses.push_back(population_loss(minimal, maps));
  }
  omp_set_num_threads(before);
  for (const auto& other : results) {
    CHECK(other.wo == results[0].wo);
    CHECK(other.wk2 == results[0].wk2);
    CHECK(other.wk1 == results[0].wk1);
  }
  CHECK(losses[1] == losses[0]);
  CHECK(losses[2] == losses[0]);
}

TEST_CASE("enumeration in doubles is the exact one within its bound, which is tight", "[ideal_population]") {
  const MinimalTask minimal = task(3, 5, Background::avoid);
  const IdealMaps<Rational> exact = step_one(minimal);
  const EnumeratedDescent doubles = enumerated_descent(minimal, IdealMaps<double>(3, 5), {true, false, false});
  double widest = 0;
  for (std::size_t i = 0; i < exact.wo.size(); ++i) {
    CHECK(to_double(abs(Rational(Rational(doubles.descent.wo[i]) - exact.wo[i]))) <= doubles.roundoff.wo[i]);
    widest = std::max(widest, doubles.roundoff.wo[i]);
  }
  CHECK(widest > 0);
  CHECK(widest < 1e-14);  // 360 sequences of weight 1/360 and entries below 1: about 400 roundings at most
  const EnumeratedDescent gate = enumerated_descent(minimal, IdealMaps<double>(3, 5), {});
  CHECK(gate.roundoff.wk2 == std::vector<double>(gate.roundoff.wk2.size(), 0.0));  // exact zeros stay exact

  const IdealMaps<double> maps = random_maps(3, 5, 9);
  CHECK(enumerated_descent(minimal, maps, {}).descent.wk1 == population_descent(minimal, maps, {}).wk1);
}

TEST_CASE("the loss is log N at zero, and the descent is minus its derivative", "[ideal_population]") {
  const MinimalTask minimal = task(3, 5, Background::avoid, Query::any);
  CHECK(population_loss(minimal, IdealMaps<double>(3, 5)) == Approx(std::log(3)).epsilon(1e-13));
  const IdealMaps<double> maps = random_maps(3, 5, 10), direction = random_maps(3, 5, 11);
  const IdealMaps<double> descent = population_descent(minimal, maps, {});
  double along = 0;
  for (const auto member : {&IdealMaps<double>::wo, &IdealMaps<double>::wk2, &IdealMaps<double>::wk1})
    for (std::size_t i = 0; i < (maps.*member).size(); ++i) along += (descent.*member)[i] * (direction.*member)[i];
  const double at_zero = population_loss(minimal, maps);
  const auto remainder = [&](double step, double slope) {
    IdealMaps<double> moved = maps;
    for (const auto member : {&IdealMaps<double>::wo, &IdealMaps<double>::wk2, &IdealMaps<double>::wk1})
      for (std::size_t i = 0; i < (maps.*member).size(); ++i) (moved.*member)[i] += step * (direction.*member)[i];
    return std::abs(population_loss(minimal, moved) - at_zero + step * slope);
  };
  const double step = 0x1p-14;
  CHECK(std::log2(remainder(2 * step, along) / remainder(step, along)) == Approx(2).margin(0.1));
  CHECK(std::log2(remainder(2 * step, 1.03 * along) / remainder(step, 1.03 * along)) == Approx(1).margin(0.1));
}

TEST_CASE("a task and maps of different size are refused", "[ideal_population]") {
  CHECK_THROWS_AS(population_descent(task(3, 5, Background::any), IdealMaps<double>(3, 6), {}), HypothesisError);
  CHECK_THROWS_AS(population_loss(task(3, 5, Background::any), IdealMaps<double>(4, 5)), HypothesisError);
  CHECK_THROWS_AS(population_descent(task(3, 3, Background::any), IdealMaps<double>(3, 3), {}), InputError);
}
