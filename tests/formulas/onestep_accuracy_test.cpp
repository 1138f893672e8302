#include "theory/formulas/onestep_accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/errors.hpp"
#include "simulate_onestep.hpp"
#include "tests/catch.hpp"
#include "theory/formulas/onestep_few.hpp"

using namespace popgrad;

namespace {

struct Simulated {
  double value = 0, error = 0;
};

Simulated simulate(int N, int d, int samples, double position_scale = 1) {
  int right = 0;
  for (int sample = 0; sample < samples; ++sample) {
    const auto logits = popgrad_test::draw_logits(N, d, 11, static_cast<std::uint64_t>(sample), position_scale);
    right += std::max_element(logits.begin(), logits.end()) == logits.begin() ? 1 : 0;
  }
  const double p = right / static_cast<double>(samples);
  return {p, std::sqrt(p * (1 - p) / samples)};
}

}  // namespace

TEST_CASE("one-step accuracy, N = 2: Student's distribution function by hand") {
  // T_1(1/sqrt(3)) = 1/2 + arctan(1/sqrt(3))/pi; T_2(x) = 1/2 + x/(2 sqrt(2 + x^2)) at x^2 = 2/3
  CHECK(std::abs(onestep_accuracy(2, 1).value - 2.0 / 3) <= 1e-13);
  CHECK(std::abs(onestep_accuracy(2, 2).value - 0.75) <= 1e-13);
}

TEST_CASE("one-step accuracy agrees with plain simulation at small N and d") {
  struct Case {
    int N, d;
  };
  for (const Case& c : {Case{2, 3}, Case{3, 1}, Case{3, 4}, Case{4, 2}, Case{5, 3}, Case{8, 6}, Case{12, 2}}) {
    const QuadratureValue predicted = onestep_accuracy(c.N, c.d);
    const Simulated measured = simulate(c.N, c.d, 40000);
    INFO("N=" << c.N << " d=" << c.d << " predicted " << predicted.value << " +- " << predicted.error << " simulated "
              << measured.value << " +- " << measured.error);
    CHECK(predicted.error <= measured.error);  // or the comparison would show nothing
    CHECK(std::abs(measured.value - predicted.value) <= 5 * measured.error + predicted.error);
  }
}

TEST_CASE("one-step error rate for few tokens: the stated error covers the change to a much higher order") {
  constexpr OnestepOrders high = {16, 48, 76, 90, 22, 40};
  for (const auto& [N, d] : std::vector<std::pair<int, int>>{
           {4, 1}, {4, 3}, {4, 12}, {5, 1}, {5, 12}, {7, 3}, {7, 12}, {9, 3}, {9, 24}, {10, 16}, {10, 32}, {11, 24}, {15, 1}, {15, 40}}) {
    const QuadratureValue stated = onestep_error_rate(N, d);
    const double better = onestep_error_rate_few(N, d, high, MaxNormedResidual(N - 1, 3200));
    INFO("N=" << N << " d=" << d << " rate " << stated.value << " stated error " << stated.error << " change at higher order "
              << better - stated.value);
    CHECK(std::abs(better - stated.value) <= stated.error);
  }
}

TEST_CASE("one-step error rate: the general integral from N = 16 on agrees with the one for few tokens, which shares no integrand") {
  constexpr OnestepOrders high = {16, 48, 76, 90, 22, 40};
  for (const auto& [N, d] : std::vector<std::pair<int, int>>{{16, 2}, {16, 12}, {16, 40}, {20, 30}}) {
    const QuadratureValue general = onestep_error_rate(N, d);
    const double few = onestep_error_rate_few(N, d, high, MaxNormedResidual(N - 1, 3200));
    INFO("N=" << N << " d=" << d << " stated error " << general.error << " difference " << few - general.value);
    CHECK(std::abs(few - general.value) <= general.error);
  }
}

TEST_CASE("one-step accuracy: simulation without the position noise is refuted") {
  const QuadratureValue predicted = onestep_accuracy(5, 3);
  const Simulated without = simulate(5, 3, 40000, 0);
  CHECK(std::abs(without.value - predicted.value) > 5 * without.error + predicted.error);
  CHECK(std::abs(onestep_accuracy(5, 4).value - simulate(5, 3, 40000).value) > 0.01);  // a wrong d
}

TEST_CASE("one-step accuracy at N = 64: the simulated values of docs/theory.md") {
  // 0.426, 0.897, 0.9995 are simulated, sample size not stated; about two units of their last digit.
  const auto curve = onestep_accuracies(64, {32, 64, 128});
  CHECK(std::abs(curve[0].value - 0.426) <= 0.002);
  CHECK(std::abs(curve[1].value - 0.897) <= 0.002);
  CHECK(std::abs(curve[2].value - 0.9995) <= 0.0002);
  for (const auto& point : curve) CHECK(point.error <= 1e-6);
  const Simulated measured = simulate(64, 32, 3000);
  CHECK(std::abs(curve[0].value - measured.value) <= 5 * measured.error);
}

TEST_CASE("the accuracy curve is the accuracy, dimension by dimension") {
  const auto curve = onestep_accuracies(9, {5, 2});
  REQUIRE(curve.size() == 2);
  CHECK(curve[0].value == onestep_accuracy(9, 5).value);
  CHECK(curve[1].value == onestep_accuracy(9, 2).value);
}

TEST_CASE("one-step error rate and accuracy add up to one") {
  CHECK(std::abs(onestep_accuracy(9, 5).value + onestep_error_rate(9, 5).value - 1) <= 1e-15);
  CHECK(onestep_error_rate(16, 200).value > 0);
  CHECK(onestep_error_rate(16, 200).value < 1e-6);
}

TEST_CASE("the dimension for an accuracy is the smallest one that reaches it") {
  for (const auto& [N, epsilon] : {std::pair{2, 0.05}, {12, 0.2}}) {
    const int d = dimension_for_accuracy(N, epsilon);
    CHECK(onestep_error_rate(N, d).value <= epsilon);
    CHECK(onestep_error_rate(N, d - 1).value > epsilon);
  }
  CHECK(dimension_for_accuracy(2, 0.4) == 1);  // error 1/3 at d = 1
}

TEST_CASE("one-step accuracy refuses sizes and accuracies out of range") {
  CHECK_THROWS_AS(onestep_accuracy(1, 8), HypothesisError);
  CHECK_THROWS_AS(onestep_accuracy(5000, 8), HypothesisError);
  CHECK_THROWS_AS(onestep_accuracy(8, 0), HypothesisError);
  CHECK_THROWS_AS(dimension_for_accuracy(8, 0.0), HypothesisError);
  CHECK_THROWS_AS(dimension_for_accuracy(8, 0.9), HypothesisError);  // chance is wrong 7 times in 8
}
