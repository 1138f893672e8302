#include "numerics/moment_same_token.hpp"

#include <algorithm>
#include <array>
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

// Sums over lengths L0..T of 1/(L-2), 1/(L(L-2)) and 1/(L^2(L-2)), for every L0.
class LengthSums {
 public:
  explicit LengthSums(int T) : from_(static_cast<std::size_t>(T + 2)) {
    for (int L = T; L >= 4; --L) {
      std::array<Rational, 3>& sum = from_[static_cast<std::size_t>(L)];
      sum = from_[static_cast<std::size_t>(L + 1)];
      Rational term(1, L - 2);
      for (Rational& x : sum) {
        x += term;
        term /= L;
      }
    }
  }
  // Sum of 1/(L^power (L-2)) over first <= L <= last, 4 <= first <= last + 1.
  Rational operator()(int power, int first, int last) const {
    return from_[static_cast<std::size_t>(first)][static_cast<std::size_t>(power)] -
           from_[static_cast<std::size_t>(last + 1)][static_cast<std::size_t>(power)];
  }

 private:
  std::vector<std::array<Rational, 3>> from_;
};

}  // namespace

Rational same_token_sum(const MinimalTask& task, const TokenLaw& law) {
  law.needs(4, "same_token_sum");
  const LengthSums lengths(task.T);
  Rational total(0);
  for (int t = 0; t < task.T; ++t) {
    // In length L, fixed + slope L of the L - 2 places of tau give this prefix, and there
    // E[c_t y_t] = (1/L)(E f_t y_t - (1/L) sum_r E f_r y_t).
    const auto add = [&](const Prefix& prefix, int shortest, int longest, int fixed, int slope) {
      if (shortest > longest) return;
      const Products e = products(law, prefix);
      const int after = t + 1 + prefix.triggers_after + prefix.outputs_after;
      const Rational all_but_background =
          e.within + prefix.triggers_after * e.trigger + prefix.outputs_after * e.output - after * e.background;
      const auto places = [&](int power) {  // sum over L of places / (L^power (L-2))
        const Rational constant = fixed * lengths(power, shortest, longest);
        return slope == 0 ? constant : Rational(constant + slope * lengths(power - 1, shortest, longest));
      };
      total += (places(1) * (e.here - e.background) - places(2) * all_but_background) / ((t + 1) * (t + 1));
    };
    const int T = task.T, low = task.shortest();
    // tau after t, at t, just before it, earlier; and t the last position.
    add({t, {b}, t, 2, 1}, std::max(low, t + 4), T, -3 - t, 1);
    add({t, {q}, t, 1, 1}, std::max(low, t + 3), T, 1, 0);
    if (t >= 1) add({t, {o, q}, t - 1, 1, 0}, std::max(low, t + 2), T, 1, 0);
    if (t >= 2) add({t, {b, q, o}, t - 2, 1, 0}, std::max(low, t + 2), T, t - 1, 0);
    if (t + 1 >= low) add({t, {q, q, o}, t - 2, 0, 0}, t + 1, t + 1, t - 1, 0);
  }
  return total;
}

}  // namespace popgrad
