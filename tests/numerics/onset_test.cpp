#include "numerics/onset.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/onset_expansion.hpp"
#include "numerics/scalar.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// The same recursion on all entries of all maps, by enumeration of every sequence.
std::vector<IdealMaps<Rational>> by_enumeration(const MinimalTask& task, int order) {
  using Series = PowerSeries<Rational, 2>;
  IdealMaps<Series> theta(task.N, task.T);
  std::vector<IdealMaps<Rational>> c(1, IdealMaps<Rational>(task.N, task.T));
  for (int k = 0; k < order; ++k) {
    const IdealMaps<Series> descent = population_descent(task, theta, {});
    IdealMaps<Rational> next(task.N, task.T);
    const auto take = [&](const std::vector<Series>& from, std::vector<Rational>& into, std::vector<Series>& back) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        into[i] = from[i][k] / (k + 1);
        if (k + 1 <= 2) back[i][k + 1] = into[i];
      }
    };
    take(descent.wo, next.wo, theta.wo);
    take(descent.wk2, next.wk2, theta.wk2);
    take(descent.wk1, next.wk1, theta.wk1);
    c.push_back(next);
  }
  return c;
}

}  // namespace

TEST_CASE("the Taylor coefficients of the flow agree with those by enumeration of every sequence, every entry of every map") {
  for (const MinimalTask& task : {MinimalTask{2, 5, Background::any, Query::last, {}}, MinimalTask{3, 4, Background::avoid, Query::last, {}},
                                  MinimalTask{2, 5, Background::avoid, Query::any, {}}}) {
    const auto orbits = onset_coefficients(task, FlowRule{}, 3);
    const auto all = by_enumeration(task, 3);
    for (std::size_t k = 0; k <= 3; ++k) {
      const IdealMaps<Rational> expanded = expand(orbits[k]);
      INFO(task.describe() << " order " << k);
      CHECK(expanded.wo == all[k].wo);
      CHECK(expanded.wk2 == all[k].wk2);
      CHECK(expanded.wk1 == all[k].wk1);
    }
  }
}

TEST_CASE("terms in doubles enclose the exact coefficients, and the later ones make the flow's curve") {
  for (const Blocks blocks : {Blocks::full, Blocks::isolated}) {
    const MinimalTask task{3, 5, Background::avoid, Query::last, {}};
    FlowRule rule;
    rule.blocks = blocks;
    const auto exact = onset_coefficients(task, rule, 4);
    const auto terms = onset_terms(task, rule, highest_onset_term);
    REQUIRE(terms.size() == 11);
    const auto check = [](const Rational& right, const RunningError& found) {
      CHECK(std::abs(to_double(right) - found.value) <= found.error + 1e-16 * std::abs(found.value));
      CHECK(found.error <= 1e-10 * (1e-3 + std::abs(found.value)));
    };
    for (std::size_t k = 1; k <= 4; ++k) {
      check(exact[k].u(Block::E).diag, terms[k].u(Block::E).diag);
      check(exact[k].k2(Block::E, Block::R).off, terms[k].k2(Block::E, Block::R).off);
      for (std::size_t i = 0; i < 25; ++i) check(exact[k].k1(Block::P, Block::P).entries[i], terms[k].k1(Block::P, Block::P).entries[i]);
    }
    // Runge-Kutta knows nothing of the terms; its own error falls 16-fold with half the step.
    const auto at = [&](double h, double t) {
      InvariantMaps<double> maps(3, 5);
      for (int i = 0; i < std::lround(t / h); ++i) maps = runge_kutta_step(task, rule, maps, h);
      return position_signal(maps.k1(Block::P, Block::P), 5, 4);
    };
    const int k = blocks == Blocks::full ? 3 : 4;
    std::vector<RunningError> signal;
    for (const auto& term : terms) signal.push_back(position_signal(term.k1(Block::P, Block::P), 5, 4));
    const OnsetRatio ratio(signal, k);
    for (const double t : {0.5, 1.0, 2.0}) {
      const double coarse = at(t / 16, t), fine = at(t / 32, t), scale = signal[static_cast<std::size_t>(k)].value * std::pow(t, k);
      INFO(name(blocks) << " t = " << t << ": " << fine / scale << " against " << ratio.value(t) << " +- " << ratio.error(t));
      CHECK(std::abs(fine / scale - ratio.value(t)) <= ratio.error(t) + std::abs((fine - coarse) / scale) + 1e-12);
      CHECK(std::abs(ratio.value(t) - 1) > 10 * ratio.error(t));
    }
  }
}

TEST_CASE("a ratio needs a first coefficient and three later ones, and knows where its terms do not fall") {
  std::vector<RunningError> c = {0, 2, 1, 0.5, 0.25, 0.125};  // 2t/(1 - t/2)
  const OnsetRatio ratio(c, 1);
  CHECK(ratio.value(0.5) == Approx(1.332).margin(2e-3));
  CHECK(std::abs(ratio.value(0.5) - 1 / 0.75) <= ratio.error(0.5));
  CHECK(std::isinf(ratio.error(2.5)));
  CHECK_THROWS_AS(OnsetRatio(c, 3), HypothesisError);
  c[1] = RunningError(1e-3, 1e-2);
  CHECK_THROWS_AS(OnsetRatio(c, 1), HypothesisError);
}

TEST_CASE("first coefficients at (4,6), avoid") {
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  // (U,E) 1/24 and the two ER numbers are those of T3.step1 and T3.step2, found by independent brute force: 25/9216 per alpha and
  // 1350193/9555148800 per eta1, as contrasts 4/3 of them, integrated.
  const auto full = onset_coefficients(task, FlowRule{}, 2);
  CHECK(full[1].u(Block::E).contrast() == Rational(1) / 24);
  CHECK(full[2].k2(Block::E, Block::R).diag == Rational(1350193) / 9555148800 / 2);
  FlowRule isolated;
  isolated.blocks = Blocks::isolated;
  CHECK(onset_coefficients(task, isolated, 2)[2].k2(Block::E, Block::R).diag == Rational(25) / 221184 / 2);
}

TEST_CASE("the signal of a row is its entry at t-1 minus the mean of the entries before, position 1 left out") {
  InvariantBlock<Rational> block;
  block.entries.assign(36, Rational(0));
  const auto set = [&](int t, int s, int x) { block.entries[static_cast<std::size_t>((t - 1) * 6 + s - 1)] = x; };
  set(5, 1, 100);
  set(5, 2, 3);
  set(5, 3, 5);
  set(5, 4, 11);
  set(5, 5, 1000);
  CHECK(position_signal(block, 6, 5) == 7);
  CHECK_THROWS_AS(position_signal(block, 6, 6), HypothesisError);
  CHECK_THROWS_AS(position_signal(block, 6, 3), HypothesisError);
  CHECK_THROWS_AS(onset_coefficients({4, 6, Background::any, Query::last, {}}, FlowRule{}, 5), HypothesisError);
}
