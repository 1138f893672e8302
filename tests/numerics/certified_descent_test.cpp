#include "numerics/certified_descent.hpp"

#include <cmath>
#include <functional>

#include "core/errors.hpp"
#include "core/philox.hpp"
#include "core/rational.hpp"
#include "core/running_error.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/orbit_population.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// Visits corresponding numbers of two maps.
template <class A, class B, class Visit>
void each_pair(const InvariantMaps<A>& a, const InvariantMaps<B>& b, const Visit& visit) {
  const auto blocks = [&](const auto& x, const auto& y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      visit(x[i].diag, y[i].diag);
      visit(x[i].off, y[i].off);
      for (std::size_t j = 0; j < x[i].entries.size(); ++j) visit(x[i].entries[j], y[i].entries[j]);
    }
  };
  blocks(a.wo, b.wo);
  blocks(a.wk2, b.wk2);
  blocks(a.wk1, b.wk1);
}

template <class S>
InvariantMaps<S> convert(const InvariantMaps<double>& maps, const std::function<S(double)>& number) {
  InvariantMaps<S> result(maps.N, maps.T);
  const auto blocks = [&](auto& into, const auto& from) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      into[i].diag = number(from[i].diag);
      into[i].off = number(from[i].off);
      for (std::size_t j = 0; j < from[i].entries.size(); ++j) into[i].entries[j] = number(from[i].entries[j]);
    }
  };
  blocks(result.wo, maps.wo);
  blocks(result.wk2, maps.wk2);
  blocks(result.wk1, maps.wk1);
  return result;
}

InvariantMaps<double> random_maps(int N, int T, std::uint64_t seed) {
  Stream stream(seed, Purpose::test, 0);
  return convert<double>(InvariantMaps<double>(N, T), [&](double) { return 0.7 * stream.normal(); });
}

bool contains(const Interval& x, const Rational& exact) {
  return Rational(x.lower()) <= exact && exact <= Rational(x.upper());
}

}  // namespace

TEST_CASE("certified: the first step encloses the exact rationals, closely, and excludes them moved by a rounding error") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any}) {
      const MinimalTask task{5, 7, background, query, {}};
      const InvariantMaps<Rational> exact = orbit_descent(task, InvariantMaps<Rational>(5, 7), {true, false, false});
      const InvariantMaps<Interval> enclosed = certified_descent(task, InvariantMaps<double>(5, 7), {true, false, false});
      int outside = 0, moved_inside = 0, nonzero = 0;
      each_pair(enclosed, exact, [&](const Interval& x, const Rational& value) {
        if (!contains(x, value)) ++outside;
        if (is_zero(value)) return;
        ++nonzero;
        if (contains(x, value * Rational(1 + 1e-12))) ++moved_inside;
      });
      CHECK(outside == 0);
      CHECK(nonzero == 4);
      CHECK(moved_inside == 0);
    }
}

// The golden values: certified_golden.py, beside this file; every sequence at (3,4), background any.
TEST_CASE(
    "certified: full softmax encloses 45 digits computed from the loss alone, for memories and for actual steps handed on") {
  const MinimalTask task{3, 4, Background::any, Query::last, {}};
  const auto check = [](const Interval& x, const std::string& digits) {
    const auto point = digits.find('.');
    const std::string scale = "1" + std::string(digits.size() - point - 1, '0');
    std::string whole = digits.substr(0, point) + digits.substr(point + 1);
    const bool negative = whole[0] == '-';
    whole.erase(0, whole.find_first_not_of("-0"));
    const Rational exact((negative ? "-" : "") + whole + "/" + scale);
    INFO(digits << " in [" << x.lower() << ", " << x.upper() << "], width " << x.width());
    CHECK(contains(x, exact));
    CHECK_FALSE(contains(x, exact * Rational(1 + 1e-9)));
  };
  const StageSizes memories{1.25, 1.5, 0};
  const auto ideal = [&](int stage) {
    return certified_descent(task, certified_start(task, Handoff::ideal, Blocks::full, stage, memories));
  };
  check(ideal(2).k2(Block::E, Block::R).diag, "-0.00965191256784776854631124608882029855292966462");
  const InvariantMaps<Interval> third = ideal(3);
  const std::vector<Interval>& row = third.k1(Block::P, Block::P).entries;
  check(row[2 * 4 + 0], "-0.00380388398682681134863513045051294603819848458");
  check(row[2 * 4 + 1], "0.0196082199445755625230613801460031041477926283");
  check(row[2 * 4 + 2], "-0.0158043359577487511744262496954901581095941438");

  const StageSizes steps{3, 20, 0};
  const auto actual = [&](int stage) {
    return certified_descent(task, certified_start(task, Handoff::actual, Blocks::full, stage, steps));
  };
  CHECK(contains(actual(1).u(Block::R).diag, Rational(5, 108)));
  check(actual(2).k2(Block::E, Block::R).diag, "-0.00206904035084582390798818859077262766622371967");
  const InvariantMaps<Interval> last = actual(3);
  const std::vector<Interval>& pairs = last.k1(Block::P, Block::P).entries;
  check(pairs[2 * 4 + 0], "-0.00766132196176719269940158157772784171197938616");
  check(pairs[2 * 4 + 1], "0.00342533978016996521778371365922031375917988059");
  check(pairs[2 * 4 + 2], "0.00423598218159722748161786791865752795279950558");
}

