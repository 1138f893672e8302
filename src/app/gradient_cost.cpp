#include "app/gradient_cost.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace popgrad {

double count_sequences(const MinimalTask& task) {
  const double background = task.background == Background::any ? task.N : task.N - 1, N = task.N;
  double count = 0;
  for (int length = task.shortest(); length <= task.T && !std::isinf(count); ++length)
    count += N * N * (length - 2) * std::pow(background, length - 3);
  return count;
}

namespace {

// Set partitions of n elements into at most N classes, and into at most N - 1.
struct Partitions {
  double all = 0, fewer = 0;
};

// For n = 0 .. T; from the first that no double holds on infinity.
std::vector<Partitions> count_partitions(int N, int T) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<Partitions> counts(static_cast<std::size_t>(T) + 1, {infinity, infinity});
  counts[0] = {1, 1};
  // Stirling numbers of the second kind, S(n, k) = k S(n-1, k) + S(n-1, k-1), a row for each n.
  std::vector<double> row = {1};  // n = 0
  for (std::size_t n = 1; n < counts.size(); ++n) {
    row.resize(std::min(n, static_cast<std::size_t>(N)) + 1, 0.0);
    for (std::size_t k = row.size() - 1; k > 0; --k) row[k] = static_cast<double>(k) * row[k] + row[k - 1];
    row[0] = 0;
    double all = 0;
    for (const double classes : row) all += classes;
    if (std::isinf(all)) break;
    counts[n] = {all, row.size() > static_cast<std::size_t>(N) ? all - row.back() : all};
  }
  return counts;
}

// Sum over the lengths of the task of count(L).
template <class Count>
double over_lengths(const MinimalTask& task, const Count& count) {
  double sum = 0;
  for (int L = task.shortest(); L <= task.T && !std::isinf(sum); ++L) sum += count(static_cast<std::size_t>(L));
  return sum;
}

}  // namespace

double count_orbits(const MinimalTask& task) {
  const std::vector<Partitions> partitions = count_partitions(task.N, task.T);
  return over_lengths(task, [&](std::size_t L) { return partitions[L].all; });
}

double count_task_orbits(const MinimalTask& task) {
  const std::vector<Partitions> partitions = count_partitions(task.N, task.T);
  return over_lengths(task, [&](std::size_t L) {
    if (std::isinf(partitions[L].all)) return partitions[L].all;
    // any: the last position is in one class with an earlier one, not counting its neighbour. avoid: with tau alone, or with
    // tau and tau + 1.
    if (task.background == Background::any) return partitions[L].all - partitions[L - 1].fewer - partitions[L - 2].fewer;
    return static_cast<double>(L - 2) * (partitions[L - 2].fewer + partitions[L - 3].fewer);
  });
}

std::string readable_time(double seconds) {
  constexpr double minute = 60, hour = 3600, day = 86400, year = 365 * day;
  if (std::isinf(seconds)) return "more than 1e+300 years";
  if (seconds < 2 * minute) return fmt::format("{:.2g} s", seconds);
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / minute);
  if (seconds < 3 * day) return fmt::format("{:.0f} h", seconds / hour);
  if (seconds < 2 * year) return fmt::format("{:.0f} days", seconds / day);
  return fmt::format("{:.1g} years", seconds / year);
}

std::string readable_count(double count) {
  if (std::isinf(count)) return fmt::format("more than {:.0e}", std::numeric_limits<double>::max());
  return count < 1e6 ? fmt::format("{:.0f}", count) : fmt::format("{:.2g}", count);
}

namespace {

// Seconds for one orbit or sequence, by stage and by what the stage starts from.
struct Unit {
  double first, second_ideal, second_actual, third_ideal, third_isolated, third_full;
  double of(const GradientRequest& request) const {
    const bool ideal = request.handoff == Handoff::ideal;
    if (request.stage == 1) return first;
    if (request.stage == 2) return ideal ? second_ideal : second_actual;
    return ideal ? third_ideal : request.blocks == Blocks::isolated ? third_isolated : third_full;
  }
};

// The work in one orbit grows with its pairs of positions, less what does not.
double longer(const MinimalTask& task, int measured_at) { return std::pow(task.T / static_cast<double>(measured_at), 1.5); }

}  // namespace

double moments_seconds(const GradientRequest& request) {
  const double T = request.task.T;
  constexpr Unit last = {2.4e-7, 1.6e-6, 2.2e-6, 1.2e-6, 2.4e-6, 0}, any = {2.4e-7, 5e-6, 7e-6, 2e-6, 3.2e-6, 0};
  return 1e-6 + (request.task.query == Query::last ? last : any).of(request) * T * T + (request.stage > 1 ? 1e-4 * T : 0);
}

double exact_seconds(const GradientRequest& request) {
  constexpr Unit unit = {3.3e-5, 2.1e-4, 2.9e-4, 4.2e-4, 6.4e-4, 1.3e-3};
  return count_task_orbits(request.task) * unit.of(request) * longer(request.task, 8);
}

double orbits_seconds(const GradientRequest& request) {
  constexpr Unit unit = {1.4e-6, 2.4e-6, 3.5e-6, 3.3e-6, 4.8e-6, 7.2e-6};
  return count_task_orbits(request.task) * unit.of(request) * longer(request.task, 10);
}

double certified_seconds(const GradientRequest& request) {
  constexpr Unit unit = {2.8e-6, 9e-6, 1.1e-5, 1.2e-5, 2e-5, 3.3e-5};
  return count_task_orbits(request.task) * unit.of(request) * longer(request.task, 10);
}

// The gradient of one sequence is sparse: what it costs hardly depends on N and T.
double enumerate_seconds(const GradientRequest& request) {
  constexpr Unit leading = {4e-5, 1.2e-4, 1.8e-4, 3e-4, 5.5e-4, 8.5e-4}, full = {3.3e-6, 6e-6, 6e-6, 6e-6, 6.5e-6, 6.5e-6};
  return count_sequences(request.task) * (request.order == Order::leading ? leading : full).of(request);
}

double finite_seconds(const GradientRequest& request, std::int64_t draws) {
  const double d = *request.d, passes = request.handoff == Handoff::actual ? request.stage : 1;
  return static_cast<double>(draws) * passes * (5e-4 + count_sequences(request.task) * 2e-6 + 1.4e-7 * d * d);
}

double montecarlo_seconds(const GradientRequest& request, std::int64_t samples, bool second_step) {
  const double T = request.task.T;
  const double each = request.stage == 1 ? 5e-7 + 6e-9 * T * T : 1.2e-6 + 1.2e-8 * T * T;
  // The second step itself is a sum over orbits in doubles.
  return static_cast<double>(samples) * each +
         (second_step ? 1.4e-6 * count_task_orbits(request.task) * longer(request.task, 10) : 0);
}

}  // namespace popgrad
