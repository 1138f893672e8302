// How much work a population gradient is, before it is done.
#pragma once
#include <string>

#include "core/minimal_task.hpp"

namespace popgrad {

// Sequences of the minimal task with their multiplicity: what enumerate visits. Infinity beyond the largest double.
double count_sequences(const MinimalTask& task);
// Set partitions of the positions into at most N classes, over all lengths: what sums over orbits visit. Infinity likewise.
double count_orbits(const MinimalTask& task);

// "0.3 s", "12 min", "5 h", "30 days", "2e+06 years".
std::string readable_time(double seconds);
// "203", "4.2e+06"; "more than 1e+308" for infinity.
std::string readable_count(double count);

struct Cost {
  std::string work;    // "4.2e+06 orbits"
  double seconds = 0;  // on two cores, by measurement of small instances: good to a factor of three or so
};
// Above this a computation is refused.
inline constexpr double longest_gradient = 1800;
inline bool affordable(const Cost& cost) { return cost.seconds <= longest_gradient; }

}  // namespace popgrad
