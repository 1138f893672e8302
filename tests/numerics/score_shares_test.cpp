#include "numerics/score_shares.hpp"

#include <algorithm>
#include <cmath>

#include "core/philox.hpp"
#include "numerics/minimal_enumeration.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

double mean_square(const std::vector<double>& values) {
  double mean = 0, squares = 0;
  for (const double x : values) mean += x / static_cast<double>(values.size());
  for (const double x : values) squares += (x - mean) * (x - mean) / static_cast<double>(values.size());
  return squares;
}

std::vector<double> softmax_of(std::vector<double> scores) {
  double sum = 0;
  for (double& x : scores) sum += x = std::exp(x);
  for (double& x : scores) x /= sum;
  return scores;
}

// Every acting block different from zero.
InvariantMaps<double> some_maps(int N, int T) {
  InvariantMaps<double> maps(N, T);
  Stream stream(3, Purpose::evaluation, 0);
  const auto fill = [&](auto& list) {
    for (auto& block : list) {
      block.diag = stream.uniform() - 0.3;
      block.off = stream.uniform() - 0.3;
      for (double& x : block.entries) x = 2 * stream.uniform() - 1;
    }
  };
  fill(maps.wo);
  fill(maps.wk2);
  fill(maps.wk1);
  return maps;
}

// The model written out in its 2(N+T) coordinates, one sequence after another; a block's contribution is what its entries
// alone give.
std::vector<double> by_hand(const MinimalTask& task, const InvariantMaps<double>& maps) {
  const IdealMaps<double> all = expand(maps);
  const Coordinates at = all.at;
  std::vector<double> sums(acting_blocks().size(), 0.0);
  const MinimalEnumeration sequences(task);
  for (std::int64_t i = 0; i < sequences.size(); ++i) {
    Example example;
    std::int64_t numerator = 0;
    sequences.build(i, example, numerator);
    const std::vector<int>& tokens = example.tokens;
    const int L = static_cast<int>(tokens.size()), last = L - 1;
    std::vector<std::vector<double>> x(static_cast<std::size_t>(L),
                                       std::vector<double>(static_cast<std::size_t>(at.size()), 0.0)),
        first, one = x;
    for (int t = 0; t < L; ++t) {
      x[static_cast<std::size_t>(t)][static_cast<std::size_t>(at.at(Block::E, tokens[static_cast<std::size_t>(t)]))] = 1;
      x[static_cast<std::size_t>(t)][static_cast<std::size_t>(at.at(Block::P, t))] = 1;
    }
    const auto score = [&](const std::vector<double>& q, const std::vector<double>& k, int stage,
                           const IdealMaps<double>& of) {
      const int size = stage == 3 ? at.input_size() : at.size();
      double sum = 0;
      for (int a = 0; a < size; ++a)
        for (int b = 0; b < size; ++b)
          sum += q[static_cast<std::size_t>(a)] * k[static_cast<std::size_t>(b)] * (stage == 3 ? of.k1(a, b) : of.k2(a, b));
      return sum;
    };
    one = x;
    for (int t = 0; t < L; ++t) {
      std::vector<double> scores;
      for (int s = 0; s <= t; ++s)
        scores.push_back(score(x[static_cast<std::size_t>(t)], x[static_cast<std::size_t>(s)], 3, all));
      const std::vector<double> a = softmax_of(scores);
      for (int s = 0; s <= t; ++s) {
        one[static_cast<std::size_t>(t)][static_cast<std::size_t>(at.at(Block::R, tokens[static_cast<std::size_t>(s)]))] +=
            a[static_cast<std::size_t>(s)];
        one[static_cast<std::size_t>(t)][static_cast<std::size_t>(at.at(Block::S, s))] += a[static_cast<std::size_t>(s)];
      }
    }
    std::vector<double> total;
    for (int s = 0; s < L; ++s)
      total.push_back(score(one[static_cast<std::size_t>(last)], one[static_cast<std::size_t>(s)], 2, all));
    const std::vector<double> a2 = softmax_of(total);
    for (std::size_t b = 0; b < acting_blocks().size(); ++b) {
      KeptBlocks only(Blocks::isolated);
      for (int stage = 1; stage <= 3; ++stage) only = only.without(memory_block(stage));
      const MapBlock block = acting_blocks()[b];
      const IdealMaps<double> alone = expand(only.with(block).of(maps));
      double square = 0;
      if (block.stage == 3) {
        for (int t = 1; t < last; ++t) {
          std::vector<double> scores;
          for (int s = 0; s <= t; ++s)
            scores.push_back(score(x[static_cast<std::size_t>(t)], x[static_cast<std::size_t>(s)], 3, alone));
          square += mean_square(scores) / (L - 2);
        }
      } else if (block.stage == 2) {
        std::vector<double> scores;
        for (int s = 0; s < L; ++s)
          scores.push_back(score(one[static_cast<std::size_t>(last)], one[static_cast<std::size_t>(s)], 2, alone));
        square = mean_square(scores);
      } else {
        std::vector<double> logits(static_cast<std::size_t>(task.N), 0.0);
        for (int k = 0; k < task.N; ++k)
          for (int s = 0; s < L; ++s)
            for (int c = 0; c < at.size(); ++c)
              logits[static_cast<std::size_t>(k)] += a2[static_cast<std::size_t>(s)] *
                                                     one[static_cast<std::size_t>(s)][static_cast<std::size_t>(c)] *
                                                     alone.u(k, c);
        square = mean_square(logits);
      }
      double probability = static_cast<double>(numerator);
      for (const std::int64_t factor : sequences.denominator_factors(L)) probability /= static_cast<double>(factor);
      sums[b] += square * probability;
    }
  }
  for (double& x : sums) x = std::sqrt(x);
  return sums;
}

}  // namespace

