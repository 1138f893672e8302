// The orbits engine against the enumeration of every sequence, which knows nothing of classes or invariance.
#include "numerics/orbit_population.hpp"

#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "core/philox.hpp"
#include "numerics/block_summary.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/scalar.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

void fill(InvariantBlock<double>& block, Stream& stream, double scale) {
  block.diag = scale * stream.normal();
  block.off = scale * stream.normal();
  for (double& x : block.entries) x = scale * stream.normal();
}

InvariantMaps<double> random_maps(int N, int T, std::uint64_t seed, double scale) {
  InvariantMaps<double> maps(N, T);
  Stream stream(seed, Purpose::test, 0);
  for (auto& block : maps.wo) fill(block, stream, scale);
  for (auto& block : maps.wk2) fill(block, stream, scale);
  for (auto& block : maps.wk1) fill(block, stream, scale);
  return maps;
}

// Largest difference over all entries of all maps, relative to the largest entry of the same map.
double relative_difference(const IdealMaps<double>& a, const IdealMaps<double>& b) {
  const auto of = [](const std::vector<double>& x, const std::vector<double>& y) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      difference = std::max(difference, std::abs(x[i] - y[i]));
      size = std::max(size, std::abs(x[i]));
    }
    return difference / size;
  };
  return std::max({of(a.wo, b.wo), of(a.wk2, b.wk2), of(a.wk1, b.wk1)});
}

}  // namespace

TEST_CASE("orbits agree with the enumeration, every entry of every map, at random parameters and full softmax") {
  for (const auto& [N, T] : std::vector<std::pair<int, int>>{{2, 5}, {3, 5}, {5, 5}, {4, 6}})
    for (const Background background : {Background::any, Background::avoid})
      for (const Query query : {Query::last, Query::any}) {
        const MinimalTask task{N, T, background, query, {}};
        const InvariantMaps<double> maps = random_maps(N, T, 3, 0.7);
        const IdealMaps<double> all = expand(maps);
        const double difference =
            relative_difference(population_descent(task, all, {}), expand(orbit_descent(task, maps)));
        INFO(task.describe() << ": relative difference " << difference);
        CHECK(difference < 1e-12);
        CHECK(std::abs(orbit_loss(task, maps).loss - population_loss(task, all)) < 1e-12);
      }
}

TEST_CASE("orbits see a change of any one parameter block that acts, as the enumeration does") {
  const MinimalTask task{3, 5, Background::any, Query::any, {}};
  const InvariantMaps<double> base = random_maps(3, 5, 4, 0.5);
  const IdealMaps<double> before = expand(orbit_descent(task, base));
  int moved = 0;
  for (std::size_t which = 0; which < 24; ++which) {
    InvariantMaps<double> maps = base;
    InvariantBlock<double>& block = which < 4 ? maps.wo[which] : which < 20 ? maps.wk2[which - 4] : maps.wk1[which - 20];
    block.diag += 0.3;
    if (!block.entries.empty()) block.entries.back() += 0.3;  // the last position, whose query counts
    const IdealMaps<double> orbits = expand(orbit_descent(task, maps));
    INFO("block " << which);
    CHECK(relative_difference(population_descent(task, expand(maps), {}), orbits) < 1e-12);
    if (relative_difference(before, orbits) > 1e-6) ++moved;
  }
  // (U,P) and (U,S) shift all logits alike; a token key's constant and a position query of a token key cancel in the softmax.
  CHECK(moved == 24 - 2 - 4 - 1);
}

TEST_CASE("orbits in rationals and series reproduce the enumerated coefficients exactly") {
  using Jet = PowerSeries<Rational, 2>;
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  InvariantMaps<Rational> zero(4, 6);
  const InvariantMaps<Rational> first = orbit_descent(task, zero, {true, false, false});
  CHECK(first.u(Block::E).contrast() == Rational(1, 24));
  InvariantMaps<Jet> maps(4, 6);
  maps.u(Block::E).diag = Jet::monomial(Rational(1), 1);  // alpha W_O*
  CHECK(orbit_descent(task, maps).k2(Block::E, Block::R).diag[1] == Rational(25, 9216));
  for (const Block block : all_blocks) {  // the actual full first step
    maps.u(block).diag = Jet::monomial(first.u(block).diag, 1);
    maps.u(block).off = Jet::monomial(first.u(block).off, 1);
  }
  const InvariantMaps<Jet> second = orbit_descent(task, maps);
  CHECK(second.k2(Block::E, Block::R).diag[1] == Rational("1350193/9555148800"));
  const IdealMaps<Jet> enumerated = population_descent(task, expand(maps), {});
  const IdealMaps<Jet> orbits = expand(second);
  for (std::size_t i = 0; i < enumerated.wk2.size(); ++i) CHECK(enumerated.wk2[i] == orbits.wk2[i]);
  for (std::size_t i = 0; i < enumerated.wk1.size(); ++i) CHECK(enumerated.wk1[i] == orbits.wk1[i]);
}

TEST_CASE("the loss and accuracy of orbits: chance at zero, all right with the whole head") {
  const MinimalTask task{5, 7, Background::avoid, Query::last, {}};
  const InvariantLoss chance = orbit_loss(task, InvariantMaps<double>(5, 7));
  CHECK(chance.loss == Approx(std::log(5.0)));
  CHECK(chance.accuracy == Approx(0.2));
  InvariantMaps<double> head(5, 7);
  head.add(30, invariant_memories<double>(5, 7));
  const InvariantLoss trained = orbit_loss(task, head);
  CHECK(trained.loss < 0.5);
  // A first trigger at position 1 is its own predecessor: it answers with itself, a little stronger than position 2 does.
  CHECK(trained.accuracy == Approx(1 - (1 - 1.0 / 5) / (7 - 2)));
  // All tokens occur: none is left to tie with.
  CHECK(orbit_loss({2, 4, Background::any, Query::last, {}}, InvariantMaps<double>(2, 4)).accuracy == Approx(0.5));
}

TEST_CASE("orbits refuse weighted labels, other sizes and long sequences") {
  const InvariantMaps<double> maps(3, 5);
  CHECK_THROWS_AS(orbit_descent({3, 5, Background::any, Query::last, {1, 2, 3}}, maps), HypothesisError);
  CHECK_THROWS_AS(orbit_descent({4, 5, Background::any, Query::last, {}}, maps), HypothesisError);
  CHECK_THROWS_AS(orbit_descent({3, 15, Background::any, Query::last, {}}, InvariantMaps<double>(3, 15)), InputError);
}
