#include "numerics/onestep_sampler.hpp"

#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "core/philox.hpp"

namespace popgrad {
namespace {

Matrix gaussian(int rows, int d, Stream& stream) {
  Matrix table(rows, d);
  const double scale = 1 / std::sqrt(static_cast<double>(d));
  for (Eigen::Index i = 0; i < table.size(); ++i) table.data()[i] = scale * stream.normal();
  return table;
}

}  // namespace

OnestepTables draw_onestep_tables(int N, int T, int d, std::uint64_t seed, std::uint64_t draw) {
  require(N >= 2, "draw_onestep_tables", "N", "at least 2", std::to_string(N));
  require(T >= 1 && d >= 1, "draw_onestep_tables", "T, d", "at least 1", std::to_string(T) + ", " + std::to_string(d));
  // d is the substream, so that draws at different d are independent.
  Stream stream(seed, Purpose::embeddings, draw, static_cast<std::uint64_t>(d));
  Matrix tok = gaussian(N, d, stream);
  Matrix pos = gaussian(T, d, stream);
  Matrix out = gaussian(N, d, stream);
  return {std::move(tok), std::move(pos), std::move(out)};
}

Matrix onestep_weights(const OnestepTables& tables) {
  const Eigen::Index N = tables.tok.rows();
  // mean_input: row y = E[x | y]. E[(1/N - 1{y=k}) x] over uniform y is one N x N product.
  const Matrix mean_input = tables.tok.rowwise() + tables.pos.colwise().mean();
  const double n = static_cast<double>(N);
  const Matrix residual = (Matrix::Constant(N, N, 1 / n) - Matrix::Identity(N, N)) / n;  // [k, y], weighted by P(y)
  return -(tables.out.transpose() * (residual * mean_input));
}

OnestepStatistics& OnestepStatistics::operator+=(const OnestepStatistics& other) {
  right += other.right;
  right_squared += other.right_squared;
  wrong += other.wrong;
  wrong_squared += other.wrong_squared;
  right_times_wrong += other.right_times_wrong;
  wrong_times_wrong += other.wrong_times_wrong;
  draws_with_mistakes += other.draws_with_mistakes;
  accuracy += other.accuracy;
  return *this;
}

OnestepStatistics onestep_of_one_draw(const OnestepTables& tables) {
  const Eigen::Index N = tables.tok.rows(), T = tables.pos.rows();
  const double n = static_cast<double>(N);
  const Matrix read = n * (tables.out * onestep_weights(tables));   // N x d; n: units of eta/N
  const Matrix by_token = read * tables.tok.transpose();            // [j, k]
  const Matrix by_position = read * tables.pos.transpose();         // [j, t]
  double right = 0, right2 = 0, wrong = 0, wrong2 = 0, cross = 0, pair = 0, correct = 0;
  for (Eigen::Index k = 0; k < N; ++k) {
    for (Eigen::Index t = 0; t < T; ++t) {
      const double target = by_token(k, k) + by_position(k, t);
      double sum = 0, squares = 0;
      bool best = true;
      for (Eigen::Index j = 0; j < N; ++j) {
        if (j == k) continue;
        const double logit = by_token(j, k) + by_position(j, t);
        sum += logit;
        squares += logit * logit;
        best = best && logit < target;
      }
      right += target;
      right2 += target * target;
      wrong += sum;
      wrong2 += squares;
      cross += target * sum;
      pair += sum * sum - squares;
      correct += best ? 1 : 0;
    }
  }
  const double inputs = static_cast<double>(N * T), pairs = inputs * static_cast<double>(N - 1);
  OnestepStatistics one;
  one.right.add(right / inputs);
  one.right_squared.add(right2 / inputs);
  one.wrong.add(wrong / pairs);
  one.wrong_squared.add(wrong2 / pairs);
  one.right_times_wrong.add(cross / pairs);
  one.wrong_times_wrong.add(N > 2 ? pair / (pairs * static_cast<double>(N - 2)) : 0);
  one.accuracy.add(correct / inputs);
  one.draws_with_mistakes = correct < inputs ? 1 : 0;
  return one;
}

OnestepStatistics sample_onestep(int N, int T, int d, std::int64_t draws, std::uint64_t seed) {
  require(draws >= 1, "sample_onestep", "draws", "at least 1", std::to_string(draws));
  return ordered_sum(draws, 8, OnestepStatistics{}, [&](std::int64_t draw, OnestepStatistics& total) {
    total += onestep_of_one_draw(draw_onestep_tables(N, T, d, seed, static_cast<std::uint64_t>(draw)));
  });
}

}  // namespace popgrad
