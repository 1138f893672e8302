#include "numerics/moment_steps.hpp"

#include <algorithm>

#include "numerics/moment_fraction.hpp"
#include "numerics/moment_pairs.hpp"

namespace popgrad {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int q = TokenLaw::trigger, o = TokenLaw::output, b = TokenLaw::background;
constexpr std::array<int, 3> places = {q, o, q};  // what stands at tau, tau+1 and the last position

// One length in a sum over lengths from T down to it, all over the least common denominator of 1 / (L unit) so far.
struct LengthShare {
  Fractions alone, beyond;  // over unit; over the common denominator
  Integer share, growth;    // common / (L unit); common / that of the length above
};

// From T down to the shortest length; unit(L) is the denominator of length L.
template <class Unit>
std::vector<LengthShare> length_shares(const Unit& unit, int T, int shortest, const Integer& primes) {
  std::vector<LengthShare> shares;
  Integer common(1);
  for (int L = T; L >= shortest; --L) {
    const Integer own = unit(L) * L, next = lcm(common, own);
    shares.push_back({Fractions(unit(L), primes), Fractions(next, primes), next / own, next / common});
    common = next;
  }
  return shares;
}

// Key positions P or S of the blocks whose queries are positions or count as tokens: numerators(L) over unit(L) are the keys
// of length L. Query P_t is length t; every sequence has one query token, the frequencies of remapped ones add up to 1, and
// S_r weighs 1/L in lengths L > r: queries E and R are the sum over lengths, S_r is the sum of those beyond r, over L. Sums
// are of integers, and each entry is reduced once. Columns are independent.
template <class Numerators, class Unit>
void write_keys(const Numerators& numerators, const Unit& unit, Block key, int shortest, const Integer& primes,
                InvariantMaps<Rational>& descent) {
  const int T = descent.T;
  const std::vector<LengthShare> shares = length_shares(unit, T, shortest, primes);
  std::vector<Rational>&by_length = descent.k2(Block::P, key).entries, &by_position = descent.k2(Block::S, key).entries;
#pragma omp parallel for schedule(dynamic)
  for (int s = 0; s < T; ++s) {
    const int first = std::max(shortest, s + 1);
    Integer all(0), weighed(0);
    for (int L = T; L >= first; --L) {
      const LengthShare& length = shares[at(T - L)];
      const Integer& here = numerators(L)[at(s)];
      const Integer part = here * length.share;
      weighed = weighed * length.growth + part;
      all = all * length.growth + part * L;
      by_length[at((L - 1) * T + s)] = length.alone(here);
      by_position[at((L - 1) * T + s)] = length.beyond(weighed);
    }
    for (int r = first - 2; r >= 0; --r) by_position[at(r * T + s)] = by_position[at((first - 1) * T + s)];
    descent.k2(Block::E, key).entries[at(s)] = descent.k2(Block::R, key).entries[at(s)] =
        shares[at(T - first)].beyond(all) / descent.N;
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
  std::vector<MeanScore> scores(at(T + 1));
#pragma omp parallel for schedule(dynamic)
  for (int L = T; L >= shortest; --L) scores[at(L)] = mean_score(excess, scale, value, weight_of_length(task, L), L);
  const Integer primes = scale.scale() * N * (N - 1);  // those of the law of the tokens, and of lengths and positions
  const auto score = [&scores](int L) -> const MeanScore& { return scores[at(L)]; };
  write_keys([&](int L) -> const auto& { return score(L).token; }, [&](int L) { return score(L).token_unit; }, Block::P,
             shortest, primes, descent);
  write_keys([&](int L) -> const auto& { return score(L).remapped; }, [&](int L) { return score(L).remapped_unit; },
             Block::S, shortest, primes, descent);
  return descent;
}

}  // namespace popgrad
