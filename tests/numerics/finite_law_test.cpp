#include "numerics/finite_law.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "numerics/law_gradient.hpp"
#include "numerics/scalar.hpp"

using namespace popgrad;

namespace {

Rational ratio(int p, int q) { return Rational(p) / Rational(q); }

// sum_k p(y=k) w_U(k) (mu_hat_k - mu_k)^T, with each term under the control of a coefficient so that a test can break it.
template <class S>
std::vector<S> lemma2(const LawInstance<S>& instance, const S& mu_factor, bool uniform_labels) {
  const auto& [law, weights] = instance;
  const LawMeans<S> means = law_means(law, weights);
  std::vector<S> gradient(weights.w.size(), S(0));
  for (int k = 0; k < law.N; ++k) {
    const auto row = static_cast<std::size_t>(k);
    const S p = uniform_labels ? S(1) / S(law.N) : means.probability[row];
    for (int a = 0; a < law.d_out; ++a)
      for (int b = 0; b < law.d_in; ++b) {
        const auto at = static_cast<std::size_t>(k * law.d_in + b);
        gradient[static_cast<std::size_t>(a * law.d_in + b)] +=
            p * weights.w_u[static_cast<std::size_t>(k * law.d_out + a)] * (means.mu_hat[at] - mu_factor * means.mu[at]);
      }
  }
  return gradient;
}

template <class S>
std::vector<S> mean_atom_gradient(const LawInstance<S>& instance) {
  std::vector<S> mean(instance.weights.w.size(), S(0));
  for (int i = 0; i < instance.law.atoms(); ++i) {
    const std::vector<S> atom = law_atom_gradient(instance.law, instance.weights, i);
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += instance.law.probability[static_cast<std::size_t>(i)] * atom[j];
  }
  return mean;
}

LawInstance<RunningError> tracked(const LawInstance<double>& instance) {
  return {with_running_error(instance.law), with_running_error(instance.weights)};
}

int outside(const std::vector<RunningError>& a, const std::vector<RunningError>& b) {
  REQUIRE(a.size() == b.size());
  int count = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i].value - b[i].value) <= a[i].error + b[i].error)) ++count;
  return count;
}

}  // namespace

// Four atoms, N = 3, x in the plane; labels 0, 1, 2, 2 with probabilities 1/2, 1/4, 1/8, 1/8.
TEST_CASE("conditional means are one vector a label, as by hand (pitfall 17)", "[finite_law]") {
  FiniteLaw<Rational> law{3, 2, 1, {ratio(1, 2), ratio(1, 4), ratio(1, 8), ratio(1, 8)}, {0, 1, 2, 2}, {}};
  law.x = {1, 2, 3, -4, 5, 6, 7, 0};
  law.validate();
  const LawMeans<Rational> means = law_means(law, {{1, 2, 3}, {0, 0}});
  CHECK(means.probability == std::vector<Rational>{ratio(1, 2), ratio(1, 4), ratio(1, 4)});
  CHECK(means.mu == std::vector<Rational>{1, 2, 3, -4, 6, 3});
  // E[x] = (11/4, 3/4): 1/2 (1,2) + 1/4 (3,-4) + 1/8 (12, 6); at W = 0 mu_hat_k = E[x] / (3 p_k)
  CHECK(means.mu_hat == std::vector<Rational>{ratio(11, 6), ratio(1, 2), ratio(11, 3), 1, ratio(11, 3), 1});
}

