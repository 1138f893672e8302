// Running moments of a sample.
#pragma once
#include <cstdint>

namespace popgrad {

// Count, mean and centred sum of squares; merging in a fixed order gives fixed bits (Chan, Golub, LeVeque).
struct Moments {
  std::int64_t count = 0;
  double mean = 0;
  double squares = 0;  // sum (x - mean)^2

  void add(double x);
  Moments& operator+=(const Moments& other);
  double variance() const;        // unbiased; HypothesisError below two values
  double standard_error() const;  // of the mean
};

}  // namespace popgrad
