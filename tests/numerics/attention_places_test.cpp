#include "numerics/attention_places.hpp"

#include <cmath>

#include "numerics/orbit_population.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

double sum(const AttentionPlaces& at) { return at.before + at.trigger + at.output + at.after + at.last; }

}  // namespace

TEST_CASE("at zero the attention is uniform: one place each for tau, tau + 1 and T, half of the rest before tau") {
  for (const Background background : {Background::any, Background::avoid}) {
    const MinimalTask task{3, 6, background, Query::last, {}};
    const AttentionPlaces at = attention_places(task, InvariantMaps<double>(3, 6));
    for (const double one : {at.trigger, at.output, at.last}) CHECK(one == Approx(1.0 / 6));
    CHECK(at.before == Approx(0.25));  // tau - 1 is uniform on 0 .. T - 3
    CHECK(at.after == Approx(0.25));
    CHECK(at.previous == Approx((1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5) / 4));
    CHECK(at.previous == Approx(at.previous_uniform));
    CHECK(at.accuracy_same == Approx(1.0 / 3));
    CHECK(at.accuracy_other == Approx(1.0 / 3));
  }
}

TEST_CASE("large ideal memories look at tau + 1, and accuracies given o = q and not make the accuracy") {
  for (const MinimalTask& task : {MinimalTask{4, 6, Background::avoid, Query::last, {}}, MinimalTask{3, 5, Background::any, Query::any, {}}}) {
    InvariantMaps<double> maps(task.N, task.T);
    maps.add(60, invariant_memories<double>(task.N, task.T));
    const AttentionPlaces at = attention_places(task, maps);
    CHECK(sum(at) == Approx(1));
    CHECK(at.output > 0.5);
    CHECK(at.previous == Approx(1).margin(1e-9));
    // P(o = q) = 1/N.
    CHECK((at.accuracy_same + (task.N - 1) * at.accuracy_other) / task.N == Approx(orbit_loss(task, maps).accuracy).margin(1e-9));
  }
}