// W_U = (1, 0)^T, W = w: the loss is log(1 + exp(-+ w x)), its derivative sum_i p_i x_i (sigma(w x_i) - 1{y_i = 0}).
TEST_CASE("the derivative of a two-label loss is the logistic one", "[finite_law]") {
  const FiniteLaw<double> law{2, 1, 1, {0.5, 0.25, 0.25}, {0, 1, 1}, {1.5, -2, 1.5}};
  const LawWeights<double> weights{{1, 0}, {0.75}};
  const auto sigma = [](double s) { return 1 / (1 + std::exp(-s)); };
  const double by_hand = 0.5 * 1.5 * (sigma(1.125) - 1) + 0.25 * -2 * sigma(-1.5) + 0.25 * 1.5 * sigma(1.125);
  CHECK(law_gradient(law, weights)[0] == Approx(by_hand).epsilon(1e-14));
  const double loss =
      0.5 * std::log1p(std::exp(-1.125)) + 0.25 * std::log1p(std::exp(-1.5)) + 0.25 * std::log1p(std::exp(1.125));
  CHECK(law_excess_loss(law, weights) + std::log(2) == Approx(loss).epsilon(1e-14));
  CHECK(law_directional_derivative(law, weights, {-2}) == Approx(-2 * by_hand).epsilon(1e-14));
}

TEST_CASE("the gradient differentiated from the loss is the chain rule's and Lemma 2's, broken lemmas are not (pitfall 11)",
          "[finite_law]") {
  for (const LawShape shape : {LawShape{}, LawShape{2, 1, 3, 2}, LawShape{5, 3, 2, 17}})
    for (std::uint64_t sample = 0; sample < 3; ++sample) {
      INFO("N = " << shape.N << ", sample " << sample);
      const auto instance = tracked(random_law(shape, 1, sample));
      const auto measured = law_gradient(instance.law, instance.weights);
      CHECK(outside(measured, mean_atom_gradient(instance)) == 0);
      CHECK(outside(measured, lemma2(instance, RunningError(1), false)) == 0);
      CHECK(outside(measured, lemma2(instance, RunningError(0), false)) > 0);   // drop -mu_k
      CHECK(outside(measured, lemma2(instance, RunningError(-1), false)) > 0);  // its sign
      CHECK(outside(measured, lemma2(instance, RunningError(1), true)) > 0);    // uniform p(y = k)
      for (const RunningError& g : measured) REQUIRE(g.error < 1e-12);
    }
}

TEST_CASE("rational laws at W = 0 agree exactly, through two routes", "[finite_law]") {
  for (std::uint64_t sample = 0; sample < 3; ++sample) {
    const auto instance = random_rational_law({4, 3, 2, 11}, 5, sample);
    const auto measured = law_gradient(instance.law, instance.weights);
    CHECK(law_excess_loss(instance.law, instance.weights) == 0);
    CHECK(measured == mean_atom_gradient(instance));
    CHECK(measured == lemma2(instance, Rational(1), false));
    CHECK(measured != lemma2(instance, ratio(11, 10), false));
  }
}

TEST_CASE("at W = 0 with uniform labels the law of the noise cancels, with other labels it does not", "[finite_law]") {
  const std::vector<Rational> signal = {1, 0, 2, ratio(1, 2), -1, 3};                  // 3 labels in the plane
  const std::vector<Rational> quiet = {0, 0}, loud = {5, -7, ratio(1, 3), 2, -9, 40};  // one and three noise values
  const LawWeights<Rational> weights{{1, 2, -1, 4, 3, 5}, {0, 0, 0, 0}};
  const auto gradient = [&](const std::vector<int>& labels, const std::vector<int>& r, const std::vector<Rational>& noise) {
    return law_gradient(signal_plus_noise(labels, signal, r, noise, 2, 2), weights);
  };
  CHECK(gradient({1, 1, 1}, {1}, quiet) == gradient({1, 1, 1}, {1, 2, 3}, loud));
  CHECK(gradient({2, 1, 1}, {1}, quiet) != gradient({2, 1, 1}, {1, 2, 3}, loud));
}

