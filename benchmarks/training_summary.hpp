// What the microbenchmarks of training say: share of the arithmetic limit, exponents of the times, a figure.
#pragma once
#include <string>
#include <vector>

namespace popgrad {

// forward: data and forward pass; gradient: those and the backward pass; update: of the weights, and what is formed once a
// step; step: all of them.
enum class Kind { sampler, forward, gradient, update, step };
inline constexpr Kind kinds[] = {Kind::sampler, Kind::forward, Kind::gradient, Kind::update, Kind::step};
const char* name(Kind kind);

struct Point {
  int T = 0, d = 0, batch = 0, threads = 0;
  bool operator==(const Point&) const = default;
};
// The published size at every number of threads; and with one thread one size at a time changed from it.
std::vector<Point> points(int threads);

struct Measurement {
  Kind kind = Kind::sampler;
  Point at;
  double seconds = 0, processor = 0;  // a batch: of the clock, and of all threads together
};
// "step/T:256/d:128/batch:512/threads:2/real_time..." as Google Benchmark names it; HypothesisError otherwise.
Measurement parse_measurement(const std::string& name, double seconds, double processor);

// limits[n - 1]: operations a second that n threads reach. Prints, and draws folder/training_time.*.
void summarize(const std::vector<Measurement>& measured, const std::vector<double>& limits, const std::string& folder);

}  // namespace popgrad
