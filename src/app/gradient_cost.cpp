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

double count_orbits(const MinimalTask& task) {
  // Stirling numbers of the second kind, S(n, k) = k S(n-1, k) + S(n-1, k-1), a row for each n.
  std::vector<double> row = {1};  // n = 0
  double count = 0;
  for (int n = 1; n <= task.T && !std::isinf(count); ++n) {
    row.resize(std::min(static_cast<std::size_t>(n), static_cast<std::size_t>(task.N)) + 1, 0.0);
    for (std::size_t k = row.size() - 1; k > 0; --k) row[k] = static_cast<double>(k) * row[k] + row[k - 1];
    row[0] = 0;
    double partitions = 0;
    for (const double classes : row) partitions += classes;
    if (n >= task.shortest() || std::isinf(partitions)) count += partitions;
  }
  return count;
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

}  // namespace popgrad
