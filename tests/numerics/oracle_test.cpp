// The oracle's forward passes and its enumeration against numbers worked out by hand.
#include <cmath>
#include <numeric>
#include <set>

#include "core/philox.hpp"
#include "tests/catch.hpp"
#include "tests/oracle/autodiff.hpp"
#include "tests/oracle/finite_oracle.hpp"
#include "tests/oracle/ideal_oracle.hpp"
#include "tests/oracle/minimal_oracle.hpp"

using namespace popgrad;
using namespace popgrad::oracle;

namespace {

constexpr double u = 0x1.0p-53;

std::vector<double> random_entries(std::uint64_t sample, std::size_t count) {
  Stream stream(1, Purpose::test, sample);
  std::vector<double> values(count);
  for (double& value : values) value = stream.normal();
  return values;
}

// d = 1, embeddings 1 and 2, no positions, every frozen map 1.
FiniteParameters<double> scalar_model() {
  return {2, 3, 1, {1, 2}, {0, 0, 0}, {1, -1}, {1}, {1}, {1}, {0}, {0}, {1}, {1}, 1, false};
}

std::int64_t ways_of_length(const std::vector<WeightedSequence>& law, std::size_t length) {
  std::int64_t ways = 0;
  for (const auto& item : law)
    if (item.tokens.size() == length) ways += item.ways;
  return ways;
}

}  // namespace

TEST_CASE("oracle attention with zero weights is uniform over the positions so far, itself included") {
  auto p = scalar_model();
  const auto forward = finite_forward(p, {0, 1, 0});
  for (const auto* attention : {&forward.attention1, &forward.attention2}) {
    CHECK((*attention)[0] == std::vector<double>{1.0});
    CHECK((*attention)[1] == std::vector<double>{0.5, 0.5});
    CHECK((*attention)[2] == std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3});
  }
}

TEST_CASE("oracle attention reads W as query row, key column, and scales the score by kappa") {
  // Unit vectors e_0, e_1; only the score of query e_0 on key e_1 is not zero. Transposed, the row would be (1/2, 1/2).
  FiniteParameters<double> p{2,
                             2,
                             2,
                             {1, 0, 0, 1},
                             {0, 0, 0, 0},
                             {1, 0, 0, 1},
                             {0, 0, 0, 0},
                             {0, 0, 0, 0},
                             {0, 0, 0, 0},
                             {0, std::log(3.0), 0, 0},
                             {0, 0, 0, 0},
                             {0, 0, 0, 0},
                             {0, 0, 0, 0},
                             1,
                             false};
  CHECK(std::abs(finite_forward(p, {1, 0}).attention1[1][0] - 3.0 / 4) <= 8 * u);
  CHECK(std::abs(finite_forward(p, {0, 1}).attention1[1][0] - 1.0 / 2) <= 8 * u);
  p.kappa = 2;
  CHECK(std::abs(finite_forward(p, {1, 0}).attention1[1][0] - 9.0 / 10) <= 8 * u);
  p.wk2 = p.wk1;
  CHECK(std::abs(finite_forward(p, {1, 0}).attention2[1][0] - 9.0 / 10) <= 8 * u);
}

