#include "check/power_law.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

PowerLaw law_of(const std::vector<double>& x, double (*value)(double)) {
  std::vector<double> y;
  for (const double at : x) y.push_back(value(at));
  return fit_power_law(x, y, std::vector<double>(x.size(), 0));
}

}  // namespace

TEST_CASE("a pure power has its exponent in every fit, and no truncation") {
  const PowerLaw law = law_of({5, 6, 7, 8, 9}, [](double x) { return 3 * std::pow(x, 1.6); });
  for (const Exponent& local : law.local) CHECK(local.value == Approx(1.6));
  CHECK(law.pure.value == Approx(1.6));
  CHECK(law.next.value == Approx(1.6));
  CHECK(law.truncation() < 1e-9);
  for (std::size_t model = 0; model < law.models.size(); ++model) CHECK(law.at(20, model) == Approx(3 * std::pow(20, 1.6)));
  CHECK(law.local.size() == 4);
}

TEST_CASE("the next order is taken up, the one after it is inside the truncation") {
  const PowerLaw first = law_of({5, 6, 7, 8}, [](double x) { return x * x * std::exp(-3 / x); });
  CHECK(first.pure.value > 2.3);
  CHECK(first.next.value == Approx(2));
  const PowerLaw second = law_of({5, 6, 7, 8, 9}, [](double x) { return x * std::exp(4 / (x * x)); });
  CHECK(second.low() < 1);
  CHECK(second.high() > 1);
  CHECK(std::abs(second.next.value - 1) > 0.05);
  CHECK(second.truncation() > 0.05);
}

TEST_CASE("errors of the data reach the exponent: a local one exactly, a fitted one at least as far as any single value moves it") {
  const std::vector<double> x = {4, 8, 16, 32}, y = {4, 8, 16, 32}, error = {0.04, 0, 0, 0.32};
  const PowerLaw law = fit_power_law(x, y, error);
  CHECK(law.local[0].error == Approx(-std::log(0.99) / std::log(2)));
  CHECK(law.local[1].error == 0);
  std::vector<double> moved = y;
  moved[0] += error[0];
  moved[3] -= error[3];
  CHECK(std::abs(fit_power_law(x, moved, error).next.value - law.next.value) <= law.next.error);
  CHECK(std::abs(fit_power_law(x, moved, error).pure.value - law.pure.value) <= law.pure.error);
}

TEST_CASE("fewer than four sizes, or sizes that do not increase, have no exponent") {
  CHECK_THROWS_AS(fit_power_law({1, 2, 3}, {1, 2, 3}, {0, 0, 0}), HypothesisError);
  CHECK_THROWS_AS(fit_power_law({1, 2, 2, 3}, {1, 2, 3, 4}, {0, 0, 0, 0}), HypothesisError);
  CHECK_THROWS_AS(fit_power_law({1, 2, 3, 4}, {1, 2, 3, 4}, {0, 0, 0, 4}), HypothesisError);
}
