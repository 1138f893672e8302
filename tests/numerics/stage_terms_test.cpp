// Golden values: enumeration of every sequence in exact arithmetic, in a separate program.
#include "numerics/stage_terms.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "numerics/orbit_population.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

const MinimalTask small{4, 6, Background::avoid, Query::last, {}};

Rational memory(const InvariantMaps<Rational>& maps) { return maps.k2(Block::E, Block::R).diag; }
Rational position(const InvariantMaps<Rational>& maps, int t, int s) {  // 1-based
  return maps.k1(Block::P, Block::P).entries[static_cast<std::size_t>((t - 1) * maps.T + s - 1)];
}

double size(const InvariantMaps<double>& maps) {
  double largest = 0;
  for (const auto& block : maps.wk1) {
    largest = std::max({largest, std::abs(block.diag), std::abs(block.off)});
    for (const double x : block.entries) largest = std::max(largest, std::abs(x));
  }
  return largest;
}

}  // namespace

TEST_CASE("stage 2: the memory block for each hand-off, as enumerated") {
  CHECK(memory(stage_terms(small, Handoff::ideal, Blocks::full, 2)[0].descent) == Rational(25, 9216));
  CHECK(memory(stage_terms(small, Handoff::actual, Blocks::isolated, 2)[0].descent) == Rational(25, 221184));
  CHECK(memory(stage_terms(small, Handoff::actual, Blocks::full, 2)[0].descent) == Rational("1350193/9555148800"));
}

TEST_CASE("stage 3: ideal hand-off, rows 2 and 3 of (P,P) as enumerated, and no term in alpha alone") {
  const auto terms = stage_terms(small, Handoff::ideal, Blocks::full, 3);
  REQUIRE(terms.size() == 2);
  CHECK(terms[0].monomial == "alpha");
  CHECK(terms[1].monomial == "alpha*beta");
  const InvariantMaps<Rational>& first = terms[0].descent;
  for (int t = 1; t <= 6; ++t)
    for (int s = 1; s <= t; ++s) CHECK(position(first, t, s) == 0);
  const InvariantMaps<Rational>& mixed = terms[1].descent;
  CHECK(position(mixed, 2, 1) == Rational(5, 768));
  CHECK(position(mixed, 2, 2) == Rational(-5, 768));
  CHECK(position(mixed, 3, 1) == Rational(-1, 288));
  CHECK(position(mixed, 3, 2) == Rational(1, 192));
  CHECK(position(mixed, 3, 3) == Rational(-1, 576));
}

TEST_CASE("stage 3: with the actual full hand-off the first order has row 3 proportional to (-2, 1, 1)") {
  const auto terms = stage_terms(small, Handoff::actual, Blocks::full, 3);
  REQUIRE(terms.size() == 3);
  CHECK(terms[0].monomial == "eta1");
  CHECK(terms[1].monomial == "eta1^2");
  CHECK(terms[2].monomial == "eta1^2*eta2");
  const InvariantMaps<Rational>& first = terms[0].descent;
  CHECK(position(first, 3, 2) > 0);
  CHECK(position(first, 3, 1) == -2 * position(first, 3, 2));
  CHECK(position(first, 3, 3) == position(first, 3, 2));
  // Isolated: no R block of W_O, so nothing before the key path.
  const auto isolated = stage_terms(small, Handoff::actual, Blocks::isolated, 3);
  CHECK(position(isolated[0].descent, 3, 2) == 0);
  CHECK(position(isolated[1].descent, 3, 2) == 0);
  CHECK(position(isolated[2].descent, 3, 2) != 0);
}

TEST_CASE("the leading terms are what the full softmax tends to: the rest shrinks with the next power of the sizes") {
  for (const Blocks blocks : {Blocks::isolated, Blocks::full}) {
    const auto terms = stage_terms(small, Handoff::actual, blocks, 3);
    const auto rest = [&](double h) {
      const StageSizes sizes{h, 2, 0};
      InvariantMaps<double> full =
          orbit_descent(small, stage_start(small, Handoff::actual, blocks, 3, sizes), {false, false, true});
      const double factors[] = {h, h * h, h * h * sizes.second};
      for (std::size_t i = 0; i < terms.size(); ++i) {
        InvariantMaps<double> term(4, 6);
        for (std::size_t b = 0; b < 4; ++b) {
          term.wk1[b].diag = to_double(terms[i].descent.wk1[b].diag);
          term.wk1[b].off = to_double(terms[i].descent.wk1[b].off);
          for (std::size_t j = 0; j < term.wk1[b].entries.size(); ++j)
            term.wk1[b].entries[j] = to_double(terms[i].descent.wk1[b].entries[j]);
        }
        full.add(-factors[i], term);
      }
      return size(full);
    };
    const double at = rest(0.2), half = rest(0.1);
    INFO("rest " << at << " and " << half);
    CHECK(at > 1e-13);  // far above roundoff
    CHECK(at / half > 7);  // h^3
    CHECK(at / half < 9);
  }
}

TEST_CASE("stage starts: zero, the memories, or the steps, and only the memory blocks when isolated") {
  CHECK(stage_start(small, Handoff::ideal, Blocks::full, 1, {}).u(Block::E).diag == 0);
  const auto ideal = stage_start(small, Handoff::ideal, Blocks::full, 4, {2, 3, 5});
  CHECK(ideal.u(Block::E).contrast() == 2);
  CHECK(ideal.k2(Block::E, Block::R).contrast() == 3);
  CHECK(ideal.k1(Block::P, Block::P).entries[6] == 5);
  const auto isolated = stage_start(small, Handoff::actual, Blocks::isolated, 3, {24, 1, 0});
  CHECK(isolated.u(Block::E).contrast() == Approx(1));
  CHECK(isolated.u(Block::R).contrast() == 0);
  CHECK(isolated.k2(Block::R, Block::R).contrast() == 0);
  CHECK(stage_start(small, Handoff::actual, Blocks::full, 3, {24, 1, 0}).u(Block::R).contrast() > 0);
  CHECK_THROWS_AS(stage_terms(small, Handoff::ideal, Blocks::full, 4), HypothesisError);
}
