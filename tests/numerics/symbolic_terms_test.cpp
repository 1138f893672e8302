// Coefficients as functions of N: against sums over orbits at N that were not used, and against their bounds.
#include "numerics/symbolic_terms.hpp"

#include "core/errors.hpp"
#include "numerics/moment_terms.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

MinimalTask task_of(int N, int T, Background background, Query query = Query::last) { return {N, T, background, query, {}}; }

TermsAt leading(Handoff handoff, Blocks blocks, int stage) {
  return [=](const MinimalTask& task) { return stage_terms(task, handoff, blocks, stage); };
}
TermsAt taylor(Handoff handoff, Blocks blocks, int stage, int degree) {
  return [=](const MinimalTask& task) { return taylor_terms(task, handoff, blocks, stage, degree); };
}

std::vector<SymbolicTerm> leading_functions(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
  return symbolic_terms(task, handoff, stage, leading_monomials(handoff, stage), leading(handoff, blocks, stage));
}

// each(function, the number that it should be at N, entries of the block: 0 token-token).
template <class Each>
void with_entries(const SymbolicTerm& term, const StageTerm& at, const Each& each) {
  const auto visit = [&](const auto& functions, const auto& numbers) {
    for (std::size_t b = 0; b < functions.size(); ++b) {
      const std::size_t entries = functions[b].entries.size();
      each(functions[b].diag, numbers[b].diag, entries);
      each(functions[b].off, numbers[b].off, entries);
      for (std::size_t i = 0; i < entries; ++i) each(functions[b].entries[i], numbers[b].entries[i], entries);
    }
  };
  visit(term.descent.wo, at.descent.wo);
  visit(term.descent.wk2, at.descent.wk2);
  visit(term.descent.wk1, at.descent.wk1);
}

// Entries that are not what the terms say at this N.
int wrong(const std::vector<SymbolicTerm>& functions, const std::vector<StageTerm>& at, int N) {
  REQUIRE(functions.size() == at.size());
  int count = 0;
  for (std::size_t k = 0; k < at.size(); ++k) {
    CHECK(functions[k].monomial == at[k].monomial);
    with_entries(functions[k], at[k], [&](const RationalFunction& function, const Rational& value, std::size_t) {
      count += function.at(Rational(N)) != value;
    });
  }
  return count;
}

}  // namespace

TEST_CASE("leading terms as functions of N are those of the sums at N that did not determine them") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (int stage = 1; stage <= 3; ++stage)
        for (const Handoff handoff : {Handoff::ideal, Handoff::actual})
          for (const Blocks blocks : {Blocks::isolated, Blocks::full}) {
            if (handoff == Handoff::ideal && blocks == Blocks::isolated) continue;
            // 5 s more, and the lengths are averaged at stage 2 as they are at stage 3.
            if (stage == 3 && handoff == Handoff::actual && query == Query::any) continue;
            const int T = query == Query::last ? 4 : 5;
            const MinimalTask task = task_of(4, T, background, query);
            INFO(task.describe() << " " << name(handoff) << " " << name(blocks) << " stage " << stage);
            const std::vector<SymbolicTerm> functions = leading_functions(task, handoff, blocks, stage);
            const int N = 65;
            const std::vector<StageTerm> at = stage_terms(task_of(N, T, background, query), handoff, blocks, stage);
            CHECK(wrong(functions, at, N) == 0);
            CHECK(wrong(functions, at, N + 1) > 0);
          }
}

TEST_CASE("Taylor coefficients as functions of N are those of the sums at N that did not determine them") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Handoff handoff : {Handoff::ideal, Handoff::actual}) {
      const int degree = handoff == Handoff::ideal ? 3 : 4;
      for (int stage = 2; stage <= 3; ++stage) {
        const MinimalTask task = task_of(4, 4, background);
        INFO(task.describe() << " " << name(handoff) << " stage " << stage);
        const TermsAt terms = taylor(handoff, Blocks::full, stage, degree);
        const auto functions = symbolic_terms(task, handoff, stage, taylor_monomials(handoff, stage, degree), terms);
        CHECK(wrong(functions, terms(task_of(47, 4, background)), 47) == 0);
      }
    }
}

