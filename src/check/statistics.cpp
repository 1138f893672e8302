#include "check/statistics.hpp"

#include <Eigen/Dense>
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

LogRatio log_ratio(const std::vector<std::vector<double>>& above, const std::vector<std::vector<double>>& below) {
  require(!above.empty() && !below.empty(), "log_ratio", "above, below", "not empty", "empty");
  const std::size_t replicates = above.front().size();
  require(replicates >= 2, "log_ratio", "replicates", "at least 2", std::to_string(replicates));
  // Index `replicates` leaves nothing out.
  std::vector<double> logs(replicates + 1, 0.0);
  const auto add = [&](const std::vector<double>& list, double sign) {
    require(list.size() == replicates, "log_ratio", "lists", "of one length", std::to_string(list.size()));
    for (std::size_t out = 0; out <= replicates; ++out) {
      double sum = 0;
      for (std::size_t r = 0; r < replicates; ++r)
        if (r != out) sum += list[r];
      require(sum > 0, "log_ratio", "sums", "positive", std::to_string(sum));
      logs[out] += sign * std::log(sum / static_cast<double>(out == replicates ? replicates : replicates - 1));
    }
  };
  for (const auto& list : above) add(list, 1);
  for (const auto& list : below) add(list, -1);
  Moments left_out;
  for (std::size_t out = 0; out < replicates; ++out) left_out.add(logs[out]);
  const double n = static_cast<double>(replicates);
  return {logs[replicates], std::sqrt((n - 1) / n * left_out.squares)};
}

Fit fit_linear(const std::vector<std::vector<double>>& columns, const std::vector<double>& y, const std::vector<double>& error) {
  const auto points = static_cast<Eigen::Index>(y.size()), count = static_cast<Eigen::Index>(columns.size());
  require(count >= 1 && points >= count && error.size() == y.size(), "fit_linear", "y, error",
          "of one size, at least " + std::to_string(count), std::to_string(y.size()) + ", " + std::to_string(error.size()));
  Eigen::MatrixXd design(points, count);
  Eigen::VectorXd value(points);
  for (Eigen::Index i = 0; i < points; ++i) {
    const auto at = static_cast<std::size_t>(i);
    require(error[at] > 0, "fit_linear", "error", "positive", std::to_string(error[at]));
    value(i) = y[at] / error[at];
    for (Eigen::Index j = 0; j < count; ++j) {
      const auto& column = columns[static_cast<std::size_t>(j)];
      require(column.size() == y.size(), "fit_linear", "columns", std::to_string(y.size()) + " values", std::to_string(column.size()));
      design(i, j) = column[at] / error[at];
    }
  }
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(design);
  require(qr.rank() == count, "fit_linear", "columns", "linearly independent", "rank " + std::to_string(qr.rank()));
  const Eigen::VectorXd solution = qr.solve(value);
  // (X^T X)^-1 = P R^-1 R^-T P^T: the variance of coefficient j is the squared norm of row j of P R^-1.
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(count, count);
  qr.matrixR().topLeftCorner(count, count).triangularView<Eigen::Upper>().solveInPlace(inverse);
  inverse = (qr.colsPermutation() * inverse).eval();
  Fit fit;
  for (Eigen::Index j = 0; j < count; ++j) {
    fit.coefficient.push_back(solution(j));
    fit.error.push_back(inverse.row(j).norm());
  }
  fit.chi2 = (value - design * solution).squaredNorm();
  return fit;
}

}  // namespace popgrad
