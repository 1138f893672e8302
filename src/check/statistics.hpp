// Family-wise quantiles and weighted lines.
#pragma once
#include <vector>

#include "core/moments.hpp"

namespace popgrad {

// Two-sided z such that `comparisons` normal variables all stay inside with probability >= 1 - level (Bonferroni).
// 0 < level < 1, comparisons >= 1.
double family_z(double level, double comparisons);

// The same for Student's t with `degrees` of freedom (> 0), for standard errors estimated from few groups.
double family_t(double level, double comparisons, double degrees);

struct Line {
  double intercept = 0, slope = 0;
  double slope_error = 0;  // standard error from the given errors, not from the residuals
  double chi2 = 0;         // residuals against the given errors, points - 2 degrees of freedom
};

// Least squares y = intercept + slope x with weights 1/error^2; at least 3 points, positive errors, equal sizes.
Line fit_line(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& error);

}  // namespace popgrad
