// L2.identity: the gradient sees the data through conditional means only, at every W.
#include <algorithm>
#include <functional>

#include "numerics/law_gradient.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/bounded_form.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/lemma2.hpp"

namespace popgrad {
namespace {

Entry make_entry(const std::string& name, const RunningError& predicted, const RunningError& measured) {
  return entry(name, predicted.value, measured.value, Budget{measured.error + predicted.error, 0, 0}, true);
}
Entry make_entry(const std::string& name, const Rational& predicted, const Rational& measured) {
  return exact_entry(name, predicted, measured, true);
}

// v(k, i): coordinate i of the vector that multiplies w_U(k).
template <class S>
using Coordinate = std::function<S(int k, int i)>;

template <class S>
std::vector<Entry> entries(const LawInstance<S>& instance, const std::vector<S>& measured, const Coordinate<S>& v) {
  const FiniteLaw<S>& law = instance.law;
  std::vector<Entry> list;
  for (int row = 0; row < law.d_out; ++row)
    for (int i = 0; i < law.d_in; ++i) {
      S predicted(0);
      for (int k = 0; k < law.N; ++k) predicted += instance.weights.w_u[static_cast<std::size_t>(k * law.d_out + row)] * v(k, i);
      list.push_back(make_entry("dL/dW[" + std::to_string(row + 1) + "," + std::to_string(i + 1) + "]", predicted,
                                measured[static_cast<std::size_t>(row * law.d_in + i)]));
    }
  return list;
}

template <class S>
Row check(const LawInstance<S>& instance, const std::string& where, Grade grade, bool at_zero) {
  const FiniteLaw<S>& law = instance.law;
  const std::vector<S> measured = law_gradient(law, instance.weights);
  const LawMeans<S> means = law_means(law, instance.weights);
  LawWeights<S> zero_weights = instance.weights;
  for (S& w : zero_weights.w) w = S(0);
  const LawMeans<S> untrained = law_means(law, zero_weights);
  const GapForm form{lemma2_identity(), "p_k", "muhat_k", "mu_k"};

  const auto p = [&](int k) { return means.probability[static_cast<std::size_t>(k)]; };
  const auto mu = [&](int k, int i) { return means.mu[static_cast<std::size_t>(k * law.d_in + i)]; };
  const auto mu_hat = [&](int k, int i) { return means.mu_hat[static_cast<std::size_t>(k * law.d_in + i)]; };
  const Coordinate<S> right = [&](int k, int i) { return form.at(p(k), mu_hat(k, i), mu(k, i)); };
  const auto with = [&](const Coordinate<S>& wrong) { return [&, wrong] { return entries(instance, measured, wrong); }; };

  std::vector<Control> controls = {
      {"sign", "descent instead of ascent", with([&](int k, int i) { return -right(k, i); })},
      {"factor 1.1", "every coefficient ten per cent too large", with([&](int k, int i) { return right(k, i) * S(11) / S(10); })},
      {"drop -mu_k", "the prediction without the data", with([&](int k, int i) { return form.at(p(k), mu_hat(k, i), S(0)); })},
      {"p(y=k) uniform", "every label equally likely",
       with([&](int k, int i) { return form.at(S(1) / S(law.N), mu_hat(k, i), mu(k, i)); })},
      {"muhat not divided", "muhat_k = E[phat_k x], its division by p(y=k) forgotten",
       with([&](int k, int i) { return form.at(p(k), mu_hat(k, i) * p(k), mu(k, i)); })},
      {"labels shifted", "mu of the next label", with([&](int k, int i) { return form.at(p(k), mu_hat(k, i), mu((k + 1) % law.N, i)); })}};
  if (!at_zero)
    controls.push_back({"muhat at W = 0", "the prediction of the untrained model", with([&](int k, int i) {
                          return form.at(p(k), untrained.mu_hat[static_cast<std::size_t>(k * law.d_in + i)], mu(k, i));
                        })});
  const std::vector<Entry> list = entries(instance, measured, right);
  return judge("L2.identity", "", where, grade, list, default_effect(list), controls);
}

// The first law from `sample` on, in steps of 1000, whose labels are not uniform by chance: the claim is about any law, but the
// control "p(y=k) uniform" needs one that is not.
LawInstance<double> uneven_law(const LawShape& shape, std::uint64_t seed, std::uint64_t sample) {
  for (;; sample += 1000) {
    LawInstance<double> law = random_law(shape, seed, sample);
    const std::vector<double> p = law_means(law.law, law.weights).probability;
    const auto [low, high] = std::minmax_element(p.begin(), p.end());
    if (*high > 1.05 * *low) return law;
  }
}

std::string describe(const LawShape& s, const char* w) {
  return "N=" + std::to_string(s.N) + " d_in=" + std::to_string(s.d_in) + " d_out=" + std::to_string(s.d_out) +
         " atoms=" + std::to_string(s.atoms) + " " + w;
}

std::vector<Row> run(const ClaimContext& context) {
  std::vector<Row> rows;
  std::uint64_t sample = 0;
  for (LawShape shape : {LawShape{3, 4, 5, 12}, LawShape{5, 3, 2, 20}, LawShape{2, 6, 3, 7}, LawShape{8, 5, 9, 40}}) {
    // One forward pass an entry: beyond these sizes the check would take minutes and show nothing more.
    if (context.N) shape.N = std::min(*context.N, 32);
    if (context.d) shape.d_in = shape.d_out = std::min(*context.d, 16);
    shape.atoms = std::max(shape.atoms, 2 * shape.N);
    rows.push_back(timed([&] {
      const LawInstance<double> law = uneven_law(shape, context.seed, sample);
      return check<RunningError>({with_running_error(law.law), with_running_error(law.weights)}, describe(shape, "W random"),
                                 Grade::enumerated, false);
    }));
    ++sample;
    if (context.N) break;
  }
  const int N = std::min(context.N.value_or(4), 32), d = std::min(context.d.value_or(0), 16);
  const LawShape shape{N, d > 0 ? d : 3, d > 0 ? d : 5, 2 * N + 2};
  rows.push_back(timed([&] {
    return check<Rational>(random_rational_law(shape, context.seed, sample), describe(shape, "W=0"), Grade::exact, true);
  }));
  return rows;
}

}  // namespace

Claim claim_l2_identity() {
  return {"L2.identity",
          "L(W) = E l(y, W_U W x) has the gradient sum_k p(y=k) w_U(k)(muhat_k - mu_k)^T, mu_k = E[x|y=k], muhat_k = "
          "E[phat_W(k|x) x]/p(y=k), at every W and for every joint law of (x, y).",
          {"cross-entropy loss", "p(y=k) > 0 for every k", "laws with finitely many atoms, drawn at random"},
          "Lemma 2 of the paper; docs/theory.md, section 4",
          closed_forms("L2.identity"),
          run,
          {"N", "d"}};
}

}  // namespace popgrad
