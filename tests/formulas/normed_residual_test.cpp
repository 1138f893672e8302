#include "theory/formulas/normed_residual.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "core/philox.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("largest normed residual, n = 3: a uniform angle") {
  const MaxNormedResidual largest(3);
  const double top = std::sqrt(2.0 / 3);
  CHECK(largest.exceedance(top + 1e-9) == 0);
  CHECK(largest.exceedance(0.4) == 1);  // the smallest possible maximum is 1/sqrt(6) = 0.408
  CHECK(std::abs(largest.exceedance(1 / std::sqrt(2.0)) - 0.5) <= 1e-14);  // 30 degrees of 60
}

TEST_CASE("largest normed residual: critical values of Grubbs' test, one-sided 5 %") {
  // Grubbs and Beck 1972: (max - mean)/s, s^2 = R^2/(n-1), to three decimals.
  for (const auto& [n, critical] : {std::pair{3, 1.153}, {10, 2.176}, {20, 2.557}, {50, 2.956}, {100, 3.207}}) {
    const MaxNormedResidual largest(n);
    const auto at = [&, n = n](double g) { return largest.exceedance(g / std::sqrt(n - 1.0)); };
    INFO("n=" << n << " exceedance at " << critical << ": " << at(critical));
    CHECK(at(critical - 0.0005) >= 0.05);
    CHECK(at(critical + 0.0005) <= 0.05);
  }
}

TEST_CASE("largest normed residual agrees with simulation") {
  const int n = 7, samples = 100000;
  const MaxNormedResidual largest(n);
  const std::vector<double> places = {0.45, 0.55, 0.65, 0.8};
  std::vector<int> beyond(places.size());
  for (int sample = 0; sample < samples; ++sample) {
    Stream stream(3, Purpose::test, static_cast<std::uint64_t>(sample));
    std::vector<double> x(n);
    for (double& value : x) value = stream.normal();
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
    double square = 0;
    for (const double value : x) square += (value - mean) * (value - mean);
    const double m = (*std::max_element(x.begin(), x.end()) - mean) / std::sqrt(square);
    for (std::size_t i = 0; i < places.size(); ++i) beyond[i] += m > places[i] ? 1 : 0;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double p = largest.exceedance(places[i]), measured = beyond[i] / static_cast<double>(samples);
    const double error = std::sqrt(p * (1 - p) / samples);
    INFO("m=" << places[i] << " predicted " << p << " simulated " << measured << " +- " << error);
    CHECK(std::abs(measured - p) <= 5 * error);
    // poisoned: n independent coordinates instead of a joint law gives another tail where two can exceed
    if (i == 0) CHECK(std::abs(measured - MaxNormedResidual(n + 1).exceedance(places[i])) > 5 * error);
  }
}

TEST_CASE("largest normed residual: halving the grid changes little, and n = 150 stays stable") {
  for (const int n : {5, 63, 150}) {
    const MaxNormedResidual fine(n), coarse(n, 800);
    double change = 0;
    for (int i = 1; i < 400; ++i)
      change = std::max(change, std::abs(fine.exceedance(i / 400.0) - coarse.exceedance(i / 400.0)));
    CHECK(change <= 1e-6);
    CHECK(fine.exceedance(1e-4) == 1);
    double previous = 1;
    for (int i = 1; i < 400; ++i) {
      const double next = fine.exceedance(i / 400.0);
      CHECK(next <= previous + 1e-9);
      previous = next;
    }
  }
}

TEST_CASE("largest normed residual refuses n below 3") {
  CHECK_THROWS_AS(MaxNormedResidual(2), HypothesisError);
  CHECK_THROWS_AS(MaxNormedResidual(10, 2), HypothesisError);
}
