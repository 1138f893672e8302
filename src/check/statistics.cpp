#include "check/statistics.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <string>

#include "core/errors.hpp"

namespace popgrad {
namespace {

double tail(const char* function, double level, double comparisons) {
  require(level > 0 && level < 1, function, "level", "between 0 and 1", std::to_string(level));
  require(comparisons >= 1, function, "comparisons", "at least 1", std::to_string(comparisons));
  return level / (2 * comparisons);
}

}  // namespace

double family_z(double level, double comparisons) {
  return boost::math::quantile(complement(boost::math::normal(), tail("family_z", level, comparisons)));
}

double family_t(double level, double comparisons, double degrees) {
  require(degrees > 0, "family_t", "degrees", "positive", std::to_string(degrees));
  return boost::math::quantile(complement(boost::math::students_t(degrees), tail("family_t", level, comparisons)));
}

Line fit_line(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& error) {
  require(x.size() >= 3 && x.size() == y.size() && x.size() == error.size(), "fit_line", "x, y, error",
          "of one size, at least 3", std::to_string(x.size()));
  double w = 0, wx = 0, wy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    require(error[i] > 0, "fit_line", "error", "positive", std::to_string(error[i]));
    const double weight = 1 / (error[i] * error[i]);
    w += weight;
    wx += weight * x[i];
    wy += weight * y[i];
  }
  const double centre = wx / w;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = 1 / (error[i] * error[i]);
    xx += weight * (x[i] - centre) * (x[i] - centre);
    xy += weight * (x[i] - centre) * y[i];
  }
  require(xx > 0, "fit_line", "x", "at least two different values", "one value");
  Line line;
  line.slope = xy / xx;
  line.intercept = wy / w - line.slope * centre;
  line.slope_error = 1 / std::sqrt(xx);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double residual = (y[i] - line.intercept - line.slope * x[i]) / error[i];
    line.chi2 += residual * residual;
  }
  return line;
}

}  // namespace popgrad
