#include "numerics/onestep_law.hpp"

#include <string>

#include "core/errors.hpp"

namespace popgrad {

LawInstance<Rational> onestep_law(int N, int T, const std::vector<int>& label_weights) {
  require(N >= 2 && T >= 1, "onestep_law", "N, T", "N >= 2 and T >= 1", std::to_string(N) + ", " + std::to_string(T));
  const auto unit = [](int rows, int dimension, int first) {
    std::vector<Rational> table(static_cast<std::size_t>(rows * dimension), Rational(0));
    for (int i = 0; i < rows; ++i) table[static_cast<std::size_t>(i * dimension + first + i)] = 1;
    return table;
  };
  const std::vector<int> labels = label_weights.empty() ? std::vector<int>(static_cast<std::size_t>(N), 1) : label_weights;
  const std::vector<int> positions(static_cast<std::size_t>(T), 1);
  LawInstance<Rational> instance;
  instance.law = signal_plus_noise<Rational>(labels, unit(N, N + T, 0), positions, unit(T, N + T, N), N + T, N);
  instance.weights.w_u = unit(N, N, 0);
  instance.weights.w.assign(static_cast<std::size_t>(N * (N + T)), Rational(0));
  return instance;
}

}  // namespace popgrad
