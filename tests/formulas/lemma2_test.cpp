#include "theory/formulas/lemma2.hpp"

#include <array>
#include <cmath>

#include "core/rational.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// x = s(y) + n in one dimension, y on 3 labels, n on 2 values independent of y.
struct FilterLaw {
  std::array<Rational, 3> p, s = {Rational(2), Rational(-1), Rational(5)};
  std::array<Rational, 2> noise = {Rational(3), Rational(-1)}, noise_p = {Rational(1, 4), Rational(3, 4)};

  Rational mean_s() const { return p[0] * s[0] + p[1] * s[1] + p[2] * s[2]; }
  Rational mean_n() const { return noise[0] * noise_p[0] + noise[1] * noise_p[1]; }

  // E[(1/3 - 1{y=k}) x]
  Rational gradient_at_zero(std::size_t k) const {
    Rational total = 0;
    for (std::size_t y = 0; y < 3; ++y)
      for (std::size_t i = 0; i < 2; ++i)
        total += p[y] * noise_p[i] * (Rational(1, 3) - (y == k ? 1 : 0)) * (s[y] + noise[i]);
    return total;
  }
};

const FilterLaw uniform{{Rational(1, 3), Rational(1, 3), Rational(1, 3)}};
const FilterLaw skewed{{Rational(1, 2), Rational(1, 3), Rational(1, 6)}};

}  // namespace

TEST_CASE("lemma 2, identity: coefficient by hand") {
  const Bindings at = {{"p_k", Rational(1, 4)}, {"muhat_k", Rational(3, 2)}, {"mu_k", Rational(1, 2)}};
  CHECK(lemma2_identity().evaluate_exact(at) == Rational(1, 4));
}

TEST_CASE("lemma 2, identity: agrees with the gradient at zero of an enumerated law") {
  for (std::size_t k = 0; k < 3; ++k) {
    const Rational mean = skewed.mean_s() + skewed.mean_n();
    const Bindings at = {{"p_k", skewed.p[k]},
                         {"muhat_k", Rational(mean / 3 / skewed.p[k])},
                         {"mu_k", Rational(skewed.s[k] + skewed.mean_n())}};
    CHECK(lemma2_identity().evaluate_exact(at) == skewed.gradient_at_zero(k));
  }
}

TEST_CASE("lemma 2, filter: with uniform labels the noise cancels, with others it does not") {
  for (std::size_t k = 0; k < 3; ++k) {
    const auto filter = [&](const FilterLaw& law) {
      return lemma2_filter().evaluate_exact({{"N", 3}, {"s_k", law.s[k]}, {"sbar", law.mean_s()}});
    };
    CHECK(filter(uniform) == uniform.gradient_at_zero(k));
    // p_1 = 1/3 = 1/N: this row alone is right by accident
    CHECK((filter(skewed) == skewed.gradient_at_zero(k)) == (k == 1));
  }
}

TEST_CASE("lemma 2, filter with other labels: all terms, and the noise that stays") {
  FilterLaw silent = skewed;
  silent.noise = {Rational(0), Rational(0)};
  for (std::size_t k = 0; k < 3; ++k) {
    const Bindings at = {
        {"N", 3}, {"p_k", skewed.p[k]}, {"s_k", skewed.s[k]}, {"sbar", skewed.mean_s()}, {"nbar", skewed.mean_n()}};
    CHECK(lemma2_labels().evaluate_exact(at) == skewed.gradient_at_zero(k));
    CHECK(lemma2_labels_residue().evaluate_exact(at) == skewed.gradient_at_zero(k) - silent.gradient_at_zero(k));
  }
  // p_2 = 1/3 = 1/N: nothing stays, though the labels are not uniform
  CHECK(lemma2_labels_residue().evaluate_exact({{"N", 3}, {"p_k", skewed.p[1]}, {"nbar", 7}}) == 0);
}

