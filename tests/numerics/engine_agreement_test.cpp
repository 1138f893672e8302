// Leading order: the engines exact, enumerate and moments, each pair that reaches, with every switch, as rationals.
#include "tests/numerics/engine_agreement.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "numerics/moment_terms.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/stage_enumeration.hpp"
#include "numerics/stage_terms.hpp"
#include "tests/catch.hpp"

using namespace popgrad;
using namespace popgrad::agreement;

namespace {

struct Engine {
  std::string name;
  std::vector<EnumeratedTerm> terms;
};

std::vector<EnumeratedTerm> written_out(const std::vector<StageTerm>& terms) {
  std::vector<EnumeratedTerm> all;
  for (const StageTerm& term : terms) all.push_back({term.monomial, expand(term.descent)});
  return all;
}

bool moments_reach(const Switches& at) {
  return at.stage < 3 || at.handoff == Handoff::ideal || at.blocks == Blocks::isolated;
}

std::vector<Engine> engines(const Switches& at) {
  std::vector<Engine> list = {{"exact", written_out(stage_terms(at.task, at.handoff, at.blocks, at.stage))},
                              {"enumerate", enumerated_stage_terms(at.task, at.handoff, at.blocks, at.stage)}};
  if (moments_reach(at)) list.push_back({"moments", written_out(moment_terms(at.task, at.handoff, at.blocks, at.stage))});
  return list;
}

// Entries of the trained map in all terms; a term that another engine does not have counts as apart.
Count compare_terms(const Engine& a, const Engine& b, int stage) {
  if (a.terms.size() != b.terms.size()) return {0, 1};
  Count sum;
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    const Count count = compare(map_of(a.terms[i].descent, stage), map_of(b.terms[i].descent, stage),
                                [](const Rational& x, const Rational& y) { return x == y; });
    sum.compared += count.compared;
    sum.apart += count.apart + (a.terms[i].monomial == b.terms[i].monomial ? 0 : 1);
  }
  return sum;
}

std::size_t monomials(const Switches& at) { return at.stage < 3 ? 1 : at.handoff == Handoff::ideal ? 2 : 3; }

}  // namespace

TEST_CASE("leading order: exact, enumerate and moments are the same rationals, entry by entry, with every switch") {
  std::size_t compared = 0, expected = 0, pairs = 0;
  for (const Switches& at : all_switches()) {
    const std::vector<Engine> list = engines(at);
    for (std::size_t i = 0; i < list.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        INFO(at.task.describe() << ", " << name(at.handoff) << ", " << name(at.blocks) << ", stage " << at.stage << ": "
                                << list[i].name << " and " << list[j].name);
        const Count count = compare_terms(list[i], list[j], at.stage);
        CHECK(count.apart == 0);
        compared += count.compared;
        expected += monomials(at) * entries_of(at.task.N, at.task.T, at.stage);
        ++pairs;
        // One entry of the last term moved by one part in 10^15 is one difference.
        Engine moved = list[i];
        IdealMaps<Rational>& maps = moved.terms.back().descent;
        Rational& entry = at.stage == 1 ? maps.wo.front() : at.stage == 2 ? maps.wk2.front() : maps.wk1.front();
        entry += Rational(1, 1000000000000000);
        CHECK(compare_terms(moved, list[j], at.stage).apart == 1);
      }
  }
  CHECK(pairs == 4 * (9 * 3 - 2));  // moments do not reach stage 3 after full steps
  CHECK(compared == expected);
  // A background: 9 pairs of stage 1, 9 of stage 2, and of stage 3 (2 + 3) x 3 + 3 x 1 terms, at (3,4) and at (2,5).
  CHECK(expected == 2 * (9 * (42 + 28) + 9 * (196 + 196) + 18 * (49 + 49)));
}

namespace {

// Largest entry of the stage's map that is left of the gradient at full order, started at sizes h times `sizes`, without the
// terms of leading order.
double remainder(const Switches& at, const std::vector<StageTerm>& terms, const StageSizes& sizes, double h) {
  // eta2 is held: W_K2 is then of order h through eta1, as beta is.
  const StageSizes here{h * sizes.first, at.handoff == Handoff::ideal ? h * sizes.second : sizes.second, 0};
  const InvariantMaps<double> start = stage_start(at.task, at.handoff, at.blocks, at.stage, here);
  const std::vector<double> full =
      map_of(expand(orbit_descent(at.task, start, {at.stage == 1, at.stage == 2, at.stage == 3})), at.stage);
  std::vector<double> left = full;
  for (const StageTerm& term : terms) {
    const double size = term.monomial == "1"                                  ? 1
                        : term.monomial == "alpha" || term.monomial == "eta1" ? here.first
                        : term.monomial == "eta1^2"                           ? here.first * here.first
                        : term.monomial == "alpha*beta"                       ? here.first * here.second
                                                                              : here.first * here.first * here.second;
    const std::vector<Rational> coefficient = map_of(expand(term.descent), at.stage);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] -= size * to_double(coefficient[i]);
  }
  double largest = 0;
  for (const double x : left) largest = std::max(largest, std::abs(x));
  return largest;
}

}  // namespace

TEST_CASE("leading order is what full order tends to: the remainder is of the next order in the sizes, with every switch") {
  int judged = 0;
  for (const Switches& at : all_switches()) {
    std::vector<StageTerm> terms = stage_terms(at.task, at.handoff, at.blocks, at.stage);
    const StageSizes sizes = at.handoff == Handoff::ideal ? StageSizes{0.5, 0.5, 0} : StageSizes{2, 2, 0};
    const double large = remainder(at, terms, sizes, 1.0 / 8), small = remainder(at, terms, sizes, 1.0 / 16);
    INFO(at.task.describe() << ", " << name(at.handoff) << ", " << name(at.blocks) << ", stage " << at.stage << ": " << large
                            << " and " << small);
    if (at.stage == 1) {
      CHECK(large < 1e-15);  // at zero there is nothing else: roundings of numbers below 1
      continue;
    }
    CHECK(small > 1e-12);
    CHECK(large / small > (at.stage == 2 ? 3.5 : 7));
    // Without its last term the remainder is of the order of that term.
    terms.pop_back();
    const double order = remainder(at, terms, sizes, 1.0 / 8) / remainder(at, terms, sizes, 1.0 / 16);
    CHECK(order < (at.stage == 2 ? 2.5 : 4.5));
    ++judged;
  }
  CHECK(judged == 24);
}
