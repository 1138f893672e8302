#include "theory/formulas/onset.hpp"

#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "theory/formulas/harmonic.hpp"
#include "theory/formulas/step1.hpp"

namespace popgrad {
namespace {

// Mean over the lengths of value(length); lengths below `first` count as zero.
template <class Value>
Rational mean_over_lengths(const MinimalTask& task, int first, const Value& value) {
  Rational sum(0);
  for (int length = std::max(first, task.shortest()); length <= task.T; ++length) sum += value(length);
  return sum / (task.T - task.shortest() + 1);
}

enum class Kind { trigger, output, background };
Kind kind_of(int position, int tau, int length) {
  if (position == tau || position == length) return Kind::trigger;
  return position == tau + 1 ? Kind::output : Kind::background;
}

}  // namespace

Rational onset_ue(const MinimalTask& task) {
  return mean_over_lengths(task, 4, [&](int length) { return Rational(1) / (task.N * length); });
}

Rational onset_ur(const MinimalTask& task) {
  return mean_over_lengths(task, 4, [&](int length) {
    return Rational(step1_h().evaluate_exact({{"T", length}}) / (task.N * length));
  });
}

Rational equal_tokens(int N, Background background, int length, int r, int s) {
  if (r == s) return Rational(1);
  const bool avoid = background == Background::avoid;
  Rational sum(0);
  for (int tau = 1; tau <= length - 2; ++tau) {
    const Kind a = kind_of(r, tau, length), b = kind_of(s, tau, length);
    const bool trigger = a == Kind::trigger || b == Kind::trigger, noise = a == Kind::background || b == Kind::background;
    if (a == Kind::trigger && b == Kind::trigger)
      sum += 1;
    else if (a == Kind::background && b == Kind::background)
      sum += Rational(1) / (avoid ? N - 1 : N);
    else if (!(avoid && trigger && noise))  // the output agrees with either at rate 1/N, whatever the background
      sum += Rational(1) / N;
  }
  return sum / (length - 2);
}

Rational first_logit(int N, Background background, int length, const Rational& e, const Rational& r, int s) {
  Rational sum(0);
  for (int i = 1; i <= length; ++i)
    sum += (e + r * (harmonic_exact(length) - harmonic_exact(i - 1))) * equal_tokens(N, background, length, i, s);
  return sum / length;
}

Rational onset_signal(const MinimalTask& task, int t) {
  task.validate();
  require(task.output_weights.empty(), "onset_signal", "labels", "uniform", "weighted");
  require(t >= 4 && t < task.T, "onset_signal", "t", "4 .. T-1", std::to_string(t));
  const Rational e = onset_ue(task), r = onset_ur(task);
  return mean_over_lengths(task, t, [&](int length) {
    const auto logit = [&](int s) { return first_logit(task.N, task.background, length, e, r, s); };
    Rational others(0);
    for (int j = 2; j <= t - 2; ++j) others += logit(j);
    return Rational(r / (3 * task.N * length * t) * (others / (t - 3) - logit(t - 1)));
  });
}

}  // namespace popgrad