TEST_CASE("poles and degrees of the functions of N keep to the bounds that determine them") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Handoff handoff : {Handoff::ideal, Handoff::actual})
      for (int stage = 1; stage <= 3; ++stage) {
        const MinimalTask task = task_of(4, 5, background);
        const std::vector<Monomial> monomials = leading_monomials(handoff, stage);
        const auto functions = leading_functions(task, handoff, Blocks::full, stage);
        const auto at = stage_terms(task, handoff, Blocks::full, stage);
        INFO(task.describe() << " " << name(handoff) << " stage " << stage);
        for (std::size_t k = 0; k < functions.size(); ++k) {
          const NumeratorBound bound = numerator_bound(task, handoff, stage, monomials[k]);
          with_entries(functions[k], at[k], [&](const RationalFunction& f, const Rational&, std::size_t entries) {
            if (is_zero(f)) return;
            const int divided = entries == 25 ? 0 : 1, off = entries == 0 ? 1 : 0;
            CHECK(f.pole_at_zero() <= bound.at_zero + divided);
            CHECK(f.pole_at_one() <= bound.at_one + off);
            CHECK(f.degree() <= bound.degree - bound.at_zero - bound.at_one - divided);
          });
        }
      }
}

TEST_CASE("the memory block of step 2 as a function of N, at T = 6") {
  const auto diag = [](Handoff handoff, Blocks blocks, Background background) {
    return to_string(
        leading_functions(task_of(4, 6, background), handoff, blocks, 2).front().descent.k2(Block::E, Block::R).diag);
  };
  // 25/9216 and 25/221184 at N = 4
  CHECK(diag(Handoff::ideal, Blocks::full, Background::avoid) == "(94*N-1)/(8640*N^2)");
  CHECK(diag(Handoff::actual, Blocks::isolated, Background::avoid) == "(94*N-1)/(51840*N^3)");
}

TEST_CASE("functions of N from moments are those from orbits, and moments carry them to lengths beyond") {
  for (const Background background : {Background::any, Background::avoid}) {
    const MinimalTask task = task_of(4, 6, background);
    const TermsAt moments = [](const MinimalTask& at) { return moment_terms(at, Handoff::ideal, Blocks::full, 3); };
    const auto a = symbolic_terms(task, Handoff::ideal, 3, leading_monomials(Handoff::ideal, 3), moments);
    const auto b = leading_functions(task, Handoff::ideal, Blocks::full, 3);
    for (std::size_t k = 0; k < a.size(); ++k)
      for (std::size_t block = 0; block < 4; ++block) {
        CHECK(a[k].descent.wk1[block].diag == b[k].descent.wk1[block].diag);
        CHECK(a[k].descent.wk1[block].entries == b[k].descent.wk1[block].entries);
      }
  }
}

TEST_CASE("one value that is off at any N, used or checked, is noticed") {
  const MinimalTask task = task_of(4, 5, Background::avoid);
  const std::vector<Monomial> monomials = leading_monomials(Handoff::ideal, 2);
  const std::vector<int> sizes = symbolic_sizes(task, Handoff::ideal, 2, monomials);
  CHECK(static_cast<int>(sizes.size()) == numerator_bound(task, Handoff::ideal, 2, monomials.front()).degree + 3);
  for (const int bad : sizes) {
    const TermsAt terms = [&](const MinimalTask& at) {
      std::vector<StageTerm> result = stage_terms(at, Handoff::ideal, Blocks::full, 2);
      if (at.N == bad) result.front().descent.k2(Block::E, Block::P).entries[1] += Rational(1, 1000000000);
      return result;
    };
    CHECK_THROWS_AS(symbolic_terms(task, Handoff::ideal, 2, monomials, terms), HypothesisError);
  }
  const TermsAt fewer = [](const MinimalTask& at) { return stage_terms(at, Handoff::ideal, Blocks::full, 2); };
  CHECK_THROWS_AS(symbolic_terms(task, Handoff::ideal, 3, leading_monomials(Handoff::ideal, 3), fewer), HypothesisError);
}
