#include "check/entry.hpp"

#include <limits>
#include <utility>

#include "core/errors.hpp"

namespace popgrad {

double Entry::ratio() const {
  const double gap = std::abs(difference);
  const double allowed = budget.total();
  if (std::isnan(gap) || std::isnan(allowed)) return std::numeric_limits<double>::infinity();
  if (gap == 0) return 0;
  return allowed > 0 ? gap / allowed : std::numeric_limits<double>::infinity();
}

Entry entry(std::string name, double predicted, double measured, const Budget& budget, bool signal) {
  return {std::move(name), predicted, measured, measured - predicted, budget, signal, {}};
}

double roundoff_bound(double terms, double sum_of_magnitudes) {
  constexpr double u = 0x1.0p-53;
  require(terms >= 0 && terms * u < 0.5, "roundoff_bound", "terms", "between 0 and 2^52", std::to_string(terms));
  return terms * u / (1 - terms * u) * sum_of_magnitudes;
}

}  // namespace popgrad
