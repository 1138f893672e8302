#include "numerics/moment_steps.hpp"

#include <algorithm>

#include "numerics/moment_pairs.hpp"

namespace popgrad {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int q = TokenLaw::trigger, o = TokenLaw::output, b = TokenLaw::background;
constexpr std::array<int, 3> places = {q, o, q};  // what stands at tau, tau+1 and the last position

// Key positions P or S of the blocks with query E, R and S, from by_length (T x T, row L-1 holds length L): every sequence
// has one query token, the frequencies of remapped ones add up to 1, and S_r weighs 1/L in lengths L > r. Columns are
// independent.
void spread_over_queries(const std::vector<Rational>& by_length, Block key, int shortest, InvariantMaps<Rational>& descent) {
  const int T = descent.T;
  std::vector<Rational>& by_position = descent.k2(Block::S, key).entries;
#pragma omp parallel for schedule(dynamic)
  for (int s = 0; s < T; ++s) {
    Rational all(0), weighed(0);
    for (int L = T; L > 0; --L) {
      const Rational& here = by_length[at((L - 1) * T + s)];
      if (L >= shortest && !here.is_zero()) {
        all += here;
        weighed += here / L;
      }
      by_position[at((L - 1) * T + s)] = weighed;
    }
    descent.k2(Block::E, key).entries[at(s)] = descent.k2(Block::R, key).entries[at(s)] = all / descent.N;
  }
}

// Sums of the diagonals of the token-token blocks.
struct TokenBlocks {
  Rational ee, er, re, rr;
};

Rational weight_of_length(const MinimalTask& task, int L) { return Rational(1) / (L * (task.T - task.shortest() + 1)); }

TokenBlocks token_blocks(const MinimalTask& task, const ReadScale& scale, const ValueContrasts& value) {
  const TokenLaw law(task.N, task.background, 3);
  const PairExcess trigger = with_trigger(law);
  std::vector<TokenBlocks> of_length(at(task.T + 1));
#pragma omp parallel for schedule(dynamic)
  for (int L = task.shortest(); L <= task.T; ++L) {
    const PairExcess frequency = with_frequency(law, L);
    TokenBlocks& sum = of_length[at(L)];
    for (const Reading f : {Reading::token, Reading::prefix}) {
      const Rational size = weight_of_length(task, L) * (f == Reading::token ? value.token : value.prefix);
      if (size.is_zero()) continue;
      const ReadCovariance token = scale.covariance(f, Reading::token, L), prefix = scale.covariance(f, Reading::prefix, L);
      sum.ee += size * mean_product(token, trigger);
      sum.er += size * mean_product(prefix, trigger);
      sum.re += size * mean_product(token, frequency);
      sum.rr += size * mean_product(prefix, frequency);
    }
  }
  TokenBlocks sum;
  for (const TokenBlocks& blocks : of_length) {
    sum.ee += blocks.ee;
    sum.er += blocks.er;
    sum.re += blocks.re;
    sum.rr += blocks.rr;
  }
  return sum;
}

}  // namespace

void set_diagonal_sum(InvariantBlock<Rational>& block, const Rational& sum, int N) {
  block.diag = sum / N;
  block.off = -block.diag / (N - 1);
}

// The background fills up rows and columns of c to zero.
Rational mean_product(const ReadCovariance& c, const PairExcess& pair) {
  Rational sum(0), background_diagonal = c.diagonal;
  const Rational& rest = pair.e(b, b);
  for (std::size_t i = 0; i < 3; ++i) {
    background_diagonal -= c.special[4 * i];
    for (std::size_t j = 0; j < 3; ++j)
      sum += c.special[3 * i + j] * (pair.e(places[i], places[j]) - pair.e(places[i], b) - pair.e(b, places[j]) + rest);
  }
  return sum + background_diagonal * (pair.same - rest);
}

Rational mean_reading(const std::array<Rational, 3>& weight, const MeanExcess& excess, int L) {
  Rational sum(0), background(L);
  for (std::size_t i = 0; i < 3; ++i) {
    sum += weight[i] * excess.of(places[i]);
    background -= weight[i];
  }
  return sum + background * excess.of(b);
}

InvariantMaps<Rational> moment_first_step(const MinimalTask& task, const ReadScale& scale) {
  const MeanExcess excess(TokenLaw(task.N, task.background, 1));
  InvariantMaps<Rational> descent(task.N, task.T);
  for (const auto& [block, reading] : {std::pair{Block::E, Reading::token}, std::pair{Block::R, Reading::prefix}}) {
    Rational sum(0);
    for (int L = task.shortest(); L <= task.T; ++L) sum += mean_reading(scale.weights(reading, L), excess, L) / L;
    set_diagonal_sum(descent.u(block), sum / (task.T - task.shortest() + 1), task.N);
  }
  return descent;
}

Rational moment_second_memory(const MinimalTask& task, const ReadScale& scale, const ValueContrasts& value) {
  InvariantBlock<Rational> block;
  set_diagonal_sum(block, token_blocks(task, scale, value).er, task.N);
  return block.contrast();
}

InvariantMaps<Rational> moment_second_step(const MinimalTask& task, const ReadScale& scale, const ValueContrasts& value) {
  const int N = task.N, T = task.T, shortest = task.shortest();
  InvariantMaps<Rational> descent(N, T);
  const TokenBlocks tokens = token_blocks(task, scale, value);
  set_diagonal_sum(descent.k2(Block::E, Block::E), tokens.ee, N);
  set_diagonal_sum(descent.k2(Block::E, Block::R), tokens.er, N);
  set_diagonal_sum(descent.k2(Block::R, Block::E), tokens.re, N);
  set_diagonal_sum(descent.k2(Block::R, Block::R), tokens.rr, N);
  const MeanExcess excess(TokenLaw(N, task.background, 1));
  std::vector<Rational>&pp = descent.k2(Block::P, Block::P).entries, &ps = descent.k2(Block::P, Block::S).entries;
#pragma omp parallel for schedule(dynamic)
  for (int L = T; L >= shortest; --L) {
    MeanScore score = mean_score(excess, scale, value, weight_of_length(task, L), L);
    std::ranges::move(score.token, pp.begin() + (L - 1) * T);
    std::ranges::move(score.remapped, ps.begin() + (L - 1) * T);
  }
  spread_over_queries(pp, Block::P, shortest, descent);
  spread_over_queries(ps, Block::S, shortest, descent);
  return descent;
}

}  // namespace popgrad
