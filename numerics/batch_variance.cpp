#include "numerics/batch_variance.hpp"

#include <string>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "core/philox.hpp"
#include "numerics/law_gradient.hpp"
#include "numerics/scalar.hpp"

namespace popgrad {
namespace {

template <class S>
S squared_distance(const std::vector<S>& a, const std::vector<S>& b) {
  S sum(0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const S gap = a[i] - b[i];
    sum += gap * gap;
  }
  return sum;
}

}  // namespace

template <class S>
S batch_variance(const LawInstance<S>& instance, int B, bool repeated) {
  const FiniteLaw<S>& law = instance.law;
  require(B >= 1, "batch_variance", "B", "at least 1", std::to_string(B));
  const int distinct = repeated ? 1 : B;
  std::int64_t tuples = 1;
  for (int i = 0; i < distinct; ++i) tuples *= law.atoms();
  require(tuples <= 1'000'000, "batch_variance", "atoms^B", "at most 10^6", std::to_string(tuples));

  const auto atoms = static_cast<std::size_t>(law.atoms());
  std::vector<std::vector<S>> gradient;
  for (int i = 0; i < law.atoms(); ++i) gradient.push_back(law_atom_gradient(law, instance.weights, i));
  std::vector<S> mean(gradient[0].size(), S(0));
  for (std::size_t i = 0; i < atoms; ++i)
    for (std::size_t e = 0; e < mean.size(); ++e) add_product(mean[e], law.probability[i], gradient[i][e]);

  S expected(0);
  for (std::int64_t tuple = 0; tuple < tuples; ++tuple) {
    std::vector<S> batch(mean.size(), S(0));
    S probability(1);
    std::int64_t rest = tuple;
    for (int b = 0; b < distinct; ++b, rest /= law.atoms()) {
      const auto atom = static_cast<std::size_t>(rest % law.atoms());
      probability = probability * law.probability[atom];
      for (std::size_t e = 0; e < mean.size(); ++e) batch[e] += gradient[atom][e];
    }
    for (S& entry : batch) entry = entry / S(distinct);
    expected += probability * squared_distance(batch, mean);
  }
  return expected;
}

template Rational batch_variance(const LawInstance<Rational>&, int, bool);
template RunningError batch_variance(const LawInstance<RunningError>&, int, bool);

Moments sample_batch_variance(int N, int T, int B, std::int64_t batches, std::uint64_t seed) {
  require(N >= 2 && T >= 1 && B >= 1, "sample_batch_variance", "N, T, B", "N >= 2, T >= 1, B >= 1",
          std::to_string(N) + ", " + std::to_string(T) + ", " + std::to_string(B));
  const auto columns = static_cast<std::size_t>(N + T), rows = static_cast<std::size_t>(N);
  const double n = N;
  return ordered_sum(batches, 64, Moments{}, [&](std::int64_t batch, Moments& total) {
    std::vector<double> sum(rows * columns, 0.0);  // sum over samples of (1/N - 1{y=k}) x
    for (int b = 0; b < B; ++b) {
      Stream stream(seed, Purpose::batch_of_law, static_cast<std::uint64_t>(batch), static_cast<std::uint64_t>(b));
      const std::size_t y = stream.below(rows), t = rows + stream.below(static_cast<std::uint64_t>(T));
      for (std::size_t k = 0; k < rows; ++k)
        for (const std::size_t column : {y, t}) sum[k * columns + column] += 1 / n - (k == y ? 1 : 0);
    }
    double distance = 0;
    for (std::size_t k = 0; k < rows; ++k)
      for (std::size_t column = 0; column < columns; ++column) {
        // G = E[(1/N - 1{y=k}) x]: (1/N)(1/N - delta) in a token column, 0 in a position column.
        const double exact = column < rows ? (1 / n - (k == column ? 1 : 0)) / n : 0;
        const double gap = sum[k * columns + column] / B - exact;
        distance += gap * gap;
      }
    total.add(distance);
  });
}

}  // namespace popgrad
