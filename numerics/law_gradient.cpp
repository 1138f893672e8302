#include "numerics/law_gradient.hpp"

#include <string>

#include "numerics/bilinear_logits.hpp"
#include "numerics/scalar.hpp"

namespace popgrad {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

template <class S>
void check(const FiniteLaw<S>& law, const LawWeights<S>& weights) {
  require(weights.w_u.size() == index(law.N * law.d_out), "law_gradient", "w_u",
          std::to_string(law.N * law.d_out) + " entries", std::to_string(weights.w_u.size()));
  require(weights.w.size() == index(law.d_out * law.d_in), "law_gradient", "w",
          std::to_string(law.d_out * law.d_in) + " entries", std::to_string(weights.w.size()));
}

template <class S, class D>
std::vector<D> logits(const FiniteLaw<S>& law, const std::vector<S>& w_u, const std::vector<D>& w, int atom) {
  return bilinear_logits(w_u, w, law.input(atom), law.N, law.d_out, law.d_in);
}

// D = S, or a series over S when W moves.
template <class S, class D>
D excess_loss(const FiniteLaw<S>& law, const std::vector<S>& w_u, const std::vector<D>& w) {
  D loss(0);
  for (int i = 0; i < law.atoms(); ++i) {
    const std::vector<D> l = logits(law, w_u, w, i);
    loss += D(law.probability[index(i)]) * (log_mean_exp(l) - l[index(law.label[index(i)])]);
  }
  return loss;
}

// sum_k (p_hat_k - 1{y=k}) w_U(k), d_out
template <class S>
std::vector<S> output_residual(const FiniteLaw<S>& law, const LawWeights<S>& weights, int atom) {
  std::vector<S> residual = softmax(logits(law, weights.w_u, weights.w, atom));
  residual[index(law.label[index(atom)])] -= S(1);
  std::vector<S> sum(index(law.d_out), S(0));
  for (int k = 0; k < law.N; ++k)
    for (int a = 0; a < law.d_out; ++a)
      add_product(sum[index(a)], residual[index(k)], weights.w_u[index(k * law.d_out + a)]);
  return sum;
}

}  // namespace

template <class S>
S law_excess_loss(const FiniteLaw<S>& law, const LawWeights<S>& weights) {
  check(law, weights);
  return excess_loss(law, weights.w_u, weights.w);
}

template <class S>
S law_directional_derivative(const FiniteLaw<S>& law, const LawWeights<S>& weights, const std::vector<S>& direction) {
  check(law, weights);
  return excess_loss(law, weights.w_u, moved_along(weights.w, direction))[1];
}

template <class S>
std::vector<S> law_gradient(const FiniteLaw<S>& law, const LawWeights<S>& weights) {
  std::vector<S> gradient;
  std::vector<S> direction(weights.w.size(), S(0));
  for (S& entry : direction) {
    entry = S(1);
    gradient.push_back(law_directional_derivative(law, weights, direction));
    entry = S(0);
  }
  return gradient;
}

template <class S>
std::vector<S> law_atom_gradient(const FiniteLaw<S>& law, const LawWeights<S>& weights, int atom) {
  check(law, weights);
  require(0 <= atom && atom < law.atoms(), "law_atom_gradient", "atom", "0 to " + std::to_string(law.atoms() - 1),
          std::to_string(atom));
  const std::vector<S> residual = output_residual(law, weights, atom);
  std::vector<S> gradient;
  for (int a = 0; a < law.d_out; ++a)
    for (int b = 0; b < law.d_in; ++b) gradient.push_back(residual[index(a)] * law.input(atom)[b]);
  return gradient;
}

template <class S>
S law_second_moment(const FiniteLaw<S>& law, const LawWeights<S>& weights) {
  check(law, weights);
  S moment(0);
  for (int i = 0; i < law.atoms(); ++i) {
    S residual_square(0), input_square(0);
    for (const S& r : output_residual(law, weights, i)) residual_square += r * r;
    for (int b = 0; b < law.d_in; ++b) input_square += law.input(i)[b] * law.input(i)[b];
    moment += law.probability[index(i)] * residual_square * input_square;
  }
  return moment;
}

template <class S>
LawMeans<S> law_means(const FiniteLaw<S>& law, const LawWeights<S>& weights) {
  check(law, weights);
  const std::vector<S> zero(index(law.N * law.d_in), S(0));
  LawMeans<S> means{std::vector<S>(index(law.N), S(0)), zero, zero};
  for (int i = 0; i < law.atoms(); ++i) {
    const int y = law.label[index(i)];
    const S& p = law.probability[index(i)];
    const std::vector<S> p_hat = softmax(logits(law, weights.w_u, weights.w, i));
    means.probability[index(y)] += p;
    for (int b = 0; b < law.d_in; ++b) {
      add_product(means.mu[index(y * law.d_in + b)], p, law.input(i)[b]);
      for (int k = 0; k < law.N; ++k)
        add_product(means.mu_hat[index(k * law.d_in + b)], S(p * p_hat[index(k)]), law.input(i)[b]);
    }
  }
  for (int k = 0; k < law.N; ++k)
    for (int b = 0; b < law.d_in; ++b)
      for (std::vector<S>* mean : {&means.mu, &means.mu_hat})
        (*mean)[index(k * law.d_in + b)] = (*mean)[index(k * law.d_in + b)] / means.probability[index(k)];
  return means;
}

#define POPGRAD_INSTANTIATE(S)                                                                             \
  template S law_excess_loss(const FiniteLaw<S>&, const LawWeights<S>&);                                   \
  template S law_directional_derivative(const FiniteLaw<S>&, const LawWeights<S>&, const std::vector<S>&); \
  template std::vector<S> law_gradient(const FiniteLaw<S>&, const LawWeights<S>&);                         \
  template std::vector<S> law_atom_gradient(const FiniteLaw<S>&, const LawWeights<S>&, int);               \
  template S law_second_moment(const FiniteLaw<S>&, const LawWeights<S>&);                                 \
  template LawMeans<S> law_means(const FiniteLaw<S>&, const LawWeights<S>&);
POPGRAD_INSTANTIATE(double)
POPGRAD_INSTANTIATE(RunningError)
POPGRAD_INSTANTIATE(Rational)
using RationalSeries1 = PowerSeries<Rational, 1>;  // W = h V to first order in h
POPGRAD_INSTANTIATE(RationalSeries1)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
