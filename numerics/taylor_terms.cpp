#include "numerics/taylor_terms.hpp"

#include <algorithm>
#include <utility>

#include "core/errors.hpp"
#include "core/interpolation.hpp"
#include "core/truncated_series.hpp"
#include "numerics/map_series.hpp"
#include "numerics/orbit_population.hpp"

namespace popgrad {
namespace {

using Maps = InvariantMaps<Rational>;

// The largest power of the second size in total degree `degree`.
int most_second(Handoff handoff, int degree) { return handoff == Handoff::ideal ? degree - 1 : (degree - 1) / 2; }

// 0, 1, -1, 2, -2, ...: small numbers keep the rationals short.
Rational slope_of_ray(int ray) { return ray % 2 == 1 ? Rational((ray + 1) / 2) : Rational(-(ray / 2)); }

Wanted only(int stage) { return {stage == 1, stage == 2, stage == 3}; }

// What the first step hands on for each unit of its size.
Maps first_step(const MinimalTask& task, Handoff handoff, Blocks blocks) {
  if (handoff == Handoff::ideal) return isolate(invariant_memories<Rational>(task.N, task.T), 1);
  Maps step = orbit_descent(task, Maps(task.N, task.T), only(1));
  return blocks == Blocks::isolated ? isolate(step, 1) : step;
}

// What the second hands on for each unit of its size, by powers of the first size: beta W_K2* does not depend on alpha, a
// step does on eta1.
std::vector<Maps> second_step(const MinimalTask& task, Handoff handoff, Blocks blocks, const Maps& first, int order) {
  if (handoff == Handoff::ideal) return {isolate(invariant_memories<Rational>(task.N, task.T), 2)};
  MapSeries start(task.N, task.T);
  add_monomial(start, first, 1, order);
  const MapSeries step = orbit_descent(task, start, only(2));
  std::vector<Maps> powers = {Maps(task.N, task.T)};
  for (int k = 1; k <= order; ++k) {
    Maps coefficient = coefficient_of(step, k);
    powers.push_back(blocks == Blocks::isolated ? isolate(coefficient, 2) : std::move(coefficient));
  }
  return powers;
}

bool is_zero_map(const Maps& maps) {
  const auto zero = [](const auto& blocks) {
    return std::all_of(blocks.begin(), blocks.end(), [](const InvariantBlock<Rational>& b) {
      return b.diag.is_zero() && b.off.is_zero() &&
             std::all_of(b.entries.begin(), b.entries.end(), [](const Rational& x) { return x.is_zero(); });
    });
  };
  return zero(maps.wo) && zero(maps.wk2) && zero(maps.wk1);
}

std::vector<StageTerm> second_stage(const MinimalTask& task, Handoff handoff, Blocks blocks, int degree) {
  MapSeries start(task.N, task.T);
  add_monomial(start, first_step(task, handoff, blocks), 1, degree);
  const MapSeries descent = orbit_descent(task, start, only(2));
  std::vector<StageTerm> terms;
  for (const Monomial& m : taylor_monomials(handoff, 2, degree))
    terms.push_back({name(m, handoff), coefficient_of(descent, m.first)});
  return terms;
}

// Along second = rho first, for each ray.
std::vector<MapSeries> third_stage_rays(const MinimalTask& task, Handoff handoff, Blocks blocks, int degree) {
  const Maps first = first_step(task, handoff, blocks);
  std::vector<Maps> second;
  // A degree of 1 has no second size.
  if (degree > 1) second = second_step(task, handoff, blocks, first, degree - 1);
  std::vector<MapSeries> rays;
  for (int ray = 0; ray < taylor_rays(handoff, degree); ++ray) {
    MapSeries start(task.N, task.T);
    add_monomial(start, first, 1, degree);
    for (std::size_t k = 0; k < second.size() && static_cast<int>(k) < degree; ++k) {
      Maps scaled(task.N, task.T);
      scaled.add(slope_of_ray(ray), second[k]);
      add_monomial(start, scaled, static_cast<int>(k) + 1, degree);
    }
    rays.push_back(orbit_descent(task, start, only(3)));
  }
  return rays;
}

}  // namespace

std::string name(const Monomial& monomial, Handoff handoff) {
  const bool ideal = handoff == Handoff::ideal;
  std::string text;
  const auto factor = [&](const char* size, int power) {
    if (power == 0) return;
    text += std::string(text.empty() ? "" : "*") + size + (power > 1 ? "^" + std::to_string(power) : "");
  };
  factor(ideal ? "alpha" : "eta1", monomial.first);
  factor(ideal ? "beta" : "eta2", monomial.second);
  return text.empty() ? "1" : text;
}

std::vector<Monomial> taylor_monomials(Handoff handoff, int stage, int degree) {
  require(stage >= 1 && stage <= stages, "taylor_monomials", "stage", "1, 2 or 3", std::to_string(stage));
  require(degree >= 1, "taylor_monomials", "degree", "at least 1", std::to_string(degree));
  if (stage == 1) return {{0, 0}};
  std::vector<Monomial> monomials;
  for (int total = 1; total <= degree; ++total)
    for (int j = 0; j <= (stage == 2 ? 0 : most_second(handoff, total)); ++j) monomials.push_back({total - j, j});
  return monomials;
}

std::vector<Monomial> leading_monomials(Handoff handoff, int stage) {
  require(stage >= 1 && stage <= stages, "leading_monomials", "stage", "1, 2 or 3", std::to_string(stage));
  if (stage == 1) return {{0, 0}};
  if (stage == 2) return {{1, 0}};
  if (handoff == Handoff::ideal) return {{1, 0}, {1, 1}};
  return {{1, 0}, {2, 0}, {2, 1}};
}

int taylor_rays(Handoff handoff, int degree) { return most_second(handoff, degree) + 2; }

std::vector<StageTerm> taylor_terms(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage, int degree) {
  const std::vector<Monomial> monomials = taylor_monomials(handoff, stage, degree);
  if (stage == 1) return stage_terms(task, handoff, blocks, 1);
  if (stage == 2) return second_stage(task, handoff, blocks, degree);
  const std::vector<MapSeries> rays = third_stage_rays(task, handoff, blocks, degree);
  std::vector<StageTerm> terms;
  for (int total = 1; total <= degree; ++total) {
    const int needed = most_second(handoff, total) + 1;
    std::vector<Rational> slopes;
    for (int ray = 0; ray < needed; ++ray) slopes.push_back(slope_of_ray(ray));
    const std::vector<std::vector<Rational>> weights = interpolation_weights(slopes);
    std::vector<Maps> coefficients;
    for (int j = 0; j < needed; ++j) {
      Maps sum(task.N, task.T);
      for (int ray = 0; ray < needed; ++ray)
        sum.add(weights[static_cast<std::size_t>(j)][static_cast<std::size_t>(ray)],
                coefficient_of(rays[static_cast<std::size_t>(ray)], total));
      coefficients.push_back(std::move(sum));
    }
    for (std::size_t ray = static_cast<std::size_t>(needed); ray < rays.size(); ++ray) {
      Maps rest = coefficient_of(rays[ray], total);
      Rational power(-1);
      for (const Maps& coefficient : coefficients) {
        rest.add(power, coefficient);
        power *= slope_of_ray(static_cast<int>(ray));
      }
      require(is_zero_map(rest), "taylor_terms", "the last rays", "on the polynomial through the others", "another value");
    }
    for (int j = 0; j < needed; ++j)
      terms.push_back({name({total - j, j}, handoff), std::move(coefficients[static_cast<std::size_t>(j)])});
  }
  return terms;
}

}  // namespace popgrad
