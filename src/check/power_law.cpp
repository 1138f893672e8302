#include "check/power_law.hpp"

#include <algorithm>
#include <cmath>

#include "check/statistics.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

using Numbers = std::vector<double>;

// (a, p, b_1, ..) of log y = a + p log x + sum_{k=1..terms} b_k (x0/x)^k, every size with the same weight: what is left out of the model
// outweighs the errors of the data by far.
Numbers coefficients(const Numbers& x, const Numbers& log_y, int terms, double x0) {
  std::vector<Numbers> columns(static_cast<std::size_t>(2 + terms));
  for (const double at : x) {
    columns[0].push_back(1);
    columns[1].push_back(std::log(at));
    for (int k = 1; k <= terms; ++k) columns[static_cast<std::size_t>(1 + k)].push_back(std::pow(x0 / at, k));
  }
  return fit_linear(columns, log_y, Numbers(x.size(), 1.0)).coefficient;
}

double slope(const Numbers& x, const Numbers& log_y, int terms) { return coefficients(x, log_y, terms, x.front())[1]; }

// The fit is linear in log y, so moving one value at a time gives its derivative exactly.
Exponent fitted(const Numbers& x, const Numbers& log_y, const Numbers& relative, int terms) {
  Exponent p{slope(x, log_y, terms), 0};
  for (std::size_t i = 0; i < x.size(); ++i) {
    Numbers moved = log_y;
    moved[i] += 1;
    p.error += std::abs(slope(x, moved, terms) - p.value) * relative[i];
  }
  return p;
}

}  // namespace

double PowerLaw::truncation() const { return std::max(without_smallest, with_square); }

double PowerLaw::at(double x, std::size_t model) const {
  const Numbers& c = models.at(model);
  double log_y = c[0] + c[1] * std::log(x);
  for (std::size_t k = 2; k < c.size(); ++k) log_y += c[k] * std::pow(x0 / x, static_cast<double>(k) - 1);
  return std::exp(log_y);
}

PowerLaw fit_power_law(const Numbers& x, const Numbers& y, const Numbers& error) {
  require(x.size() >= 4 && y.size() == x.size() && error.size() == x.size(), "fit_power_law", "sizes", "at least four, each with a value and an error",
          std::to_string(x.size()));
  Numbers log_y, relative;
  for (std::size_t i = 0; i < x.size(); ++i) {
    require(x[i] > 0 && (i == 0 || x[i] > x[i - 1]), "fit_power_law", "x", "positive and increasing", std::to_string(x[i]));
    require(y[i] > 0 && error[i] >= 0 && error[i] < y[i], "fit_power_law", "y", "positive, with a smaller error", std::to_string(y[i]));
    log_y.push_back(std::log(y[i]));
    relative.push_back(-std::log1p(-error[i] / y[i]));
  }
  PowerLaw law;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double step = std::log(x[i] / x[i - 1]);
    law.local.push_back({(log_y[i] - log_y[i - 1]) / step, (relative[i] + relative[i - 1]) / step});
  }
  law.pure = fitted(x, log_y, relative, 0);
  law.next = fitted(x, log_y, relative, 1);
  const Numbers later(x.begin() + 1, x.end()), log_later(log_y.begin() + 1, log_y.end());
  law.x0 = x.front();
  law.models = {coefficients(x, log_y, 1, law.x0), coefficients(x, log_y, 0, law.x0), coefficients(later, log_later, 1, law.x0),
                coefficients(x, log_y, 2, law.x0)};
  law.without_smallest = std::abs(law.models[0][1] - law.models[2][1]);
  law.with_square = std::abs(law.models[0][1] - law.models[3][1]);
  return law;
}

}  // namespace popgrad
