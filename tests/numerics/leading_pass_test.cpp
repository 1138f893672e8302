#include "numerics/leading_pass.hpp"

#include "core/errors.hpp"
#include "core/rational.hpp"
#include "numerics/stage_terms.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

template <std::size_t count>
int differences(const std::array<InvariantBlock<Rational>, count>& a, const std::array<InvariantBlock<Rational>, count>& b) {
  int different = 0;
  for (std::size_t i = 0; i < count; ++i) {
    different += a[i].diag != b[i].diag || a[i].off != b[i].off ? 1 : 0;
    for (std::size_t j = 0; j < a[i].entries.size(); ++j) different += a[i].entries[j] != b[i].entries[j] ? 1 : 0;
  }
  return different;
}

int differences(const InvariantMaps<Rational>& a, const InvariantMaps<Rational>& b) {
  return differences(a.wo, b.wo) + differences(a.wk2, b.wk2) + differences(a.wk1, b.wk1);
}

// What the stages before hand on at sizes 3 and 5, to lowest order in them.
InvariantMaps<Rational> handed_on(const MinimalTask& task, Handoff handoff, Blocks blocks) {
  InvariantMaps<Rational> at(task.N, task.T);
  const InvariantMaps<Rational> memories = invariant_memories<Rational>(task.N, task.T);
  for (int stage = 1; stage <= 2; ++stage) {
    const InvariantMaps<Rational> step =
        handoff == Handoff::ideal ? isolate(memories, stage) : stage_terms(task, handoff, blocks, stage).front().descent;
    at.add(stage == 1                  ? Rational(3)
           : handoff == Handoff::ideal ? Rational(5)
                                       : Rational(15),
           blocks == Blocks::isolated ? isolate(step, stage) : step);
  }
  return at;
}

}  // namespace

TEST_CASE("leading pass: its population mean is the sum of the exact terms of each stage, hand-off, background and query") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (const auto& [handoff, blocks] : std::vector<std::pair<Handoff, Blocks>>{
               {Handoff::ideal, Blocks::full}, {Handoff::actual, Blocks::isolated}, {Handoff::actual, Blocks::full}}) {
        const MinimalTask task{4, 5, background, query, {}};
        const InvariantMaps<Rational> at = handed_on(task, handoff, blocks);
        for (int stage = 1; stage <= 3; ++stage) {
          InvariantMaps<Rational> expected(task.N, task.T);
          for (const StageTerm& term : stage_terms(task, handoff, blocks, stage)) {
            const Rational size = term.monomial == "1"                                  ? 1
                                  : term.monomial == "alpha" || term.monomial == "eta1" ? 3
                                  : term.monomial == "eta1^2"                           ? 9
                                  : term.monomial == "alpha*beta"                       ? 15
                                                                                        : 45;  // eta1^2*eta2
            expected.add(size, term.descent);
          }
          const InvariantMaps<Rational> mean = leading_descent(task, at, stage);
          INFO(task.describe() << ", " << name(handoff) << ", " << name(blocks) << ", stage " << stage);
          CHECK(differences(mean, expected) == 0);
          CHECK(differences(mean, InvariantMaps<Rational>(task.N, task.T)) > 1);
        }
      }
}

TEST_CASE("leading pass: another size, and a term left out, are seen") {
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  InvariantMaps<Rational> at = handed_on(task, Handoff::actual, Blocks::full);
  const InvariantMaps<Rational> mean = leading_descent(task, at, 3);
  InvariantMaps<Rational> without_key = at;
  without_key.k2(Block::E, Block::R) = InvariantBlock<Rational>();
  CHECK(differences(leading_descent(task, without_key, 3), mean) > 5);
  at.u(Block::R).diag = at.u(Block::R).diag * Rational(11, 10);
  CHECK(differences(leading_descent(task, at, 3), mean) > 5);
  CHECK_THROWS_AS(leading_descent(task, at, 4), HypothesisError);
  CHECK_THROWS_AS(leading_descent(task, InvariantMaps<Rational>(4, 7), 2), HypothesisError);
}