// x = w_E(y) + p_t, orthonormal: N + T coordinates, W_U = identity.
TEST_CASE("the second moment of the one-step example is 2(1 - 1/N), its squared gradient (N-1)/N^2", "[finite_law]") {
  const int N = 3, T = 4, d = N + T;
  std::vector<Rational> signal(static_cast<std::size_t>(N * d)), noise(static_cast<std::size_t>(T * d));
  for (int k = 0; k < N; ++k) signal[static_cast<std::size_t>(k * d + k)] = 1;
  for (int t = 0; t < T; ++t) noise[static_cast<std::size_t>(t * d + N + t)] = 1;
  const auto law = signal_plus_noise({1, 1, 1}, signal, {1, 1, 1, 1}, noise, d, N);
  LawWeights<Rational> weights{{1, 0, 0, 0, 1, 0, 0, 0, 1}, std::vector<Rational>(static_cast<std::size_t>(N * d))};
  CHECK(law_second_moment(law, weights) == ratio(4, 3));
  const auto gradient = law_gradient(law, weights);
  Rational square(0);
  for (const Rational& g : gradient) square += g * g;
  CHECK(square == ratio(2, 9));
  CHECK(gradient[0] == ratio(-1, 3) * ratio(2, 3));  // -(1/N)(delta - 1/N)
  CHECK(gradient[1] == ratio(1, 9));
  for (int t = 0; t < T; ++t) CHECK(gradient[static_cast<std::size_t>(N + t)] == 0);
}

TEST_CASE("the second moment is the mean squared norm of the atom gradients", "[finite_law]") {
  const auto [law, weights] = random_law({}, 3, 0);
  double mean = 0;
  for (int i = 0; i < law.atoms(); ++i) {
    double square = 0;
    for (const double g : law_atom_gradient(law, weights, i)) square += g * g;
    mean += law.probability[static_cast<std::size_t>(i)] * square;
  }
  CHECK(law_second_moment(law, weights) == Approx(mean).epsilon(1e-13));  // about 100 roundings of positive terms
}

TEST_CASE("random laws are reproducible, differ by sample, and have uneven positive labels", "[finite_law]") {
  const auto a = random_law({}, 1, 0), again = random_law({}, 1, 0), b = random_law({}, 1, 1), c = random_law({}, 2, 0);
  CHECK(a.law.x == again.law.x);
  CHECK(a.weights.w == again.weights.w);
  CHECK(a.law.x != b.law.x);
  CHECK(a.law.x != c.law.x);
  const auto p = law_means(a.law, a.weights).probability;
  for (std::size_t k = 0; k < p.size(); ++k) {
    CHECK(p[k] > 0);
    for (std::size_t j = 0; j < k; ++j) CHECK(std::abs(p[k] - p[j]) > 1e-3);
  }
  // some x is shared by two atoms: p(y|x) is not all 0 and 1
  int shared = 0;
  for (int i = 0; i < a.law.atoms(); ++i)
    for (int j = 0; j < i; ++j)
      if (std::equal(a.law.input(i), a.law.input(i) + a.law.d_in, a.law.input(j))) ++shared;
  CHECK(shared > 0);
}

TEST_CASE("laws that are none are refused", "[finite_law]") {
  const FiniteLaw<Rational> good{2, 1, 1, {ratio(1, 3), ratio(2, 3)}, {0, 1}, {1, 2}};
  CHECK_NOTHROW(good.validate());
  auto law = good;
  law.probability[0] = ratio(1, 4);
  CHECK_THROWS_AS(law.validate(), HypothesisError);  // sum below 1
  law = good;
  law.label[1] = 0;
  CHECK_THROWS_AS(law.validate(), HypothesisError);  // label 1 never occurs
  law = good;
  law.probability = {ratio(4, 3), ratio(-1, 3)};
  CHECK_THROWS_AS(law.validate(), HypothesisError);  // negative
  law = good;
  law.x.pop_back();
  CHECK_THROWS_AS(law.validate(), HypothesisError);
  const LawWeights<Rational> moved{{1, 2}, {1}};
  CHECK_THROWS_AS(law_gradient(good, moved), HypothesisError);  // p_hat irrational at W != 0
  CHECK_THROWS_AS(law_gradient(good, {{1, 2, 3}, {0}}), HypothesisError);
  CHECK_THROWS_AS(random_law({3, 2, 2, 2}, 1, 0), HypothesisError);  // fewer atoms than labels
  CHECK_THROWS_AS(signal_plus_noise<double>({1, 0}, {1, 2}, {1}, {0}, 1, 1), HypothesisError);
}
