#include "numerics/lemma1_loss.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "core/philox.hpp"

using namespace popgrad;

namespace {

// Three characters; the third never comes before another, so its row is pi_u.
BigramCounts three_characters() {
  BigramCounts counts;
  counts.bytes = {'a', 'b', 'c'};
  counts.unigram = {5, 3, 1};
  counts.bigram = {1, 3, 1, 3, 0, 0, 0, 0, 0};
  return counts;
}

Matrix random_matrix(int rows, int columns, std::uint64_t sample) {
  Stream stream(1, Purpose::test, sample);
  Matrix m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = stream.normal();
  return m;
}

const std::vector<std::vector<double>> law = {{0.2, 0.6, 0.2}, {1, 0, 0}, {5 / 9.0, 3 / 9.0, 1 / 9.0}};
const std::vector<double> pi = {5 / 9.0, 3 / 9.0, 1 / 9.0};

}  // namespace

TEST_CASE("the bigram loss is log N at W = 0 and the entropy sum by hand elsewhere", "[lemma1_loss]") {
  const BigramCounts counts = three_characters();
  const Matrix w_e = random_matrix(3, 2, 1), w_u = random_matrix(3, 2, 2), w = random_matrix(2, 2, 3);
  CHECK(bigram_loss(counts, w_e, w_u, Matrix::Zero(2, 2)) == Approx(std::log(3)).epsilon(1e-15));
  double by_hand = 0;
  for (int z = 0; z < 3; ++z) {
    const Vector logits = w_u * w * w_e.row(z).transpose();
    for (int k = 0; k < 3; ++k)
      by_hand += pi[static_cast<std::size_t>(z)] * law[static_cast<std::size_t>(z)][static_cast<std::size_t>(k)] *
                 (std::log(logits.array().exp().sum()) - logits[k]);
  }
  CHECK(bigram_loss(counts, w_e, w_u, w) == Approx(by_hand).epsilon(1e-14));
}

// N = 3, d = 2, W_U and w_E asymmetric. The reference sums 9 products of 5 factors in double, each of size below 10.
TEST_CASE("the measured gradient is the sum over z and k, entry by entry, and not its transpose", "[lemma1_loss]") {
  const Matrix w_e = random_matrix(3, 2, 1), w_u = random_matrix(3, 2, 2), w = random_matrix(2, 2, 3);
  const auto measured = bigram_loss_gradient(three_characters(), w_e, w_u, w);
  Matrix formula = Matrix::Zero(2, 2);
  for (int z = 0; z < 3; ++z) {
    Vector p_hat = (w_u * w * w_e.row(z).transpose()).array().exp();
    p_hat /= p_hat.sum();
    for (int k = 0; k < 3; ++k)
      formula += pi[static_cast<std::size_t>(z)] *
                 (p_hat[k] - law[static_cast<std::size_t>(z)][static_cast<std::size_t>(k)]) * w_u.row(k).transpose() *
                 w_e.row(z);
  }
  const double reference_error = 50 * 0x1p-53 * 90;
  double transposed = 0;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      CHECK(std::abs(measured.value(i, j) - formula(i, j)) <= measured.roundoff(i, j) + reference_error);
      CHECK(measured.roundoff(i, j) > 0);
      CHECK(measured.roundoff(i, j) < 1e-13);
      transposed = std::max(transposed, std::abs(measured.value(i, j) - formula(j, i)));
    }
  CHECK(transposed > 1e-3);
}

TEST_CASE("at the size of a real corpus the bound stays far below the entries", "[lemma1_loss]") {
  const int N = 65, d = 12;
  BigramCounts counts;
  Stream stream(2, Purpose::test, 0);
  for (int z = 0; z < N; ++z) {
    counts.bytes.push_back(static_cast<unsigned char>(z));
    counts.unigram.push_back(static_cast<std::int64_t>(1 + stream.below(10000)));
    for (int k = 0; k < N; ++k) counts.bigram.push_back(static_cast<std::int64_t>(stream.below(3) * stream.below(500)));
  }
  const auto measured =
      bigram_loss_gradient(counts, random_matrix(N, d, 4), random_matrix(N, d, 5), random_matrix(d, d, 6) / 12);
  CHECK(measured.roundoff.maxCoeff() < 1e-6 * measured.value.cwiseAbs().maxCoeff());
  CHECK(measured.roundoff.minCoeff() > 0);
}

TEST_CASE("tables that do not fit are refused", "[lemma1_loss]") {
  const Matrix table = Matrix::Zero(3, 2);
  CHECK_THROWS_AS(bigram_loss(three_characters(), Matrix::Zero(2, 2), table, Matrix::Zero(2, 2)), HypothesisError);
  CHECK_THROWS_AS(bigram_loss(three_characters(), table, Matrix::Zero(3, 3), Matrix::Zero(2, 2)), HypothesisError);
  CHECK_THROWS_AS(bigram_loss_gradient(three_characters(), table, table, Matrix::Zero(2, 3)), HypothesisError);
}
