// The numbers that a stage's gradient is averaged from, as one list: what samplers add up entry by entry. Internal to numerics.
#pragma once
#include <span>
#include <vector>

#include "core/minimal_task.hpp"
#include "numerics/invariant_maps.hpp"
#include "numerics/orbit_gradient.hpp"

namespace popgrad {

// Views into `sums` of what the map of the stage needs. Stage 1: ue, ur. Stage 2: ee, er, re, rr, ep, es, pp, ps, sp, ss. Stage 3: first_ee,
// first_ep, first_pp.
std::vector<std::span<double>> stage_numbers(OrbitSums<double>& sums, int stage);

// How many they are.
std::size_t count_stage_numbers(int T, int stage);

// The map of the stage that has these averages, and back. Back needs what every population gradient has: off = -diag/(N-1), and (E,P) = (R,P),
// (E,S) = (R,S).
InvariantMaps<double> maps_of_numbers(const std::vector<double>& list, int N, int T, int stage);
std::vector<double> numbers_of_maps(const InvariantMaps<double>& maps, int stage);

}  // namespace popgrad