// A product moves both ends to the neighbours, at most 2 u |z| each where the running bound has u |z|; a sum one end by as
// much as the running bound has on both; an exponential is at most 8 units in the last place wide (interval_test), where the
// bound has 4 u |z| on either side. So an enclosure is at most twice as wide as the running bound on both sides.
TEST_CASE(
    "certified: every entry meets the enumerated value with its roundoff bound, and is at most twice as wide as that "
    "bound") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any}) {
      const MinimalTask task{3, 5, background, query, {}};
      const InvariantMaps<double> maps = random_maps(3, 5, 5);
      const InvariantMaps<RunningError> bounded =
          orbit_descent(task, convert<RunningError>(maps, [](double x) { return RunningError(x); }));
      int apart = 0, wide = 0, entries = 0;
      each_pair(certified_descent(task, maps), bounded, [&](const Interval& x, const RunningError& y) {
        if (x.lower() > y.value + y.error || x.upper() < y.value - y.error) ++apart;
        if (x.width() > 2 * (2 * y.error)) ++wide;
        if (y.error > 0) ++entries;
      });
      CHECK(apart == 0);
      CHECK(wide == 0);
      CHECK(entries > 100);
      // Another summation and no invariance: every sequence, in intervals.
      const IdealMaps<Interval> all = population_descent(task, expand(enclose(maps)), {});
      const IdealMaps<Interval> orbits = expand(certified_descent(task, maps));
      apart = 0;
      for (const auto& [a, b] : {std::pair{&all.wo, &orbits.wo}, {&all.wk2, &orbits.wk2}, {&all.wk1, &orbits.wk1}})
        for (std::size_t i = 0; i < a->size(); ++i)
          if ((*a)[i].lower() > (*b)[i].upper() || (*b)[i].lower() > (*a)[i].upper()) ++apart;
      CHECK(apart == 0);
    }
}

TEST_CASE(
    "certified: parameters that are enclosures contain the gradient at every choice of them, and see a choice outside") {
  const MinimalTask task{4, 5, Background::avoid, Query::last, {}};
  const double radius = 1e-7;
  const InvariantMaps<double> centre = random_maps(4, 5, 6);
  const InvariantMaps<Interval> enclosed =
      certified_descent(task, convert<Interval>(centre, [&](double x) { return Interval(x - radius, x + radius); }));
  const auto outside = [&](double distance, std::uint64_t sample) {
    Stream stream(7, Purpose::test, sample);
    const InvariantMaps<double> chosen =
        convert<double>(centre, [&](double x) { return x + distance * (2 * stream.uniform() - 1); });
    int count = 0;
    each_pair(enclosed, certified_descent(task, chosen), [&](const Interval& x, const Interval& y) {
      if (y.lower() > x.upper() || y.upper() < x.lower()) ++count;
    });
    return count;
  };
  for (std::uint64_t sample = 0; sample < 20; ++sample) CHECK(outside(radius, sample) == 0);
  // Every number enters many times and the enclosure cannot know that it is the same: it is some thousand times wider than
  // it need be.
  CHECK(outside(1e5 * radius, 0) > 10);
  // Far too wide parameters prove nothing, and say so instead of failing.
  const InvariantMaps<Interval> nothing =
      certified_descent(task, convert<Interval>(centre, [](double) { return Interval(-500, 500); }));
  CHECK_FALSE(nothing.k2(Block::E, Block::R).diag.bounded());
}

TEST_CASE("certified: the start meets what doubles compute, within the roundoff bound of the same chain") {
  const MinimalTask task{5, 6, Background::avoid, Query::last, {}};
  const double sizes[] = {5, 30, 2};
  for (const Blocks blocks : {Blocks::isolated, Blocks::full}) {
    InvariantMaps<RunningError> chain(5, 6);
    for (int stage = 1; stage <= 4; ++stage) {
      const StageSizes all{sizes[0], sizes[1], sizes[2]};
      int apart = 0, other_bits = 0;
      each_pair(certified_start(task, Handoff::actual, blocks, stage, all), chain,
                [&](const Interval& x, const RunningError& y) {
                  if (x.lower() > y.value + y.error || x.upper() < y.value - y.error) ++apart;
                });
      each_pair(stage_start(task, Handoff::actual, blocks, stage, all), chain, [&](double x, const RunningError& y) {
        if (x != y.value) ++other_bits;
      });
      INFO(name(blocks) << ", stage " << stage);
      CHECK(apart == 0);
      CHECK(other_bits == 0);
      if (stage == 4) break;
      InvariantMaps<RunningError> step = orbit_descent(task, chain, {stage == 1, stage == 2, stage == 3});
      chain.add(RunningError(sizes[stage - 1]), blocks == Blocks::isolated ? isolate(step, stage) : step);
    }
  }
  each_pair(certified_start(task, Handoff::ideal, Blocks::full, 4, {5, 30, 2}),
            stage_start(task, Handoff::ideal, Blocks::full, 4, {5, 30, 2}), [](const Interval& x, double y) {
              if (x.lower() != y || x.upper() != y) FAIL("memories are exact");
            });
  CHECK_THROWS_AS(certified_start(task, Handoff::ideal, Blocks::full, 5, {}), HypothesisError);
}
