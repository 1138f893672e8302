// The oracle's two derivatives, Boost's and the bounded one, against closed forms; and its roundoff bound against extended
// precision.
#include "tests/oracle/autodiff.hpp"

#include <cmath>

#include "core/philox.hpp"
#include "tests/catch.hpp"
#include "tests/oracle/finite_oracle.hpp"
#include "tests/oracle/softmax.hpp"

using namespace popgrad;
using namespace popgrad::oracle;

namespace {

// The derivative of both scalars is p - e_label, up to the bound.
void check_cross_entropy(const std::vector<double>& logits, int label, const std::vector<double>& probabilities) {
  const auto loss = [&](const auto& theta) { return cross_entropy(theta, label); };
  for (std::size_t i = 0; i < logits.size(); ++i) {
    std::vector<BoundedDual> bounded(logits.begin(), logits.end());
    bounded[i] = BoundedDual::variable(logits[i]);
    const double expected = probabilities[i] - (static_cast<int>(i) == label ? 1 : 0);
    const Derivative found = derivative(loss, logits, i);
    const double other = loss(bounded).derivative.value;
    INFO("logit " << i);
    CHECK(std::isfinite(found.value));
    CHECK(found.error < 1e-12);
    CHECK(std::abs(found.value - expected) <= agreement(found, 3));
    CHECK(std::abs(other - expected) <= agreement(found, 3));
  }
}

FiniteParameters<double> random_parameters(Stream& stream, int N, int T, int d) {
  const auto matrix = [&](int rows, int columns) {
    std::vector<double> m(static_cast<std::size_t>(rows * columns));
    for (double& entry : m) entry = stream.normal() / (rows == columns ? std::sqrt(static_cast<double>(d)) : 1);
    return m;
  };
  return {N,
          T,
          d,
          matrix(N, d),
          matrix(T, d),
          matrix(N, d),
          matrix(d, d),
          matrix(d, d),
          matrix(d, d),
          matrix(d, d),
          matrix(d, d),
          matrix(d, d),
          matrix(d, d),
          0.7,
          true};
}

}  // namespace

TEST_CASE("autodiff of a two-logit cross-entropy is p - e") {
  const double p0 = 1 / (1 + std::exp(-1.4));
  check_cross_entropy({0.3, -1.1}, 0, {p0, 1 / (1 + std::exp(1.4))});
  check_cross_entropy({0.3, -1.1}, 1, {p0, 1 / (1 + std::exp(1.4))});
}

TEST_CASE("autodiff stays finite where a plain softmax overflows") {
  check_cross_entropy({-431, 279, 427}, 0, {0, std::exp(-148.0), 1});
  check_cross_entropy({700, -700}, 1, {1, 0});
  CHECK(cross_entropy(std::vector<double>{700, -700}, 1) == 1400);
  CHECK(cross_entropy(std::vector<double>{700, -700}, 0) == 0);
}

TEST_CASE("bounded derivative: product, quotient, exp and log follow the rules of calculus") {
  const double at = 1.75;
  const BoundedDual x = BoundedDual::variable(at);
  const auto check = [](const BoundedDual& found, double derivative) {
    CHECK(found.derivative.error() < 200 * 0x1.0p-53 * std::abs(derivative));  // 40 roundings, cancellation 5
    CHECK(std::abs(found.derivative.value - derivative) <= 2 * found.derivative.error());
  };
  check(x * x, 2 * at);
  check(BoundedDual(3.0) / x, -3 / (at * at));
  check(x / (x * x + 1.0), (1 - at * at) / ((at * at + 1) * (at * at + 1)));
  check(exp(x * x), 2 * at * std::exp(at * at));
  check(log(x * x), 2 / at);
  check(-x - 1.0, -1);
}

TEST_CASE("bounded numbers pay for cancellation") {
  const BoundedDual x = BoundedDual(0x1.0p53) + BoundedDual(1.0) - BoundedDual(0x1.0p53);  // 1 in exact arithmetic
  CHECK(x.value.value == 0);
  CHECK(x.value.error() >= 1);
  CHECK(x.value.error() < 16);
}

TEST_CASE("the roundoff bound of a forward pass contains the error, and is not idle") {
  Stream stream(1, Purpose::test, 20);
  const auto p = random_parameters(stream, 3, 5, 4);
  const std::vector<int> tokens = {0, 2, 2, 1, 0};
  const auto loss = [&](const auto& theta) { return finite_loss(with_trained_entries(p, theta), tokens, {{4, 1}, {2, 0}}); };
  const std::vector<double> theta = trained_entries(p);
  const Derivative bounded = value(loss, theta);
  CHECK(std::abs(bounded.value - loss(theta)) <= 2 * bounded.error);
  CHECK(bounded.error > 0);
  CHECK(bounded.error < 1e-6 * std::abs(bounded.value));  // worst case over signs, yet far below any wrong formula
  // Rounding one entry of one map moves the loss by |derivative * entry| u; a bound below that would be wrong.
  const auto derivatives = gradient(loss, theta);
  double moved = 0;
  for (std::size_t i = 0; i < theta.size(); ++i)
    moved = std::max(moved, std::abs(derivatives[i].value * theta[i]) * 0x1.0p-53);
  CHECK(bounded.error >= moved);
}

TEST_CASE("Boost's derivative of the whole model agrees with the bounded one, entry by entry") {
  Stream stream(1, Purpose::test, 21);
  const auto p = random_parameters(stream, 3, 4, 3);
  const auto loss = [&](const auto& theta) {
    return finite_loss(with_trained_entries(p, theta), {0, 2, 1, 0}, {{3, 1}, {1, 2}});
  };
  const std::vector<double> theta = trained_entries(p);
  double largest = 0;
  for (std::size_t i = 0; i < theta.size(); ++i) {
    const Derivative found = derivative(loss, theta, i);
    std::vector<BoundedDual> bounded(theta.begin(), theta.end());
    bounded[i] = BoundedDual::variable(theta[i]);
    INFO("entry " << i);
    CHECK(std::abs(found.value - loss(bounded).derivative.value) <= 2 * found.error);
    largest = std::max(largest, std::abs(found.value));
  }
  CHECK(largest > 0.1);  // something was compared
}
