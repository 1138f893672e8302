// Random finite laws: nothing uniform, nothing symmetric, so that a wrong formula has nowhere to hide.
#include <algorithm>
#include <string>

#include "core/philox.hpp"
#include "numerics/finite_law.hpp"
#include "numerics/scalar.hpp"

namespace popgrad {
namespace {

void check(const LawShape& shape) {
  require(shape.N >= 2, "random_law", "N", "at least 2", std::to_string(shape.N));
  require(shape.d_in >= 1 && shape.d_out >= 1, "random_law", "d_in, d_out", "at least 1",
          std::to_string(shape.d_in) + ", " + std::to_string(shape.d_out));
  require(shape.atoms >= shape.N, "random_law", "atoms", "at least N", std::to_string(shape.atoms));
}

// Atoms 0..N-1 carry one label each, so that every label occurs; later labels lean to the small ones, and every third of the
// later atoms repeats the x of an earlier atom, so that p(y|x) is not all 0 and 1.
template <class S, class DrawWeight, class DrawX>
FiniteLaw<S> draw_law(const LawShape& shape, Stream& stream, const DrawWeight& draw_weight, const DrawX& draw_x) {
  FiniteLaw<S> law{shape.N, shape.d_in, shape.d_out, {}, {}, {}};
  S sum(0);
  for (int i = 0; i < shape.atoms; ++i) {
    const auto N = static_cast<std::uint64_t>(shape.N);
    const std::uint64_t first = stream.below(N), second = stream.below(N);
    law.label.push_back(i < shape.N ? i : static_cast<int>(std::min(first, second)));
    law.probability.push_back(draw_weight());
    sum += law.probability.back();
    const bool repeats = i >= shape.N && i % 3 == 0;
    const auto earlier = stream.below(static_cast<std::uint64_t>(std::max(i, 1)));
    for (int j = 0; j < shape.d_in; ++j) {
      const S fresh = draw_x();
      law.x.push_back(repeats ? S(law.x[earlier * static_cast<std::size_t>(shape.d_in) + static_cast<std::size_t>(j)])
                              : fresh);
    }
  }
  for (S& p : law.probability) p = p / sum;
  law.validate();
  return law;
}

}  // namespace

LawInstance<double> random_law(const LawShape& shape, std::uint64_t seed, std::uint64_t sample) {
  check(shape);
  Stream stream(seed, Purpose::finite_law, sample);
  LawInstance<double> instance;
  instance.law = draw_law<double>(
      shape, stream, [&] { return 0.1 + stream.uniform(); }, [&] { return 0.3 + stream.normal(); });
  for (int i = 0; i < shape.N * shape.d_out; ++i) instance.weights.w_u.push_back(stream.normal());
  for (int i = 0; i < shape.d_out * shape.d_in; ++i) instance.weights.w.push_back(stream.normal());
  return instance;
}

LawInstance<Rational> random_rational_law(const LawShape& shape, std::uint64_t seed, std::uint64_t sample) {
  check(shape);
  Stream stream(seed, Purpose::finite_law, sample, 1);
  const auto fraction = [&] {
    const int numerator = static_cast<int>(stream.below(9)) - 3;
    return Rational(numerator) / Rational(1 + static_cast<int>(stream.below(4)));
  };
  LawInstance<Rational> instance;
  instance.law = draw_law<Rational>(
      shape, stream, [&] { return Rational(1 + static_cast<int>(stream.below(9))); }, fraction);
  for (int i = 0; i < shape.N * shape.d_out; ++i) instance.weights.w_u.push_back(fraction());
  instance.weights.w.assign(static_cast<std::size_t>(shape.d_out * shape.d_in), Rational(0));
  return instance;
}

}  // namespace popgrad
