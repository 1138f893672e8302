#include "numerics/moment_same_token.hpp"

#include <vector>

namespace popgrad {
namespace {

constexpr int q = TokenLaw::trigger, o = TokenLaw::output, b = TokenLaw::background;

// Positions 0..t of a sequence, given where tau lies relative to t.
struct Prefix {
  int t = 0;
  std::vector<int> special;  // what stands at t, then trigger and output before t
  int background = 0;        // other positions before t, all background
  int triggers_after = 0, outputs_after = 0;
};

// (t+1) E[f_r y_t] by where r lies, y_t = 1{z_t=q} n_q - n_q n_{z_t} / (t+1).
struct Products {
  Rational here, within;                 // r = t; sum over r <= t
  Rational trigger, output, background;  // one r > t by what it holds
};

Products products(const TokenLaw& law, const Prefix& prefix) {
  // read: special positions of the prefix and those that r has been told to be; `others` further background tokens b + 1..
  // of the prefix.
  const auto product = [&](int r, std::vector<int> read, int others) {
    return law.excess(r, [&, at_t = read.front(), rest = long{others}](const auto& same) -> long {
      long triggers = 0, equal = 0;
      for (const int v : read) {
        triggers += same(v, q);
        equal += same(v, at_t);
      }
      const int first = b + 2, second = b + 3;
      const long rest_triggers = rest * same(first, q), rest_equal = rest * same(first, at_t);
      // One token twice, and two different ones.
      const long pairs = triggers * equal + triggers * rest_equal + rest_triggers * equal +
                         rest_triggers * same(first, at_t) + rest_triggers * (rest - 1) * same(second, at_t);
      return (prefix.t + 1) * same(at_t, q) * (triggers + rest_triggers) - pairs;
    });
  };
  Products e;
  e.here = product(prefix.special.front(), prefix.special, prefix.background);
  for (const int r : prefix.special) e.within += product(r, prefix.special, prefix.background);
  if (prefix.background > 0) {
    std::vector<int> read = prefix.special;
    read.push_back(b + 1);
    e.within += prefix.background * product(b + 1, read, prefix.background - 1);
  }
  e.trigger = product(q, prefix.special, prefix.background);
  e.output = product(o, prefix.special, prefix.background);
  e.background = product(b + 1, prefix.special, prefix.background);
  return e;
}

}  // namespace

Rational same_token_sum(const MinimalTask& task, const TokenLaw& law) {
  Rational total(0);
  for (int t = 0; t < task.T; ++t) {
    // Sum over lengths of `places(L)` places of tau, of the (L-2), each with E[c_t y_t] = (1/L)(E f_t y_t - (1/L) sum_r E
    // f_r y_t).
    const auto add = [&](const Prefix& prefix, int shortest, int longest, const auto& places) {
      if (shortest > longest) return;
      const Products e = products(law, prefix);
      const Rational fixed = e.within + prefix.triggers_after * e.trigger + prefix.outputs_after * e.output;
      const int after = t + 1 + prefix.triggers_after + prefix.outputs_after;
      Rational sum(0);
      for (int L = shortest; L <= longest; ++L)
        sum += (e.here - (fixed + (L - after) * e.background) / L) * Rational(places(L), L * (L - 2));
      total += sum / ((t + 1) * (t + 1));
    };
    const int T = task.T, low = task.shortest();
    const auto one = [](int) { return 1; };
    add({t, {b}, t, 2, 1}, std::max(low, t + 4), T, [t](int L) { return L - 3 - t; });                  // tau after t
    add({t, {q}, t, 1, 1}, std::max(low, t + 3), T, one);                                               // tau = t
    if (t >= 1) add({t, {o, q}, t - 1, 1, 0}, std::max(low, t + 2), T, one);                            // tau + 1 = t
    if (t >= 2) add({t, {b, q, o}, t - 2, 1, 0}, std::max(low, t + 2), T, [t](int) { return t - 1; });  // earlier
    if (t + 1 >= low) add({t, {q, q, o}, t - 2, 0, 0}, t + 1, t + 1, [](int L) { return L - 2; });  // t is the last position
  }
  return total;
}

}  // namespace popgrad
