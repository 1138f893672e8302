#include "theory/formulas/gauss_rules.hpp"

#include <Eigen/Eigenvalues>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <string>

#include "core/errors.hpp"

namespace popgrad {
namespace {

void require_count(int count, const char* function) {
  require(count >= 1 && count <= 100, function, "count", "in 1..100", std::to_string(count));
}

QuadratureRule golub_welsch(const Eigen::VectorXd& diagonal, const Eigen::VectorXd& beside) {
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, beside);
  QuadratureRule rule;
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
    const double component = solver.eigenvectors()(0, i);
    rule.push_back({solver.eigenvalues()(i), component * component});
  }
  return rule;
}

}  // namespace

QuadratureRule gauss_hermite(int count) {
  require_count(count, "gauss_hermite");
  Eigen::VectorXd beside(count - 1);
  for (int k = 1; k < count; ++k) beside(k - 1) = std::sqrt(static_cast<double>(k));
  return golub_welsch(Eigen::VectorXd::Zero(count), beside);
}

QuadratureRule gauss_legendre(int count) {
  require_count(count, "gauss_legendre");
  Eigen::VectorXd beside(count - 1);
  for (int k = 1; k < count; ++k) beside(k - 1) = 0.5 * k / std::sqrt(4.0 * k * k - 1);
  return golub_welsch(Eigen::VectorXd::Constant(count, 0.5), beside);
}

QuadratureRule trapezoidal(int count) {
  require(count >= 2 && count <= 1000, "trapezoidal", "count", "in 2..1000", std::to_string(count));
  QuadratureRule rule;
  double total = 0;
  for (int i = 0; i < count; ++i) {
    const double x = -8 + 16.0 * i / (count - 1), density = std::exp(-x * x / 2);
    rule.push_back({x, density});
    total += density;
  }
  for (auto& node : rule) node.weight /= total;
  return rule;
}

QuadratureRule chi_rule(const QuadratureRule& normal, int degrees) {
  require(degrees >= 0, "chi_rule", "degrees", "at least 0", std::to_string(degrees));
  if (degrees == 0) return {{0.0, 1.0}};
  QuadratureRule rule = normal;
  const double shape = degrees / 2.0;
  for (auto& node : rule) {
    const double tail = 0.5 * std::erfc(std::abs(node.x) / std::sqrt(2.0));
    node.x = std::sqrt(2 * (node.x < 0 ? boost::math::gamma_p_inv(shape, tail) : boost::math::gamma_q_inv(shape, tail)));
  }
  return rule;
}

QuadratureRule reduced_rule(const QuadratureRule& law, int count) {
  require_count(count, "reduced_rule");
  require(2 * static_cast<std::size_t>(count) <= law.size(), "reduced_rule", "count", "at most half the number of nodes",
          std::to_string(count));
  Eigen::VectorXd diagonal(count), beside(count - 1);
  std::vector<double> polynomial(law.size(), 1.0), previous(law.size(), 0.0);  // orthonormal, at the nodes
  double beside_previous = 0;
  for (int k = 0; k < count; ++k) {
    double mean = 0, norm = 0;
    for (std::size_t i = 0; i < law.size(); ++i) mean += law[i].weight * law[i].x * polynomial[i] * polynomial[i];
    diagonal(k) = mean;
    if (k + 1 == count) break;
    for (std::size_t i = 0; i < law.size(); ++i) {
      const double next = (law[i].x - mean) * polynomial[i] - beside_previous * previous[i];
      previous[i] = polynomial[i];
      polynomial[i] = next;
      norm += law[i].weight * next * next;
    }
    beside_previous = beside(k) = std::sqrt(norm);
    for (double& value : polynomial) value /= beside_previous;
  }
  return golub_welsch(diagonal, beside);
}

}  // namespace popgrad
