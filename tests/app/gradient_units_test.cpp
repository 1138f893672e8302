// The parts of popgrad gradient: numbers with their errors, the amount of work, the choice of an engine, the memory signal.
#include <limits>

#include "app/gradient_blocks.hpp"
#include "app/gradient_engines.hpp"
#include "app/gradient_output.hpp"
#include "core/errors.hpp"
#include "gradient_support.hpp"
#include "numerics/minimal_enumeration.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/orbits.hpp"

using namespace popgrad;

namespace {

MinimalTask task_of(int N, int T, Background background = Background::avoid, Query query = Query::last) {
  MinimalTask task;
  task.N = N;
  task.T = T;
  task.background = background;
  task.query = query;
  return task;
}

GradientRequest request_of(int stage, int N, int T, Order order = Order::leading) {
  GradientRequest request;
  request.stage = stage;
  request.param = stage_param(stage);
  request.order = order;
  request.task = task_of(N, T);
  return request;
}

// A (P,P) block with the given rows in row-major order, T x T.
GradientTerm positions(const std::vector<Number>& entries) {
  GradientBlock block;
  block.name = "P,P";
  block.kind = BlockKind::position_position;
  block.entries = entries;
  return {"full", {block}};
}

Number enclosed(double low, double high) {
  Number x = number_of((low + high) / 2);
  x.lower = low;
  x.upper = high;
  return x;
}

}  // namespace

TEST_CASE("a difference is exact, bounded or enclosed where both numbers are, and never invents an error") {
  const Number exact = difference(number_of(Rational(1, 3)), number_of(Rational(1, 4)));
  CHECK(*exact.exact == Rational(1, 12));
  CHECK_FALSE(exact.roundoff);
  const Number bounded = difference(number_of(RunningError(1.0, 0.25)), number_of(RunningError(0.5, 0.125)));
  CHECK(*bounded.roundoff >= 0.375);
  CHECK(*bounded.roundoff < 0.375 + 1e-12);
  const Number inside = difference(enclosed(1, 2), enclosed(-1, 0.5));
  CHECK(*inside.lower <= 0.5);
  CHECK(*inside.upper >= 3);
  CHECK(*inside.upper < 3 + 1e-12);
  const Number mixed = difference(number_of(Rational(1, 3)), number_of(0.25));
  CHECK_FALSE(mixed.exact);
  Number first = number_of(1.0), second = number_of(0.5);
  first.se = 0.25, second.se = 0.125;
  CHECK(*difference(first, second).se == 0.375);
  CHECK_FALSE(difference(first, number_of(0.5)).se);
  CHECK_FALSE(is_zero(number_of(RunningError(0.0, 1e-300))));  // a bound that is not zero
  CHECK(is_zero(number_of(Rational(0))));
}

TEST_CASE("sequences and orbits are counted as the engines visit them") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any}) {
      const MinimalTask task = task_of(3, 6, background, query);
      CHECK(count_sequences(task) == static_cast<double>(MinimalEnumeration(task).size()));
    }
  CHECK(count_orbits(task_of(65, 10)) == bell_number(10));
  CHECK(count_orbits(task_of(65, 5, Background::any, Query::any)) == bell_number(4) + bell_number(5));
  CHECK(count_orbits(task_of(2, 10)) == 512);  // partitions into at most two classes: 2^9
  CHECK(count_sequences(task_of(65536, 65536)) == std::numeric_limits<double>::infinity());
  CHECK(count_orbits(task_of(65536, 65536)) == std::numeric_limits<double>::infinity());
  for (const int N : {2, 3, 4, 65})
    for (const Background background : {Background::any, Background::avoid})
      for (const Query query : {Query::last, Query::any}) {
        const MinimalTask task = task_of(N, 7, background, query);
        std::int64_t visited = 0;
        for (int length = task.shortest(); length <= task.T; ++length) {
          const Orbits orbits(N, background, length);
          for (std::int64_t part = 0; part < orbits.parts(); ++part) orbits.visit(part, [&](const Orbit&) { ++visited; });
        }
        INFO(task.describe());
        CHECK(count_task_orbits(task) == static_cast<double>(visited));
        CHECK(count_task_orbits(task) < count_orbits(task));
      }
  CHECK(count_task_orbits(task_of(65536, 65536)) == std::numeric_limits<double>::infinity());
}

