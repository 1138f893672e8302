#include "numerics/invariant_probes.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/stages.hpp"
#include "numerics/recall.hpp"

namespace popgrad {
namespace {

double squared(const InvariantBlock<double>& block, bool token_query, bool token_key, int N) {
  const double n = N;
  if (token_query && token_key) return n * block.diag * block.diag + n * (n - 1) * block.off * block.off;
  double sum = 0;
  for (const double x : block.entries) sum += x * x;
  return token_query || token_key ? n * sum : sum;
}

}  // namespace

Probe token_recall(const InvariantBlock<double>& block, int N, double roundoff) {
  require(N >= 2, "token_recall", "N", "at least 2", std::to_string(N));
  const std::vector<double> blur(static_cast<std::size_t>(N), roundoff);
  std::vector<double> row(static_cast<std::size_t>(N), block.off);
  RecallSums sums;
  for (int k = 0; k < N; ++k) {
    row[static_cast<std::size_t>(k)] = block.diag;
    sums.add(row.data(), blur.data(), N, k);
    row[static_cast<std::size_t>(k)] = block.off;
  }
  return sums.finish();
}

Probe position_recall(const InvariantBlock<double>& block, int T, int positions, bool causal, double roundoff) {
  require(positions >= 1, "position_recall", "positions", "at least 1", std::to_string(positions));
  require(block.entries.size() == static_cast<std::size_t>(T * T), "position_recall", "block", "T x T entries",
          std::to_string(block.entries.size()));
  const std::vector<double> blur(static_cast<std::size_t>(T), roundoff);
  const int rows = std::min(positions, T);
  RecallSums sums;
  for (int t = 1; t < rows; ++t) sums.add(block.entries.data() + t * T, blur.data(), causal ? t + 1 : rows - 1, t - 1);
  return sums.finish();
}

double frobenius(const InvariantMaps<double>& maps, int stage) {
  require(stage >= 1 && stage <= stages, "frobenius", "stage", "1, 2 or 3", std::to_string(stage));
  double sum = 0;
  if (stage == 1)
    for (const Block key : all_blocks) sum += squared(maps.u(key), true, is_token(key), maps.N);
  if (stage == 2)
    for (const Block query : all_blocks)
      for (const Block key : all_blocks) sum += squared(maps.k2(query, key), is_token(query), is_token(key), maps.N);
  if (stage == 3)
    for (const Block query : {Block::E, Block::P})
      for (const Block key : {Block::E, Block::P}) sum += squared(maps.k1(query, key), is_token(query), is_token(key), maps.N);
  return std::sqrt(sum);
}

double largest_entry(const InvariantMaps<double>& maps) {
  double largest = 0;
  const auto see = [&](double x) { largest = std::isnan(x) || std::isnan(largest) ? std::nan("") : std::max(largest, std::abs(x)); };
  const auto all = [&](const auto& blocks) {
    for (const InvariantBlock<double>& block : blocks) {
      see(block.diag);
      see(block.off);
      for (const double x : block.entries) see(x);
    }
  };
  all(maps.wo);
  all(maps.wk2);
  all(maps.wk1);
  return largest;
}

}  // namespace popgrad
