// Coefficients as functions of N, from sums over orbits, are the closed forms of the theory at T = 4..8.
#include "core/errors.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/symbolic_terms.hpp"
#include "tests/catch.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/step2.hpp"
#include "theory/formulas/step3.hpp"

using namespace popgrad;

namespace {

std::vector<SymbolicTerm> functions_of(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
  // Orbits up to T = 5; beyond them the same numbers from moments, which other tests compare with orbits.
  const TermsAt terms = [&](const MinimalTask& at) {
    return at.T <= 5 ? stage_terms(at, handoff, blocks, stage) : moment_terms(at, handoff, blocks, stage);
  };
  return symbolic_terms(task, handoff, stage, leading_monomials(handoff, stage), terms);
}

// Two functions with poles at 0 and 1 alone are equal if they agree at more N than the numerator of their difference has
// roots: these bounds are those of the orbits and are met by the closed forms, whose denominators are N^a (N-1)^b too.
std::vector<int> enough_sizes(const RationalFunction& function) {
  std::vector<int> sizes;
  const int most = 12 + std::abs(function.degree()) + std::abs(function.pole_at_zero()) + std::abs(function.pole_at_one());
  for (int N = 2; N <= most; ++N) sizes.push_back(N);
  return sizes;
}

}  // namespace

TEST_CASE("step 1 as a function of N is its closed form, T = 4..8") {
  for (const Background background : {Background::any, Background::avoid})
    for (int T = 4; T <= 8; ++T) {
      const auto terms = functions_of({4, T, background, Query::last, {}}, Handoff::ideal, Blocks::full, 1);
      const InvariantMaps<RationalFunction>& maps = terms.front().descent;
      CHECK(to_string(maps.u(Block::E).diag) == "(N-1)/(" + std::to_string(T) + "*N^2)");
      CHECK(to_string(maps.u(Block::E).off) == "-1/(" + std::to_string(T) + "*N^2)");
      for (const int N : enough_sizes(maps.u(Block::R).diag)) {
        CHECK(maps.u(Block::R).diag.at(N) == step1_ur_diag().evaluate_exact({{"N", N}, {"T", T}}));
        CHECK(maps.u(Block::R).off.at(N) == step1_ur_off().evaluate_exact({{"N", N}, {"T", T}}));
      }
      for (const RationalFunction& entry : maps.u(Block::P).entries) CHECK(is_zero(entry));
    }
}

TEST_CASE("step 2 as a function of N is its closed form for every hand-off and background, T = 4..8", "[slow]") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (int T = 4; T <= 8; ++T)
        for (const Handoff handoff : {Handoff::ideal, Handoff::actual})
          for (const Blocks blocks : {Blocks::isolated, Blocks::full}) {
            const MinimalTask task{4, T, background, query, {}};
            INFO(task.describe() << " " << name(handoff) << " " << name(blocks));
            const auto terms = functions_of(task, handoff, blocks, 2);
            const InvariantBlock<RationalFunction>& block = terms.front().descent.k2(Block::E, Block::R);
            for (const int N : enough_sizes(block.diag))
              CHECK(block.diag.at(N) == step2_diag_exact({N, T, background, query, {}}, handoff, blocks));
            CHECK(block.off * RationalFunction({-1, 1}, 0, 0) == -block.diag);
            // Another hand-off's function is another one.
            if (handoff == Handoff::actual && blocks == Blocks::full)
              CHECK(block.diag.at(7) != step2_diag_exact({7, T, background, query, {}}, handoff, Blocks::isolated));
          }
}

TEST_CASE("step 3 as a function of N is its closed form, entry by entry, T = 4..8") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (int T = 4; T <= 8; ++T) {
        const auto terms = functions_of({4, T, background, query, {}}, Handoff::ideal, Blocks::full, 3);
        REQUIRE(terms.size() == 2);
        const std::vector<RationalFunction>& entries = terms.back().descent.k1(Block::P, Block::P).entries;
        int different = 0;
        for (int t = 0; t < T; ++t)
          for (int s = 0; s < T; ++s) {
            const RationalFunction& entry = entries[static_cast<std::size_t>(t * T + s)];
            for (int N = 2; N <= 10; ++N) different += entry.at(N) != step3_entry_exact({N, T, background, query, {}}, t, s);
          }
        INFO(name(background) << " " << name(query) << " T=" << T);
        CHECK(different == 0);
      }
}
