#include "core/moments.hpp"

#include <cmath>
#include <string>

#include "core/errors.hpp"

namespace popgrad {

void Moments::add(double x) {
  ++count;
  const double step = x - mean;
  mean += step / static_cast<double>(count);
  squares += step * (x - mean);
}

Moments& Moments::operator+=(const Moments& other) {
  if (other.count == 0) return *this;
  if (count == 0) return *this = other;
  const double n = static_cast<double>(count), m = static_cast<double>(other.count);
  const double gap = other.mean - mean;
  mean += gap * m / (n + m);
  squares += other.squares + gap * gap * n * m / (n + m);
  count += other.count;
  return *this;
}

double Moments::variance() const {
  require(count >= 2, "Moments::variance", "count", "at least 2", std::to_string(count));
  return squares / static_cast<double>(count - 1);
}

double Moments::standard_error() const { return std::sqrt(variance() / static_cast<double>(count)); }

}  // namespace popgrad