TEST_CASE("estimates of cost order instances and engines as their work does: no seconds are asserted") {
  for (const int stage : {1, 2, 3})
    for (const Handoff handoff : {Handoff::ideal, Handoff::actual}) {
      const auto at = [&](int N, int T) {
        GradientRequest request = request_of(stage, N, T);
        request.handoff = handoff;
        return request;
      };
      INFO("stage " << stage << ", " << name(handoff));
      for (const auto& seconds : {exact_seconds, orbits_seconds, certified_seconds, enumerate_seconds}) {
        CHECK(seconds(at(65, 9)) > 3 * seconds(at(65, 8)));  // Bell numbers and powers of N grow faster than any square
        CHECK(seconds(at(65, 9)) > 0);
      }
      for (const auto& seconds : {exact_seconds, orbits_seconds, certified_seconds})
        CHECK(seconds(at(1000, 9)) == seconds(at(65, 9)));  // no cost in N
      CHECK(enumerate_seconds(at(8, 6)) > 10 * enumerate_seconds(at(4, 6)));
      CHECK(orbits_seconds(at(65, 9)) < certified_seconds(at(65, 9)));
      CHECK(certified_seconds(at(65, 9)) < exact_seconds(at(65, 9)));
      CHECK(exact_seconds(at(65, 8)) < enumerate_seconds(at(65, 8)));
      CHECK(montecarlo_seconds(at(65, 32), 2000, false) < montecarlo_seconds(at(65, 32), 4000, false));
      if (stage > 1 && handoff == Handoff::actual) {
        GradientRequest ideal = at(65, 9);
        ideal.handoff = Handoff::ideal;
        CHECK(exact_seconds(at(65, 9)) > exact_seconds(ideal));  // the steps before it
        CHECK(certified_seconds(at(65, 9)) > certified_seconds(ideal));
      }
      GradientRequest finite = at(3, 5);
      finite.d = 64;
      const double few = finite_seconds(finite, 4);
      CHECK(finite_seconds(finite, 8) == 2 * few);
      finite.d = 512;
      CHECK(finite_seconds(finite, 4) > few);
    }
  GradientRequest moments = request_of(2, 65, 256);
  const double last = moments_seconds(moments);
  moments.task.query = Query::any;
  CHECK(moments_seconds(moments) > last);
}

TEST_CASE("times and counts are readable") {
  CHECK(readable_time(0.25) == "0.25 s");
  CHECK(readable_time(600) == "10 min");
  CHECK(readable_time(36000) == "10 h");
  CHECK(readable_time(864000) == "10 days");
  CHECK(readable_time(3.2e17) == "1e+10 years");
  CHECK(readable_count(203) == "203");
  CHECK(readable_count(4213597) == "4.2e+06");
}

TEST_CASE("without a name the cheapest exact engine is chosen, and beyond its reach the next") {
  CHECK(choose_engine(request_of(2, 65, 256)).name == "moments");
  GradientRequest third = request_of(3, 65, 7);
  third.handoff = Handoff::actual;
  CHECK(choose_engine(third).name == "exact");
  third.blocks = Blocks::isolated;
  CHECK(choose_engine(third).name == "moments");
  CHECK(choose_engine(request_of(2, 65, 10, Order::full)).name == "orbits");
  GradientRequest finite = request_of(1, 4, 6, Order::full);
  finite.d = 64;
  CHECK(choose_engine(finite).name == "enumerate");
  GradientRequest named = request_of(2, 65, 256);
  named.engine = "exact";
  CHECK_THROWS_AS(choose_engine(named), InputError);
  for (const GradientEngine& engine : gradient_engines()) {
    INFO(engine.name);
    CHECK_FALSE(engine.summary.empty());
  }
}

TEST_CASE("the table of gradient counts a row as recalled only if no other key may be as large") {
  const TableStyle style;
  const auto row3 = [&](const Number& first, const Number& second, const Number& third) {  // T = 4; rows 1, 2 and 4 are zero
    std::vector<Number> entries(16, number_of(Rational(0)));
    entries[8] = first, entries[9] = second, entries[10] = third;
    return memory_signal(positions(entries), 3, style);
  };
  const std::string one = "largest entry at t-1: 1 of 2", none = "largest entry at t-1: 0 of 2";
  CHECK(contains(row3(number_of(Rational(1, 3)), number_of(Rational(1, 2)), number_of(Rational(0))), one));
  CHECK(contains(row3(number_of(Rational(1, 2)), number_of(Rational(1, 2)), number_of(Rational(0))), none));  // a tie
  CHECK(contains(row3(number_of(Rational(1, 2)), number_of(Rational(1, 2)), number_of(Rational(0))), "(a tie)"));
  CHECK(contains(row3(enclosed(0, 1), enclosed(2, 3), enclosed(-1, 1)), one));
  // The widest enclosure, not the one of the largest midpoint, may hold a larger value.
  const std::string wide = row3(enclosed(1.5, 1.6), enclosed(2, 3), enclosed(-1, 2.5));
  CHECK(contains(wide, none));
  CHECK(contains(wide, "(sign unknown)"));
  CHECK(contains(row3(number_of(RunningError(0.9, 0.2)), number_of(RunningError(1, 0.2)), number_of(RunningError(0, 0.2))),
                 none));
}

TEST_CASE("the blocks of invariant maps are those of the maps written out") {
  const MinimalTask task = task_of(3, 5);
  const InvariantMaps<Rational> descent = orbit_descent(task, InvariantMaps<Rational>(3, 5), {true, false, false});
  const std::vector<GradientBlock> direct = blocks_of(descent, 1), written = blocks_of(summarize_wo(expand(descent)));
  REQUIRE(direct.size() == written.size());
  for (std::size_t b = 0; b < direct.size(); ++b) {
    CHECK(direct[b].name == written[b].name);
    CHECK(direct[b].kind == written[b].kind);
    CHECK(direct[b].entries.size() == written[b].entries.size());
    if (direct[b].kind == BlockKind::token_token) CHECK(*direct[b].contrast.exact == *written[b].contrast.exact);
  }
  CHECK(*direct[0].diag.exact == Rational(2, 45));  // (1/(NT)) (1 - 1/N)
  CHECK_THROWS_AS(blocks_of(descent, 4), HypothesisError);
}
