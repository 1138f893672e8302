// How much work a population gradient is, before it is done.
#pragma once
#include <cstdint>
#include <string>

#include "app/gradient_request.hpp"
#include "core/minimal_task.hpp"

namespace popgrad {

// Sequences of the minimal task with their multiplicity: what enumerate visits. Infinity beyond the largest double.
double count_sequences(const MinimalTask& task);
// Set partitions of the positions into at most N classes, over all lengths: what sums over orbits visit. Infinity likewise.
double count_orbits(const MinimalTask& task);
// Those of them that are sequences of the task: what costs time in sums over orbits.
double count_task_orbits(const MinimalTask& task);

// "0.3 s", "12 min", "5 h", "30 days", "2e+06 years".
std::string readable_time(double seconds);
// "203", "4.2e+06"; "more than 1e+308" for infinity.
std::string readable_count(double count);

struct Cost {
  std::string work;    // "4.2e+06 orbits"
  double seconds = 0;  // on two cores
};
// Above this a computation is refused.
inline constexpr double longest_gradient = 1800;
inline bool affordable(const Cost& cost) { return cost.seconds <= longest_gradient; }

// Estimated seconds on two cores, from measurements of benchmarks/engines.cpp, which prints both: within a factor of two
// above some ten milliseconds. Sizes that an engine refuses for other reasons count for nothing here.
double moments_seconds(const GradientRequest& request);
double exact_seconds(const GradientRequest& request);                       // leading order by orbits
double orbits_seconds(const GradientRequest& request);                      // full order
double certified_seconds(const GradientRequest& request);                   // full order in intervals
double enumerate_seconds(const GradientRequest& request);                   // ideal model
double finite_seconds(const GradientRequest& request, std::int64_t draws);  // request.d is set
double montecarlo_seconds(const GradientRequest& request, std::int64_t samples, bool second_step);

}  // namespace popgrad
