#include "numerics/moment_score.hpp"

namespace popgrad {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int q = TokenLaw::trigger, o = TokenLaw::output, b = TokenLaw::background;

// Sum over tau = 0..L-3 of E f_r, in the unit of `excess`.
std::vector<Integer> summed_over_places(const MeanExcess& excess, int L) {
  std::vector<Integer> f(at(L), Integer(excess.f[b] * (L - 2)));
  for (int tau = 0; tau <= L - 3; ++tau) {
    f[at(tau)] += excess.f[q] - excess.f[b];
    f[at(tau + 1)] += excess.f[o] - excess.f[b];
  }
  f[at(L - 1)] = excess.f[q] * (L - 2);
  return f;
}

// values * L - sum of values: the centred values, L times.
void centre(std::vector<Integer>& values) {
  Integer sum(0);
  for (const Integer& x : values) sum += x;
  for (Integer& x : values) x = x * static_cast<long>(values.size()) - sum;
}

}  // namespace

MeanExcess::MeanExcess(const TokenLaw& law) : unit(1) {
  law.needs(1, "MeanExcess");
  std::array<Rational, 3> value;
  for (const int v : {q, o, b}) {
    value[at(v)] = law.excess(v, [](const auto&) { return 1L; });
    unit = lcm(unit, denominator(value[at(v)]));
  }
  for (std::size_t v = 0; v < 3; ++v) f[v] = numerator(value[v]) * (unit / denominator(value[v]));
}

MeanScore mean_score(const MeanExcess& excess, const ReadScale& scale, const ValueContrasts& value, const Rational& factor,
                     int L) {
  std::vector<Integer> score = summed_over_places(excess, L);
  Integer unit = excess.unit * (L - 2) * L;
  Rational size = factor * value.token;
  if (value.prefix.is_zero()) {
    centre(score);
  } else {
    // value.token : value.prefix = token : prefix, integers.
    const Integer common = lcm(denominator(value.token), denominator(value.prefix));
    const Integer token = numerator(value.token) * (common / denominator(value.token));
    const Integer prefix = numerator(value.prefix) * (common / denominator(value.prefix));
    Integer sum(0);
    std::vector<Integer> mean(at(L));
    for (int s = 0; s < L; ++s) {
      sum += score[at(s)];
      mean[at(s)] = sum * scale.over(s + 1);
    }
    centre(score);
    centre(mean);
    for (int s = 0; s < L; ++s) score[at(s)] = score[at(s)] * scale.scale() * token + mean[at(s)] * prefix;
    unit *= scale.scale() * common;
    size = factor;
  }
  const Integer numerator_of_size = numerator(size);
  MeanScore result;
  result.token_unit = unit * denominator(size);
  result.remapped_unit = result.token_unit * scale.scale();
  result.token.resize(at(L));
  result.remapped.resize(at(L));
  Integer below(0);
  for (int s = L - 1; s >= 0; --s) {
    result.token[at(s)] = score[at(s)] * numerator_of_size;
    result.remapped[at(s)] = below += result.token[at(s)] * scale.over(s + 1);
  }
  return result;
}

}  // namespace popgrad