TEST_CASE("shares: sums over orbits are those of every sequence written out in all coordinates") {
  for (const Background background : {Background::avoid, Background::any})
    for (const Query query : {Query::last, Query::any}) {
      const MinimalTask task{3, 5, background, query, {}};
      const InvariantMaps<double> maps = some_maps(3, 5);
      const auto shares = score_shares(task, maps);
      const auto right = by_hand(task, maps);
      REQUIRE(shares.size() == right.size());
      for (std::size_t b = 0; b < right.size(); ++b) {
        INFO(name(shares[b].block) << ", " << task.describe());
        CHECK(std::abs(shares[b].rms - right[b]) < 1e-12);
        CHECK(right[b] > 1e-6);  // something to compare
      }
    }
}

TEST_CASE("shares: samples agree with sums over orbits within their errors, and are the same for the same seed") {
  const MinimalTask task{4, 7, Background::avoid, Query::any, {}};
  const InvariantMaps<double> maps = some_maps(4, 7);
  const auto exact = score_shares(task, maps), sampled = sampled_score_shares(task, maps, 4000, 1),
             again = sampled_score_shares(task, maps, 4000, 1);
  for (std::size_t b = 0; b < exact.size(); ++b) {
    INFO(name(exact[b].block));
    CHECK(std::abs(sampled[b].rms - exact[b].rms) <= 6 * sampled[b].error + 1e-12);
    CHECK(sampled[b].rms == again[b].rms);
  }
}

TEST_CASE("kept blocks: isolated keeps the memories alone, with and without change one block") {
  const InvariantMaps<double> maps = some_maps(3, 4);
  const KeptBlocks full(Blocks::full), isolated(Blocks::isolated);
  const InvariantMaps<double> alone = isolated.of(maps);
  for (const MapBlock& block : acting_blocks()) {
    const bool memory = block == memory_block(block.stage);
    CHECK(isolated.has(block) == memory);
    CHECK(full.has(block));
    CHECK(!full.without(block).has(block));
    CHECK(isolated.with(block).has(block));
  }
  CHECK(alone.k2(Block::E, Block::R).diag == maps.k2(Block::E, Block::R).diag);
  CHECK(alone.k2(Block::P, Block::P).entries == std::vector<double>(16, 0.0));
  CHECK(full.of(maps).k2(Block::S, Block::R).entries == maps.k2(Block::S, Block::R).entries);
  CHECK(name(MapBlock{1, Block::S, Block::R}) == "W_O (U,R)");
  CHECK(name(MapBlock{2, Block::P, Block::S}) == "W_K2 (P,S)");
}

TEST_CASE("overwhelming factor: against the memory block of the same map") {
  std::vector<ScoreShare> shares;
  for (const MapBlock& block : acting_blocks()) shares.push_back({block, 0, 0});
  const auto set = [&](const MapBlock& block, double rms) {
    std::find_if(shares.begin(), shares.end(), [&](const ScoreShare& s) { return s.block == block; })->rms = rms;
  };
  const MapBlock pp{2, Block::P, Block::P};
  CHECK(overwhelming_factor(shares, pp) == 0);
  set(pp, 3);
  CHECK(std::isinf(overwhelming_factor(shares, pp)));
  set(memory_block(2), 0.5);
  CHECK(overwhelming_factor(shares, pp) == 6);
}