TEST_CASE("lemma 2, filter at W = epsilon V: the first-order residue against a central difference") {
  // One dimension, w_U(k) and V scalars: phat_k = softmax(epsilon w_U(k) V x).
  const std::array<double, 3> out = {1.0, -0.5, 0.5};
  const double V = 0.75;
  const auto coefficient = [&](double epsilon, bool noisy, std::size_t k) {
    double total = 0;
    for (std::size_t y = 0; y < 3; ++y)
      for (std::size_t i = 0; i < 2; ++i) {
        const double x = to_double(uniform.s[y]) + (noisy ? to_double(uniform.noise[i]) : 0.0);
        double sum = 0;
        for (const double w : out) sum += std::exp(epsilon * w * V * x);
        const double phat = std::exp(epsilon * out[k] * V * x) / sum;
        total += to_double(uniform.p[y]) * to_double(uniform.noise_p[i]) * (phat - (y == k ? 1.0 : 0.0)) * x;
      }
    return total;
  };
  double second_x = 0, second_s = 0;
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t i = 0; i < 2; ++i) {
      const double s = to_double(uniform.s[y]), x = s + to_double(uniform.noise[i]);
      second_x += to_double(uniform.p[y] * uniform.noise_p[i]) * x * x;
      second_s += to_double(uniform.p[y] * uniform.noise_p[i]) * s * s;
    }
  const double mean_out = (out[0] + out[1] + out[2]) / 3, spread = (second_x - second_s) * V;
  const double h = 1e-4;
  for (std::size_t k = 0; k < 3; ++k) {
    const Bindings at = {{"N", 3}, {"epsilon", 1}, {"m_k", out[k] * spread}, {"mbar", mean_out * spread}};
    const double predicted = lemma2_weight_residue().evaluate(at);
    const double residue =
        ((coefficient(h, true, k) - coefficient(h, false, k)) - (coefficient(-h, true, k) - coefficient(-h, false, k))) /
        (2 * h);
    // truncation h^2/6 |third derivative|, |x| <= 8, |w V| <= 3/4: third derivative of softmax below (2 * 6)^3; roundoff
    // 1e-15/h
    const double bound = 2 * h * h / 6 * 8 * 12 * 12 * 12 + 1e-14 / h;
    CHECK(std::abs(residue - predicted) <= bound);
    CHECK(std::abs(residue - 3 * predicted) > bound);  // poisoned: the factor 1/N dropped
  }
}

TEST_CASE("lemma 2, variance: general formula by hand and the one-step example by enumeration") {
  CHECK(lemma2_variance().evaluate_exact({{"secondmoment", 5}, {"normsquared", 2}, {"B", 6}}) == Rational(1, 2));
  // G = sum_k (1/N - 1{y=k}) u_k (e_y + p_t)^T in orthonormal coordinates, N = 3 labels, T = 2 positions, one sample.
  const int N = 3, T = 2;
  Rational second = 0, norm2 = 0;
  std::array<std::array<Rational, 5>, 3> mean{};
  for (std::size_t y = 0; y < 3; ++y)
    for (std::size_t t = 0; t < 2; ++t)
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t a = 0; a < 5; ++a) {
          const Rational entry = (Rational(1, N) - (k == y ? 1 : 0)) * (a == y || a == 3 + t ? 1 : 0);
          second += entry * entry / (N * T);
          mean[k][a] += entry / (N * T);
        }
  for (const auto& row : mean)
    for (const auto& entry : row) norm2 += entry * entry;
  CHECK(lemma2_norm2_onestep().evaluate_exact({{"N", N}}) == norm2);
  CHECK(lemma2_variance_onestep().evaluate_exact({{"N", N}, {"B", 1}}) == second - norm2);
  CHECK(lemma2_variance_onestep().evaluate_exact({{"N", N}, {"B", 10}}) == (second - norm2) / 10);
  CHECK(lemma2_variance_onestep().evaluate_exact({{"N", N}, {"B", 1}}) != second);  // poisoned: -||G||^2 dropped
}
