// L2.onestep with orthonormal embeddings: every logit, exactly.
#include <functional>

#include "numerics/law_gradient.hpp"
#include "numerics/onestep_law.hpp"
#include "theory/claims/l2_onestep_parts.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/onestep_moments.hpp"

namespace popgrad {
namespace {

// Logits after one step of size 1, indexed [j][k][t]; W_1 = -grad L(0), W_U = I.
std::vector<Rational> measure(int N, int T, const std::vector<int>& labels) {
  const LawInstance<Rational> instance = onestep_law(N, T, labels);
  const std::vector<Rational> gradient = law_gradient(instance.law, instance.weights);
  const auto weight = [&](int j, int column) { return Rational(-gradient[static_cast<std::size_t>(j * (N + T) + column)]); };
  std::vector<Rational> logits;
  for (int j = 0; j < N; ++j)
    for (int k = 0; k < N; ++k)
      for (int t = 0; t < T; ++t) logits.push_back(weight(j, k) + weight(j, N + t));
  return logits;
}

using Prediction = std::function<Rational(int j, int k, int t)>;  // 0-based

std::vector<Entry> entries(int N, int T, const std::vector<Rational>& measured, const Prediction& predicted) {
  std::vector<Entry> list;
  std::size_t i = 0;
  for (int j = 0; j < N; ++j)
    for (int k = 0; k < N; ++k)
      for (int t = 0; t < T; ++t)
        list.push_back(exact_entry("logit " + std::to_string(j + 1) + " of input (" + std::to_string(k + 1) + "," +
                                       std::to_string(t + 1) + ") per eta",
                                   predicted(j, k, t), measured[i++], true));
  return list;
}

}  // namespace

Row onestep_ideal(int N, int T) {
  const Formula form = onestep_logit_ideal();
  const auto logit = [&](bool same) { return form.evaluate_exact({{"N", N}, {"eta", 1}, {"delta_jk", same ? 1 : 0}}); };
  const Rational on = logit(true), off = logit(false);
  const Prediction right = [&](int j, int k, int) { return j == k ? on : off; };
  const std::vector<Rational> measured = measure(N, T, {});
  std::vector<int> uneven;
  for (int k = 1; k <= N; ++k) uneven.push_back(k);
  const auto with = [&](const Prediction& wrong) { return [&, wrong] { return entries(N, T, measured, wrong); }; };
  const std::vector<Control> controls = {
      {"sign", "a step uphill", with([&](int j, int k, int t) { return Rational(-right(j, k, t)); })},
      {"factor 1.1", "every logit ten per cent too large", with([&](int j, int k, int t) { return Rational(right(j, k, t) * 11 / 10); })},
      {"-1/N dropped", "wrong logits taken as zero", with([&](int j, int k, int) { return j == k ? on : Rational(0); })},
      {"not blind", "the last position adds a tenth to its logits",
       with([&](int j, int k, int t) { return Rational(t == T - 1 ? right(j, k, t) * 11 / 10 : right(j, k, t)); })},
      {"tokens shifted", "the memory of the next token", with([&](int j, int k, int t) { return right((j + 1) % N, k, t); })},
      {"labels not uniform", "the hypothesis: P(y = k) proportional to k",
       [&] { return entries(N, T, measure(N, T, uneven), right); }}};
  const std::vector<Entry> list = entries(N, T, measured, right);
  return judge("L2.onestep", "ideal", "N=" + std::to_string(N) + " T=" + std::to_string(T) + " orthonormal", Grade::exact, list,
               default_effect(list), controls);
}

}  // namespace popgrad
