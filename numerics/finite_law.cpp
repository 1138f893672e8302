#include "numerics/finite_law.hpp"

#include <numeric>
#include <string>

#include "numerics/scalar.hpp"

namespace popgrad {
namespace {

void require_size(const char* argument, std::size_t expected, std::size_t got) {
  require(got == expected, "FiniteLaw", argument, std::to_string(expected) + " entries", std::to_string(got));
}

int total(const std::vector<int>& weights, const char* argument) {
  require(!weights.empty(), "signal_plus_noise", argument, "at least one", "none");
  for (const int w : weights) require(w > 0, "signal_plus_noise", argument, "positive weights", std::to_string(w));
  return std::accumulate(weights.begin(), weights.end(), 0);
}

}  // namespace

template <class S>
void FiniteLaw<S>::validate() const {
  require(N >= 2, "FiniteLaw", "N", "at least 2", std::to_string(N));
  require(d_in >= 1 && d_out >= 1, "FiniteLaw", "d_in, d_out", "at least 1",
          std::to_string(d_in) + ", " + std::to_string(d_out));
  require_size("probability", label.size(), probability.size());
  require_size("x", label.size() * static_cast<std::size_t>(d_in), x.size());
  std::vector<S> of_label(static_cast<std::size_t>(N), S(0));
  S sum(0);
  for (std::size_t i = 0; i < label.size(); ++i) {
    require(0 <= label[i] && label[i] < N, "FiniteLaw", "label", "0 to " + std::to_string(N - 1), std::to_string(label[i]));
    require(!precedes(probability[i], S(0)), "FiniteLaw", "probability", "none negative", "one");
    of_label[static_cast<std::size_t>(label[i])] += probability[i];
    sum += probability[i];
  }
  for (const S& p : of_label)
    require(precedes(S(0), p), "FiniteLaw", "probability", "every label with positive probability", "a label with 0");
  // Each double probability is within u of its value relative to it, and the sum rounds atoms times.
  const double slack = std::is_same_v<S, Rational> ? 0 : (static_cast<double>(label.size()) + 2) * 0x1p-53;
  require(size_of(S(sum - S(1))) <= slack, "FiniteLaw", "probability", "sum 1", std::to_string(size_of(sum)));
}

template <class S>
FiniteLaw<S> signal_plus_noise(const std::vector<int>& label_weights, const std::vector<S>& signal,
                               const std::vector<int>& noise_weights, const std::vector<S>& noise, int d_in, int d_out) {
  const int label_total = total(label_weights, "label_weights");
  const int noise_total = total(noise_weights, "noise_weights");
  require_size("signal", label_weights.size() * static_cast<std::size_t>(d_in), signal.size());
  require_size("noise", noise_weights.size() * static_cast<std::size_t>(d_in), noise.size());
  FiniteLaw<S> law{static_cast<int>(label_weights.size()), d_in, d_out, {}, {}, {}};
  const auto d = static_cast<std::size_t>(d_in);
  for (std::size_t k = 0; k < label_weights.size(); ++k) {
    for (std::size_t j = 0; j < noise_weights.size(); ++j) {
      law.label.push_back(static_cast<int>(k));
      law.probability.push_back(S(S(label_weights[k]) * S(noise_weights[j])) / S(S(label_total) * S(noise_total)));
      for (std::size_t i = 0; i < d; ++i) law.x.push_back(signal[k * d + i] + noise[j * d + i]);
    }
  }
  law.validate();
  return law;
}

FiniteLaw<RunningError> with_running_error(const FiniteLaw<double>& law) {
  return {
      law.N, law.d_in, law.d_out, {law.probability.begin(), law.probability.end()}, law.label, {law.x.begin(), law.x.end()}};
}

LawWeights<RunningError> with_running_error(const LawWeights<double>& weights) {
  return {{weights.w_u.begin(), weights.w_u.end()}, {weights.w.begin(), weights.w.end()}};
}

template struct FiniteLaw<double>;
template struct FiniteLaw<RunningError>;
template struct FiniteLaw<Rational>;
using RationalSeries1 = PowerSeries<Rational, 1>;
template struct FiniteLaw<RationalSeries1>;
template FiniteLaw<RationalSeries1> signal_plus_noise(const std::vector<int>&, const std::vector<RationalSeries1>&,
                                                      const std::vector<int>&, const std::vector<RationalSeries1>&, int, int);
template FiniteLaw<double> signal_plus_noise(const std::vector<int>&, const std::vector<double>&, const std::vector<int>&,
                                             const std::vector<double>&, int, int);
template FiniteLaw<Rational> signal_plus_noise(const std::vector<int>&, const std::vector<Rational>&,
                                               const std::vector<int>&, const std::vector<Rational>&, int, int);

}  // namespace popgrad
