// The exponent of y ~ x^p from few sizes, with how far the choice of model moves it.
#pragma once
#include <string>
#include <vector>

namespace popgrad {

struct Exponent {
  double value = 0, error = 0;  // error: of the data, |dp/dlog y_i| times the relative errors, added up
};

struct PowerLaw {
  std::vector<Exponent> local;  // between neighbouring sizes
  Exponent pure;                // log y = a + p log x, all sizes alike
  Exponent next;                // log y = a + p log x + b/x: the next order of an expansion in 1/x
  // How far `next` moves when the smallest size is left out, and when c/x^2 is added. An estimate of what the terms left out do, for an
  // exponent at x -> infinity; the larger of the two is the truncation.
  double without_smallest = 0, with_square = 0;
  double truncation() const;
  // y at any x from each of the four fits: log y = coefficients . (1, log x, x0/x, (x0/x)^2), x0 the smallest size. The first is `next`.
  std::vector<std::vector<double>> models;
  double x0 = 1;
  double at(double x, std::size_t model = 0) const;
  // Ends of next -+ (error + truncation).
  double low() const { return next.value - next.error - truncation(); }
  double high() const { return next.value + next.error + truncation(); }
};

// HypothesisError unless there are at least four sizes, increasing and positive, with positive values and non-negative errors. With four
// sizes c/x^2 fits exactly and says how much a fifth unknown could move.
PowerLaw fit_power_law(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& error);

}  // namespace popgrad
