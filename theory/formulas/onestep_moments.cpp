#include "theory/formulas/onestep_moments.hpp"

#include "theory/formulas/symbols.hpp"

namespace popgrad {

using symbolic::build;
using symbolic::symbol;

namespace {

// Second moments of B. `mean` is the variance of the average (1/N) sum_i a_i.
struct Centred {
  GiNaC::ex N = symbol("N"), d = symbol("d");
  GiNaC::ex right_variance = 3 / d, wrong_variance = 2 / d;
  GiNaC::ex mean = (right_variance + (N - 1) * wrong_variance) / pow(N, 2);
  GiNaC::ex right_mean = 1 - 1 / N, wrong_mean = -1 / N;

  GiNaC::ex right_right() const { return right_variance * (1 - 2 / N) + mean + pow(right_mean, 2); }
  GiNaC::ex wrong_same() const { return wrong_variance * (1 - 2 / N) + mean + pow(wrong_mean, 2); }
  GiNaC::ex right_wrong() const { return -(right_variance + wrong_variance) / N + mean + right_mean * wrong_mean; }
  GiNaC::ex wrong_wrong() const { return -2 * wrong_variance / N + mean + pow(wrong_mean, 2); }
};

// One fraction, expanded above: equal polynomials print alike.
GiNaC::ex tidy(const GiNaC::ex& expression) {
  const GiNaC::ex parts = expression.numer_denom();
  const GiNaC::ex above = parts.op(0).expand(), below = parts.op(1);
  return above / below;
}

}  // namespace

Formula onestep_mean_right() {
  return build([] { return Centred{}.right_mean; });
}

Formula onestep_mean_wrong() {
  return build([] { return Centred{}.wrong_mean; });
}

Formula onestep_variance_right() {
  return build([] {
    const Centred b;
    return tidy((1 + 2 / b.d) * b.right_right() + (b.N - 1) * b.wrong_same() / b.d - pow(b.right_mean, 2));
  });
}

Formula onestep_variance_wrong() {
  return build([] {
    const Centred b;
    return tidy((1 + 2 / b.d) * b.wrong_same() + (b.right_right() + (b.N - 2) * b.wrong_same()) / b.d -
                pow(b.wrong_mean, 2));
  });
}

Formula onestep_covariance_right_wrong() {
  return build([] {
    const Centred b;
    return tidy((1 + 1 / b.d) * b.right_wrong() - b.right_mean * b.wrong_mean);
  });
}

Formula onestep_covariance_wrong_wrong() {
  return build([] {
    const Centred b;
    return tidy((1 + 1 / b.d) * b.wrong_wrong() - pow(b.wrong_mean, 2));
  });
}

Formula onestep_variance_leading() {
  return build([] { return GiNaC::ex((3 * symbol("d") + 2 * symbol("N")) / pow(symbol("d"), 2)); });
}

Formula onestep_logit_ideal() {
  return build([] { return GiNaC::ex(symbol("eta") * (symbol("delta_jk") - 1 / symbol("N")) / symbol("N")); });
}

}  // namespace popgrad
