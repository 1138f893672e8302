#include "theory/formulas/onestep_accuracy.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <optional>
#include <string>

#include "core/errors.hpp"
#include "theory/formulas/gauss_rules.hpp"
#include "theory/formulas/normed_residual.hpp"
#include "theory/formulas/onestep_angle.hpp"
#include "theory/formulas/onestep_few.hpp"

namespace popgrad {
namespace {

constexpr OnestepOrders fine = {12, 40, 60, 72, 18, 32};
constexpr OnestepOrders coarse = {8, 28, 42, 50, 13, 22};

constexpr int fine_cells = 1600, coarse_cells = 800;

// P(t_d > x) for Student's t with d degrees of freedom.
double student_tail(int d, double x) { return boost::math::cdf(boost::math::complement(boost::math::students_t(d), x)); }

// N = 3: wrong unless the angle phi + theta of L is below 60 degrees in magnitude, where sqrt(d) tan(theta) is Student.
double error_rate_three(int d, const OnestepOrders& orders) {
  constexpr double pi = boost::math::constants::pi<double>();
  const auto tail_beyond = [&](double angle) {
    if (angle >= pi / 2) return 0.0;
    return angle <= -pi / 2 ? 1.0 : student_tail(d, std::sqrt(d) * std::tan(angle));
  };
  double total = 0;
  for (const auto& phi : onestep_angle_rule(3, d, orders))
    total += phi.weight * (tail_beyond(pi / 3 - phi.x) + tail_beyond(pi / 3 + phi.x));
  return total;
}

double error_rate(int N, int d, const OnestepOrders& orders, const MaxNormedResidual& largest) {
  const QuadratureRule chi = onestep_chi_rule(d, orders), rest = onestep_chi_rule(N - 3, orders);
  const QuadratureRule omega = trapezoidal(orders.omega);
  const double scale = std::sqrt(N / (N - 1.0));
  double total = 0;
  for (const auto& phi : onestep_angle_rule(N, d, orders)) {
    const double cosine = std::cos(phi.x), sine = std::sin(phi.x);
    for (const auto& c : chi)
      for (const auto& o : omega) {
        const double difference = scale * (c.x * cosine - o.x * sine), f2 = c.x * sine + o.x * cosine;
        double inner = difference > 0 ? 0 : 1;
        if (difference > 0)
          for (const auto& r : rest) inner += r.weight * largest.exceedance(difference / std::hypot(f2, r.x));
        total += phi.weight * c.weight * o.weight * inner;
      }
  }
  return total;
}

// Everything that depends on N alone.
class Classifier {
 public:
  explicit Classifier(int N) : N_(N) {
    require(N >= 2 && N <= 4096, "onestep_accuracy", "N", "in 2..4096", std::to_string(N));
    if (N < 4) return;
    fine_.emplace(N - 1, fine_cells);
    coarse_.emplace(N - 1, coarse_cells);
  }

  QuadratureValue error_rate(int d) const {
    const double value = best(d), roundoff = 1e-14;
    if (N_ == 2) return {value, roundoff};
    if (N_ == 3) return {value, std::abs(value - error_rate_three(d, coarse)) + roundoff};
    const double lower_order = rate(d, coarse, *fine_), lower_table = rate(d, coarse, *coarse_);
    return {value, std::abs(value - lower_order) + std::abs(lower_order - lower_table) + roundoff};
  }

  // The same value without its error.
  double best(int d) const {
    require(d >= 1, "onestep_accuracy", "d", "at least 1", std::to_string(d));
    if (N_ == 2) return student_tail(d, std::sqrt(d / 3.0));
    return N_ == 3 ? error_rate_three(d, fine) : rate(d, fine, *fine_);
  }

 private:
  // With few tokens the law of M has kinks, which the general integral has to average over: up to N = 11 two of its orders differed by
  // less than their errors. The other one splits there.
  double rate(int d, const OnestepOrders& orders, const MaxNormedResidual& largest) const {
    return N_ < 16 ? onestep_error_rate_few(N_, d, orders, largest) : popgrad::error_rate(N_, d, orders, largest);
  }

  int N_;
  std::optional<MaxNormedResidual> fine_, coarse_;
};

}  // namespace

QuadratureValue onestep_error_rate(int N, int d) { return Classifier(N).error_rate(d); }

QuadratureValue onestep_accuracy(int N, int d) { return onestep_accuracies(N, {d}).front(); }

std::vector<QuadratureValue> onestep_accuracies(int N, const std::vector<int>& dimensions) {
  const Classifier classifier(N);
  std::vector<QuadratureValue> curve;
  for (const int d : dimensions) {
    const QuadratureValue wrong = classifier.error_rate(d);
    curve.push_back({1 - wrong.value, wrong.error});
  }
  return curve;
}

int dimension_for_accuracy(int N, double epsilon) {
  const Classifier classifier(N);
  require(epsilon >= 1e-9 && epsilon < 1 - 1.0 / N, "dimension_for_accuracy", "epsilon", "in 1e-9..1 - 1/N",
          std::to_string(epsilon));
  int below = 0, above = 1;
  while (classifier.best(above) > epsilon) {
    below = above;
    above *= 2;
    require(above <= 1 << 20, "dimension_for_accuracy", "epsilon", "reached by some d <= 2^20", std::to_string(epsilon));
  }
  while (above - below > 1) {
    const int middle = below + (above - below) / 2;
    (classifier.best(middle) > epsilon ? below : above) = middle;
  }
  return above;
}

}  // namespace popgrad