TEST_CASE("oracle logits of a one-dimensional model, worked out by hand") {
  // x = (2, 1); x1 = (2 + 2, 1 + 3/2) = (4, 5/2); x2 = (4 + 4, 5/2 + 13/4) = (8, 23/4); with W_F = 1 both double.
  auto p = scalar_model();
  CHECK(finite_forward(p, {1, 0}).logits == std::vector<std::vector<double>>{{8, -8}, {5.75, -5.75}});
  p.feed_forward = true;
  CHECK(finite_forward(p, {1, 0}).logits == std::vector<std::vector<double>>{{16, -16}, {11.5, -11.5}});
  // Each frozen map enters where the definition puts it: W_V1, W_O1 in layer 1, W_V2, W_O2 in layer 2.
  p.feed_forward = false;
  p.wv1 = {3}, p.wo1 = {1.0 / 4}, p.wv2 = {2}, p.wo2 = {1.0 / 8};
  // x1 = (2 + 3/2, 1 + 9/8) = (7/2, 17/8); x2 at the end = 17/8 + (1/4)(7/2 + 17/8)/2 = 17/8 + 45/64.
  CHECK(finite_forward(p, {1, 0}).logits[1][0] == 17.0 / 8 + 45.0 / 64);
  // Loss of token 1 there: log(1 + e^(2 xi)); the targets' losses add up.
  const double xi = 17.0 / 8 + 45.0 / 64;
  const double loss = std::log1p(std::exp(2 * xi));
  CHECK(std::abs(finite_loss(p, {1, 0}, {{1, 1}}) - loss) <= 16 * u * loss);
  CHECK(std::abs(finite_loss(p, {1, 0}, {{1, 1}, {1, 1}}) - 2 * loss) <= 32 * u * loss);
  CHECK(finite_loss(p, {1, 0}, {}) == 0);
}

TEST_CASE("oracle refuses tokens and lengths outside the model") {
  const auto p = scalar_model();
  CHECK_THROWS_AS(finite_forward(p, {2}), std::invalid_argument);
  CHECK_THROWS_AS(finite_forward(p, {-1}), std::invalid_argument);
  CHECK_THROWS_AS(finite_forward(p, {}), std::invalid_argument);
  CHECK_THROWS_AS(finite_forward(p, {0, 0, 0, 0}), std::invalid_argument);
}

TEST_CASE("oracle's ideal model is its finite model on unit vectors of a space that holds every image") {
  constexpr int N = 2, T = 4;
  constexpr std::size_t inputs = N + T, D = 2 * inputs, d = 2 * D + N;
  const auto at = [](std::size_t i, std::size_t j) { return i * d + j; };
  const auto ideal = from_ideal_entries(N, T, random_entries(1, N * D + D * D + inputs * inputs));
  FiniteParameters<double> p{N, T, static_cast<int>(d), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, 1, false};
  for (auto* m : {&p.wv1, &p.wo1, &p.wv2, &p.wk1, &p.wk2, &p.wo2, &p.wf}) m->assign(d * d, 0);
  for (auto* m : {&p.tok, &p.out}) m->assign(N * d, 0);
  p.pos.assign(T * d, 0);
  for (std::size_t k = 0; k < N; ++k) p.tok[at(k, k)] = p.out[at(k, 2 * D + k)] = 1;
  for (std::size_t t = 0; t < T; ++t) p.pos[at(t, N + t)] = 1;
  for (std::size_t i = 0; i < inputs; ++i) p.wv1[at(i, i)] = p.wo1[at(inputs + i, i)] = 1;
  for (std::size_t i = 0; i < D; ++i) p.wv2[at(D + i, i)] = 1;
  for (std::size_t i = 0; i < inputs; ++i)
    for (std::size_t j = 0; j < inputs; ++j) p.wk1[at(i, j)] = ideal.wk1[i * inputs + j];
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t j = 0; j < D; ++j) p.wk2[at(i, j)] = ideal.wk2[i * D + j];
  for (std::size_t k = 0; k < N; ++k)
    for (std::size_t i = 0; i < D; ++i) p.wo2[at(2 * D + k, D + i)] = ideal.wo[k * D + i];

  const std::vector<std::vector<int>> sequences = {{0}, {1, 0}, {0, 1, 1}, {1, 1, 0, 1}};
  for (const auto& tokens : sequences) {
    const auto logits = ideal_oracle_logits(ideal, tokens);
    const auto expected = finite_forward(p, tokens).logits.back();
    const auto loss = [&](const auto& theta) { return ideal_oracle_logits(from_ideal_entries(N, T, theta), tokens)[0]; };
    const double K = static_cast<double>(d);
    const double bound = agreement(value(loss, ideal_entries(ideal)), K);
    CHECK(bound < 1e-8);
    CHECK(std::abs(logits[0] - expected[0]) <= bound);
  }
}

