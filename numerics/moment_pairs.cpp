#include "numerics/moment_pairs.hpp"

namespace popgrad {
namespace {

constexpr int q = TokenLaw::trigger, o = TokenLaw::output, b = TokenLaw::background;
std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

PairExcess with_trigger(const TokenLaw& law) {
  law.needs(2, "with_trigger");
  const auto e = [&law](int u, int v) { return law.excess(u, [v](const auto& same) { return same(v, q); }); };
  PairExcess pair;
  for (const int u : {q, o, b})
    for (const int v : {q, o, b}) pair.apart[at(3 * u + v)] = e(u, v == b ? b + 1 : v);
  pair.same = e(b, b);
  return pair;
}

PairExcess with_frequency(const TokenLaw& law, int L) {
  law.needs(3, "with_frequency");
  const auto e = [&law, L](int u, int v) {
    const int apart_backgrounds = (u >= b ? 1 : 0) + (v >= b && v != u ? 1 : 0), fresh = b + 2;
    return Rational(law.excess(u, [&](const auto& same) {
      long count = 2 * same(v, q) + same(v, o) + (L - 3 - apart_backgrounds) * same(v, fresh);
      if (u >= b) count += same(v, u);
      if (v >= b && v != u) count += 1;
      return count;
    }) / L);
  };
  PairExcess pair;
  for (const int u : {q, o, b})
    for (const int v : {q, o, b}) pair.apart[at(3 * u + v)] = e(u, v == b ? b + 1 : v);
  pair.same = e(b, b);
  return pair;
}

}  // namespace popgrad
