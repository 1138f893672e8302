#include "theory/claims/step2_by_places.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "theory/formulas/step2.hpp"

namespace popgrad {
namespace {

// What stands at 1-based `places`, position by position, or its share among positions 1..s.
std::vector<Rational> reading(const std::vector<int>& places, bool share, int T) {
  std::vector<Rational> values;
  for (int s = 1; s <= T; ++s) {
    Rational value = 0;
    for (const int place : places) value += share ? (place <= s ? Rational(1, s) : Rational(0)) : Rational(place == s ? 1 : 0);
    values.push_back(value);
  }
  return values;
}

// sum_s (a_s - mean a) b_s.
Rational covariance(const std::vector<Rational>& a, const std::vector<Rational>& b) {
  Rational mean = 0, sum = 0;
  for (const Rational& x : a) mean += x / static_cast<int>(a.size());
  for (std::size_t s = 0; s < a.size(); ++s) sum += (a[s] - mean) * b[s];
  return sum;
}

Bindings statistics(int N, int T, int output_after) {
  Rational x = 0, y = 0, z = 0, x_shared = 0, z_shared = 0, h = 0;
  for (int tau = 1; tau <= T - 2; ++tau) {
    const std::vector<int> output = {tau + output_after}, trigger = {tau, T};
    const auto here = reading(output, false, T), shared = reading(output, true, T), triggers = reading(trigger, true, T);
    x += covariance(here, triggers);
    y += covariance(reading(trigger, false, T), shared);
    z += covariance(here, shared);
    x_shared += covariance(shared, triggers);
    z_shared += covariance(shared, shared);
    for (const Rational& value : shared) h += value;
  }
  const Rational places = T - 2;
  return {{"N", N},
          {"T", T},
          {"X", Rational(x / places)},
          {"Y", Rational(y / places)},
          {"Z", Rational(z / places)},
          {"X_R", Rational(x_shared / places)},
          {"Z_R", Rational(z_shared / places)},
          {"h_T", Rational(h / places)}};
}

}  // namespace

Rational step2_diag_by_places(const MinimalTask& task, Handoff handoff, Blocks blocks, int output_after) {
  task.validate();
  require(output_after == 0 || output_after == 1, "step2_diag_by_places", "output_after", "0 or 1", std::to_string(output_after));
  const Formula ideal = step2_diag_outline(task.background, Handoff::ideal, Blocks::isolated);
  const Formula full = step2_diag_outline(task.background, Handoff::actual, Blocks::full);
  // The outline is linear in what W_O reads: per unit of (U,E), and per unit of (U,R).
  Rational token = 0, copied = 0, by_token = 0, by_copy = 0;
  const int lengths = task.T - task.shortest() + 1;
  for (int length = task.shortest(); length <= task.T; ++length) {
    const Bindings at = statistics(task.N, length, output_after);
    const Rational h = at.at("h_T").rational(), scale = task.N * length, read = ideal.evaluate_exact(at);
    token += 1 / scale / lengths;
    copied += h / scale / lengths;
    by_token += read / lengths;
    by_copy += (full.evaluate_exact(at) * scale - read) / h / lengths;
  }
  if (handoff == Handoff::ideal) return by_token;
  return token * by_token + (blocks == Blocks::full ? Rational(copied * by_copy) : Rational(0));
}

}  // namespace popgrad
