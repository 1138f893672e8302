#include "numerics/attention_places.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/ideal_trace.hpp"
#include "numerics/orbit_sum.hpp"

namespace popgrad {
namespace {

struct Sums {
  AttentionPlaces at;
  double same = 0, other = 0;  // probabilities of o = q and o != q
  Sums& operator+=(const Sums& b) {
    at.before += b.at.before;
    at.trigger += b.at.trigger;
    at.output += b.at.output;
    at.after += b.at.after;
    at.last += b.at.last;
    at.previous += b.at.previous;
    at.previous_uniform += b.at.previous_uniform;
    at.trigger_share += b.at.trigger_share;
    at.accuracy_same += b.at.accuracy_same;
    at.accuracy_other += b.at.accuracy_other;
    same += b.same;
    other += b.other;
    return *this;
  }
};

double right(const std::vector<double>& logits, int label) {
  const double top = *std::max_element(logits.begin(), logits.end());
  // Equal up to the rounding of a few hundred operations on numbers of this size.
  const double blur = 1e-12 * (1 + std::abs(top));
  int tied = 0;
  for (const double x : logits) tied += top - x <= blur ? 1 : 0;
  return top - logits[static_cast<std::size_t>(label)] <= blur ? 1.0 / tied : 0;
}

// One sequence with its first trigger at tau, 0-based, of probability `weight`.
void add(const IdealTrace<double>& trace, int tau, double weight, Sums& sums) {
  const int last = trace.L() - 1, o = tau + 1;
  const auto token = [&](int s) { return trace.tokens[static_cast<std::size_t>(s)]; };
  for (int s = 0; s <= last; ++s) {
    double& place = s == last ? sums.at.last : s < tau ? sums.at.before : s == tau ? sums.at.trigger : s == o ? sums.at.output : sums.at.after;
    place += weight * trace.attention2[static_cast<std::size_t>(s)];
  }
  sums.at.previous += weight * trace.a1(o, tau);
  sums.at.previous_uniform += weight / (o + 1);
  for (int s = 0; s <= o; ++s)
    if (token(s) == token(tau)) sums.at.trigger_share += weight * trace.a1(o, s);
  const bool same = token(o) == token(tau);
  (same ? sums.same : sums.other) += weight;
  (same ? sums.at.accuracy_same : sums.at.accuracy_other) += weight * right(trace.logits, token(o));
}

}  // namespace

AttentionPlaces attention_places(const MinimalTask& task, const InvariantMaps<double>& maps) {
  check_orbits(task, maps.N, maps.T);
  const IdealMaps<double> all = expand(maps);
  Sums total;
  for (int length = task.shortest(); length <= task.T; ++length) {
    const Orbits orbits(task.N, task.background, length);
    const std::vector<double> weight = orbit_weights<double>(task, length);
    total += ordered_sum(orbits.parts(), 1, Sums{}, [&](std::int64_t part, Sums& sums) {
      orbits.visit(part, [&](const Orbit& orbit) {
        const IdealTrace<double> trace = ideal_trace(all, orbit.token);
        const auto token = [&](int s) { return orbit.token[static_cast<std::size_t>(s)]; };
        // With `any` each earlier copy of the last token may be tau; with `avoid` the orbit has one place alone.
        for (int tau = 0, found = 0; tau + 2 < length && found < orbit.triggers; ++tau)
          if (token(tau) == token(length - 1)) {
            add(trace, tau, weight[static_cast<std::size_t>(orbit.classes)], sums);
            ++found;
          }
      });
    });
  }
  total.at.accuracy_same /= total.same;
  total.at.accuracy_other /= total.other;
  return total.at;
}

}  // namespace popgrad