TEST_CASE("oracle enumeration at N = 2, T = 4 has the sequences counted by hand") {
  // Trigger 0, any background b: tau = 1 gives 0 o b 0 with label o, tau = 2 gives b 0 o 0; "0000 with label 0" twice.
  // 7 distinct pairs and 6 distinct token sequences, doubled by exchanging the tokens.
  const auto any = enumerate_minimal({2, 4, false, false, {}});
  std::set<std::vector<int>> distinct;
  for (const auto& item : any) distinct.insert(item.tokens);
  CHECK(any.size() == 14);
  CHECK(distinct.size() == 12);
  int twice = 0;
  for (const auto& item : any) {
    const bool constant = item.tokens == std::vector<int>(4, item.label);
    CHECK(item.probability == (constant ? 2.0 : 1.0) / 16);
    twice += constant;
  }
  CHECK(twice == 2);
  // Avoided background is the other token: 0 o 1 0 and 1 0 o 0, four pairs for each trigger.
  const auto avoid = enumerate_minimal({2, 4, true, false, {}});
  REQUIRE(avoid.size() == 8);
  for (const auto& item : avoid) CHECK(item.probability == 1.0 / 8);
}

TEST_CASE("oracle enumeration: probabilities sum to 1 and the ways to the number of (q, o, tau, background)") {
  for (const bool avoid : {false, true})
    for (const bool mixed : {false, true}) {
      const MinimalLaw law{3, 6, avoid, mixed, {1, 0, 4}};
      const auto items = enumerate_minimal(law);
      double total = 0, label0 = 0, label1 = 0;
      for (const auto& item : items) {
        total += item.probability;
        label0 += item.label == 0 ? item.probability : 0;
        label1 += item.label == 1 ? item.probability : 0;
      }
      // Each probability carries at most 6 roundings, the sum one for each item.
      const double bound = (6 + static_cast<double>(items.size())) * u;
      CHECK(std::abs(total - 1) <= bound);
      CHECK(std::abs(label0 - 1.0 / 5) <= bound);
      CHECK(label1 == 0);
      std::int64_t background = avoid ? 2 : 3;
      for (std::size_t length = 4, power = 1; length <= 6; ++length) {
        power *= static_cast<std::size_t>(background);  // b^(length - 3)
        const bool present = mixed || length == 6;
        CHECK(ways_of_length(items, length) ==
              (present ? 3 * 5 * (static_cast<std::int64_t>(length) - 2) * static_cast<std::int64_t>(power) : 0));
      }
    }
}

TEST_CASE("oracle's first gradient of the ideal model is the known one, block by block") {
  // -dL/dW_O at zero, either background: (U,E) = (delta - 1/N)/(NT), (U,R) = h_T (delta - 1/N)/(NT), (U,P) = (U,S) = 0.
  const int N = 3, T = 4;
  const double h = (T - (1 + 1.0 / 2 + 1.0 / 3) - 2.0 / T) / (T - 2);
  for (const bool avoid : {false, true}) {
    const auto law = enumerate_minimal({N, T, avoid, false, {}});
    const std::vector<double> zero(3 * 14 + 14 * 14 + 7 * 7, 0.0);
    const auto loss = [&](const auto& theta) { return ideal_oracle_population_loss(from_ideal_entries(N, T, theta), law); };
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 14; ++i) {
        const double signal = i < 3 ? 1 : i >= 7 && i < 10 ? h : 0;  // E_i, R_(i-7); P and S nothing
        const std::size_t token = i % 7;
        const double expected = signal * ((token == k ? 1 : 0) - 1.0 / N) / (N * T);
        const Derivative found = derivative(loss, zero, k * 14 + i);
        INFO("row " << k << " column " << i << " avoid " << avoid);
        CHECK(found.error < 1e-13);
        CHECK(std::abs(-found.value - expected) <= agreement(found, 14));
      }
  }
}
