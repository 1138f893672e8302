// L2.onestep at finite d: means, variances and the covariance of right and wrong logits.
#include <cmath>
#include <functional>

#include "check/statistics.hpp"
#include "theory/claims/l2_onestep_parts.hpp"
#include "theory/claims/support.hpp"
#include "theory/formulas/onestep_moments.hpp"

namespace popgrad {
namespace {

struct Predicted {
  double right_mean, wrong_mean, right_variance, wrong_variance, covariance, wrong_covariance;
};

Predicted predict(int N, double d) {
  const Bindings at = {{"N", N}, {"d", d}};
  return {onestep_mean_right().evaluate(at), onestep_mean_wrong().evaluate(at), onestep_variance_right().evaluate(at),
          onestep_variance_wrong().evaluate(at), onestep_covariance_right_wrong().evaluate(at),
          N > 2 ? onestep_covariance_wrong_wrong().evaluate(at) : 0};
}

using Law = std::function<Predicted(int d)>;

// Raw second moments are compared, not sample variances: their means over draws are unbiased. All are relative to the exact
// second moment of the wrong (or right) logit at that d, so that one smallest effect serves every d.
std::vector<Entry> entries(const ClaimContext& context, const std::vector<OnestepPoint>& points, const Law& law, int N) {
  std::vector<Entry> list;
  const double comparisons = 6.0 * static_cast<double>(points.size());
  for (const OnestepPoint& p : points) {
    const Predicted x = law(p.d), exact = predict(N, p.d);
    const double wrong_scale = exact.wrong_variance + exact.wrong_mean * exact.wrong_mean;
    const double right_scale = exact.right_variance + exact.right_mean * exact.right_mean;
    const double widen = family_t(context.level, comparisons, static_cast<double>(p.draws - 1));
    const auto add = [&](const std::string& name, double predicted, const Moments& measured, double scale, bool signal) {
      list.push_back(entry(name + " d=" + std::to_string(p.d), predicted / scale, measured.mean / scale,
                           Budget{0, 0, widen * measured.standard_error() / scale}, signal));
    };
    add("wrong logit, second moment", x.wrong_variance + x.wrong_mean * x.wrong_mean, p.measured.wrong_squared, wrong_scale, true);
    add("right logit, second moment", x.right_variance + x.right_mean * x.right_mean, p.measured.right_squared, right_scale, true);
    add("wrong logit, mean", x.wrong_mean, p.measured.wrong, std::sqrt(wrong_scale), false);
    add("right logit, mean", x.right_mean, p.measured.right, std::sqrt(right_scale), false);
    add("right x wrong, mean", x.covariance + x.right_mean * x.wrong_mean, p.measured.right_times_wrong,
        std::sqrt(right_scale * wrong_scale), false);
    if (N > 2)
      add("wrong x wrong, mean", x.wrong_covariance + x.wrong_mean * x.wrong_mean, p.measured.wrong_times_wrong, wrong_scale, false);
  }
  return list;
}

}  // namespace

Row onestep_logit_moments(const ClaimContext& context, int N, int T, const std::vector<OnestepPoint>& points) {
  const Law right = [N](int d) { return predict(N, d); };
  const auto with = [&](const std::function<void(Predicted&, int d)>& change) {
    return [&, change] {
      return entries(context, points, [&](int d) {
        Predicted x = predict(N, d);
        change(x, d);
        return x;
      }, N);
    };
  };
  const std::vector<Control> controls = {
      {"factor 1.1", "wrong variance ten per cent too large", with([](Predicted& x, int) { x.wrong_variance *= 1.1; })},
      {"factor 0.9", "wrong variance ten per cent too small", with([](Predicted& x, int) { x.wrong_variance *= 0.9; })},
      {"N/d^2 dropped", "the second-order term of the cross-talk left out",
       with([N](Predicted& x, int d) { x.wrong_variance -= 2.0 * N / (static_cast<double>(d) * d); })},
      {"3/d -> 2/d", "one of the three first-order terms left out", with([](Predicted& x, int d) { x.wrong_variance -= 1.0 / d; })},
      {"position ignored", "half of the noise of the input left out",
       with([N](Predicted& x, int d) { x.wrong_variance -= (1 - 1.0 / N) * (1.0 / d + 1.0 * N / (static_cast<double>(d) * d)); })},
      {"right second moment", "the right logit's second moment ten per cent too large, the smallest effect that matters",
       with([](Predicted& x, int) { x.right_variance += 0.1 * (x.right_variance + x.right_mean * x.right_mean); })},
      {"right mean", "the right logit ten per cent larger", with([](Predicted& x, int) { x.right_mean *= 1.1; })}};
  const std::string where = "N=" + std::to_string(N) + " T=" + std::to_string(T) + " d=" + std::to_string(points.front().d) +
                            (points.size() > 1 ? ".." + std::to_string(points.back().d) : "");
  const std::vector<Entry> list = entries(context, points, right, N);
  return judge("L2.onestep", "logit moments", where, Grade::sampled, list, default_effect(list), controls, "raise verify.work");
}

}  // namespace popgrad
