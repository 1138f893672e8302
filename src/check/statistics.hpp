// Family-wise quantiles and weighted least squares.
#pragma once
#include <vector>

#include "core/moments.hpp"

namespace popgrad {

// Two-sided z such that `comparisons` normal variables all stay inside with probability >= 1 - level (Bonferroni).
// 0 < level < 1, comparisons >= 1.
double family_z(double level, double comparisons);

// The same for Student's t with `degrees` of freedom (> 0), for standard errors estimated from few groups.
double family_t(double level, double comparisons, double degrees);

struct LogRatio {
  double value = 0;  // natural logarithm
  double error = 0;  // standard error, from replicates; replicates - 1 degrees of freedom
};

// log of the product of the sums of `above` over the product of the sums of `below`, each list one value a replicate, and its jackknife error:
// replicate r of every list is left out at once, so what replicates have in common counts. A bias of second order in the scatter stays.
// HypothesisError unless there are at least two replicates, as many in each list, and every sum that is left is positive.
LogRatio log_ratio(const std::vector<std::vector<double>>& above, const std::vector<std::vector<double>>& below);

struct Fit {
  std::vector<double> coefficient, error;  // errors from the given ones, not from the residuals
  double chi2 = 0;                         // residuals against the given errors; points - columns degrees of freedom
};

// Least squares y = sum_j coefficient_j columns[j] with weights 1/error^2. HypothesisError unless all sizes agree, there are
// at least as many points as columns, errors are positive and the columns are linearly independent.
Fit fit_linear(const std::vector<std::vector<double>>& columns, const std::vector<double>& y, const std::vector<double>& error);

}  // namespace popgrad
