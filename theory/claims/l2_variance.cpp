// L2.variance: with B samples the noise returns, at exactly the rate 1/B.
#include <algorithm>
#include <cmath>
#include <functional>

#include "check/statistics.hpp"
#include "numerics/batch_variance.hpp"
#include "numerics/law_gradient.hpp"
#include "numerics/onestep_law.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/lemma2.hpp"

namespace popgrad {
namespace {

Entry make_entry(const std::string& name, const Rational& predicted, const Rational& measured) {
  return exact_entry(name, predicted, measured, true);
}
Entry make_entry(const std::string& name, const RunningError& predicted, const RunningError& measured) {
  return entry(name, predicted.value, measured.value, Budget{measured.error + predicted.error, 0, 0}, true);
}

Rational closed_value(const Rational& second, const Rational& norm2, int B) {
  return lemma2_variance().evaluate_exact({{"secondmoment", second}, {"normsquared", norm2}, {"B", B}});
}
RunningError closed_value(const RunningError& second, const RunningError& norm2, int B) {
  const double value =
      lemma2_variance().evaluate({{"secondmoment", second.value}, {"normsquared", norm2.value}, {"B", static_cast<double>(B)}});
  // Two operations on two inputs that err by at most their errors.
  return {value, (second.error + norm2.error + 4 * 0x1p-53 * (second.value + norm2.value)) / B};
}

template <class S>
using Variance = std::function<S(int B)>;

// Every tuple of atoms for B in `sizes`, against the formula with the law's own moments.
template <class S>
Row check(const LawInstance<S>& instance, const std::vector<int>& sizes, const std::string& where, Grade grade,
          const Variance<S>& right) {
  std::vector<S> measured, repeated;
  for (const int B : sizes) {
    measured.push_back(batch_variance(instance, B));
    repeated.push_back(batch_variance(instance, B, true));
  }
  const auto entries = [&](const std::vector<S>& values, const Variance<S>& predicted) {
    std::vector<Entry> list;
    for (std::size_t i = 0; i < sizes.size(); ++i)
      list.push_back(make_entry("B=" + std::to_string(sizes[i]), predicted(sizes[i]), values[i]));
    return list;
  };
  const S second = law_second_moment(instance.law, instance.weights);
  const auto with = [&](const Variance<S>& wrong) { return [&, wrong] { return entries(measured, wrong); }; };
  const std::vector<Control> controls = {
      {"factor 1.1", "ten per cent too large", with([&](int B) { return right(B) * S(11) / S(10); })},
      {"-||G||^2 dropped", "the second moment instead of the variance", with([&](int B) { return second / S(B); })},
      {"1/B dropped", "the variance of one sample", with([&](int) { return right(1); })},
      {"1/B^2", "the square of the rate", with([&](int B) { return right(B) / S(B); })},
      {"B + 1", "one sample too many", with([&](int B) { return right(B + 1); })},
      {"samples repeated", "the hypothesis: B copies of one sample", [&] { return entries(repeated, right); }}};
  const std::vector<Entry> list = entries(measured, right);
  return judge("L2.variance", "", where, grade, list, default_effect(list), controls);
}

template <class S>
Row general(const LawInstance<S>& instance, const std::string& where, Grade grade) {
  const S second = law_second_moment(instance.law, instance.weights);
  S norm2(0);
  for (const S& g : law_gradient(instance.law, instance.weights)) norm2 += g * g;
  return check<S>(instance, {1, 2, 3}, where, grade, [=](int B) { return closed_value(second, norm2, B); });
}

Row onestep(int N, int T) {
  return check<Rational>(onestep_law(N, T), {1, 2, 3}, "one-step example N=" + std::to_string(N) + " T=" + std::to_string(T),
                         Grade::exact, [N](int B) { return lemma2_variance_onestep().evaluate_exact({{"N", N}, {"B", B}}); });
}

// Large batches, where tuples cannot be enumerated.
Row sampled(const ClaimContext& context, int N, int T) {
  const std::vector<int> sizes = {1, 8, 128};
  const auto batches = std::max<std::int64_t>(16, std::llround(4000 * context.work));
  std::vector<Moments> measured;
  for (const int B : sizes) {
    context.progress("B = " + std::to_string(B));
    measured.push_back(sample_batch_variance(N, T, B, batches, context.seed));
  }
  const double widen = family_t(context.level, static_cast<double>(sizes.size()), static_cast<double>(batches - 1));
  const std::function<double(int)> right = [N](int B) { return lemma2_variance_onestep().evaluate({{"N", N}, {"B", B}}); };
  // Entries are B times the variance, so that the smallest effect that matters is the same at each B.
  const auto entries = [&](const std::function<double(int)>& predicted) {
    std::vector<Entry> list;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const int B = sizes[i];
      list.push_back(entry("B*variance at B=" + std::to_string(B), B * predicted(B), B * measured[i].mean,
                           Budget{0, 0, B * widen * measured[i].standard_error()}, true));
      // ||G_1 - G||^2 hardly varies in this example; rounding of its N (N+T) terms is then what is left.
      list.back().budget.roundoff = roundoff_bound(4.0 * N * (N + T) + B, B * measured[i].mean);
    }
    return list;
  };
  const auto with = [&](const std::function<double(int)>& wrong) { return [&, wrong] { return entries(wrong); }; };
  const std::vector<Control> controls = {
      {"factor 1.1", "ten per cent too large", with([&](int B) { return 1.1 * right(B); })},
      {"factor 0.9", "ten per cent too small", with([&](int B) { return 0.9 * right(B); })},
      {"1/B dropped", "the variance of one sample", with([&](int) { return right(1); })},
      {"1/sqrt(B)", "the rate of the norm, not of its square", with([&](int B) { return right(1) / std::sqrt(B); })},
      {"||x||^2 = 1", "the position embedding left out of x", with([&](int B) {
         const double norm2 = lemma2_norm2_onestep().evaluate({{"N", N}});
         return (0.5 * (right(1) + norm2) - norm2) / B;
       })}};
  const std::vector<Entry> list = entries(right);
  return judge("L2.variance", "sampled", "one-step example N=" + std::to_string(N) + " T=" + std::to_string(T) + " B=1,8,128",
               Grade::sampled, list, default_effect(list), controls, "raise verify.work");
}

std::vector<Row> run(const ClaimContext& context) {
  // atoms^3 tuples are enumerated: a larger N would take minutes and show nothing more.
  const int N = std::min(context.N.value_or(3), 6);
  const LawShape shape{N, 3, 4, std::max(8, 2 * N)};
  return {timed([&] { return onestep(N, 2); }),
          timed([&] {
            return general<Rational>(random_rational_law(shape, context.seed, 101), "random law N=" + std::to_string(N) + " W=0",
                                     Grade::exact);
          }),
          timed([&] {
            const LawInstance<double> law = random_law(shape, context.seed, 102);
            return general<RunningError>({with_running_error(law.law), with_running_error(law.weights)},
                                         "random law N=" + std::to_string(N) + " W random", Grade::enumerated);
          }),
          timed([&] {
            const int wide = context.N.value_or(16), length = context.T.value_or(8);
            if (static_cast<double>(wide) * (wide + length) > 20'000)
              return undecided("L2.variance", "sampled", "one-step example N=" + std::to_string(wide) + " T=" + std::to_string(length),
                               "N (N + T) is more than the 20000 entries that are sampled", "choose a smaller N");
            return sampled(context, wide, length);
          })};
}

}  // namespace

Claim claim_l2_variance() {
  return {"L2.variance",
          "E||G_B - G||_F^2 = (E[||sum_k (phat_k - 1{y=k}) w_U(k)||^2 ||x||^2] - ||G||_F^2)/B for means over B i.i.d. samples; in the "
          "orthonormal one-step example at W = 0 this is (2(1 - 1/N) - (N-1)/N^2)/B.",
          {"samples independent and identically distributed", "a mean over B samples, not a ratio of sums"},
          "Lemma 2 of the paper, with finite samples; docs/theory.md, section 4",
          closed_forms("L2.variance"),
          run,
          {"N", "T"}};
}

}  // namespace popgrad
