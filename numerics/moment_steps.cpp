#include "numerics/moment_steps.hpp"

#include "numerics/moment_pairs.hpp"

namespace popgrad {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int q = TokenLaw::trigger, o = TokenLaw::output, b = TokenLaw::background;
constexpr std::array<int, 3> places = {q, o, q};  // what stands at tau, tau+1 and the last position

// E f at a trigger, an output, a background position.
struct MeanExcess {
  std::array<Rational, 3> f;
  explicit MeanExcess(const TokenLaw& law) {
    for (const int v : {q, o, b}) f[at(v)] = law.excess(v, [](const auto&) { return 1L; });
  }
};

// E sum_ru c_ru f_r x_u. The background fills up rows and columns of c to zero.
Rational mean(const ReadCovariance& c, const PairExcess& pair) {
  Rational sum(0), background_diagonal = c.diagonal;
  const Rational& rest = pair.e(b, b);
  for (std::size_t i = 0; i < 3; ++i) {
    background_diagonal -= c.special[4 * i];
    for (std::size_t j = 0; j < 3; ++j)
      sum += c.special[3 * i + j] * (pair.e(places[i], places[j]) - pair.e(places[i], b) - pair.e(b, places[j]) + rest);
  }
  return sum + background_diagonal * (pair.same - rest);
}

// E f_r at every position of a sequence of length L.
std::vector<Rational> mean_by_position(const MeanExcess& mean, int L) {
  std::vector<Rational> f(at(L), mean.f[at(b)]);
  const Rational trigger = (mean.f[at(q)] - mean.f[at(b)]) / (L - 2), output = (mean.f[at(o)] - mean.f[at(b)]) / (L - 2);
  for (int tau = 0; tau <= L - 3; ++tau) {
    f[at(tau)] += trigger;
    f[at(tau + 1)] += output;
  }
  f[at(L - 1)] = mean.f[at(q)];
  return f;
}

// (S,P) and (S,S): query position r weighs 1/L in a sequence of length L > r. by_length: row L-1 holds length L.
std::vector<Rational> spread_over_queries(const std::vector<Rational>& by_length, int T, int shortest) {
  std::vector<Rational> spread(by_length.size()), sum(at(T));
  for (int L = T; L >= shortest; --L) {
    for (int s = 0; s < L; ++s) sum[at(s)] += by_length[at((L - 1) * T + s)] / L;
    for (int r = L == shortest ? 0 : L - 1; r < L; ++r)
      for (int s = 0; s < T; ++s) spread[at(r * T + s)] = sum[at(s)];
  }
  return spread;
}

}  // namespace

void set_diagonal_sum(InvariantBlock<Rational>& block, const Rational& sum, int N) {
  block.diag = sum / N;
  block.off = -block.diag / (N - 1);
}

InvariantMaps<Rational> moment_first_step(const MinimalTask& task, const ReadScale& scale) {
  const MeanExcess excess(TokenLaw(task.N, task.background, 1));
  InvariantMaps<Rational> descent(task.N, task.T);
  for (const auto& [block, reading] : {std::pair{Block::E, Reading::token}, std::pair{Block::R, Reading::prefix}}) {
    Rational sum(0);
    for (int L = task.shortest(); L <= task.T; ++L) {
      const std::array<Rational, 3> weight = scale.weights(reading, L);
      Rational of_length(0), background(L);
      for (std::size_t i = 0; i < 3; ++i) {
        of_length += weight[i] * excess.f[at(places[i])];
        background -= weight[i];
      }
      sum += (of_length + background * excess.f[at(b)]) / L;
    }
    set_diagonal_sum(descent.u(block), sum / (task.T - task.shortest() + 1), task.N);
  }
  return descent;
}

InvariantMaps<Rational> moment_second_step(const MinimalTask& task, const ReadScale& scale, const ValueContrasts& value) {
  const int N = task.N, T = task.T;
  const TokenLaw law(N, task.background, 3);
  const MeanExcess excess(law);
  const PairExcess trigger = with_trigger(law);
  InvariantMaps<Rational> descent(N, T);
  Rational ee(0), er(0), re(0), rr(0);
  std::vector<Rational>&pp = descent.k2(Block::P, Block::P).entries, &ps = descent.k2(Block::P, Block::S).entries;
  for (int L = task.shortest(); L <= T; ++L) {
    const Rational weight = Rational(1) / (L * (T - task.shortest() + 1));
    const PairExcess frequency = with_frequency(law, L);
    for (const Reading f : {Reading::token, Reading::prefix}) {
      const Rational size = weight * (f == Reading::token ? value.token : value.prefix);
      if (size.is_zero()) continue;
      const ReadCovariance token = scale.covariance(f, Reading::token, L), prefix = scale.covariance(f, Reading::prefix, L);
      ee += size * mean(token, trigger);
      er += size * mean(prefix, trigger);
      re += size * mean(token, frequency);
      rr += size * mean(prefix, frequency);
    }
    // Keys P_s and S_r: the mean descent in the scores, and what of it flows to r <= s through uniform first attention.
    std::vector<Rational> score = mean_by_position(excess, L);
    Rational sum(0), total(0);
    for (int s = 0; s < L; ++s) {
      sum += score[at(s)];
      score[at(s)] = value.token * score[at(s)] + value.prefix * (sum / (s + 1));
      total += score[at(s)];
    }
    const Rational average = total / L;
    Rational below(0);
    for (int s = L - 1; s >= 0; --s) {
      pp[at((L - 1) * T + s)] = weight * (score[at(s)] - average);
      below += pp[at((L - 1) * T + s)] / (s + 1);
      ps[at((L - 1) * T + s)] = below;
    }
  }
  set_diagonal_sum(descent.k2(Block::E, Block::E), ee, N);
  set_diagonal_sum(descent.k2(Block::E, Block::R), er, N);
  set_diagonal_sum(descent.k2(Block::R, Block::E), re, N);
  set_diagonal_sum(descent.k2(Block::R, Block::R), rr, N);
  descent.k2(Block::S, Block::P).entries = spread_over_queries(pp, T, task.shortest());
  descent.k2(Block::S, Block::S).entries = spread_over_queries(ps, T, task.shortest());
  // Every sequence has one query token, and the frequencies add up to 1.
  for (const auto& [key, rows] : {std::pair{Block::P, &pp}, std::pair{Block::S, &ps}})
    for (int s = 0; s < T; ++s) {
      Rational sum(0);
      for (int L = task.shortest(); L <= T; ++L) sum += (*rows)[at((L - 1) * T + s)];
      descent.k2(Block::E, key).entries[at(s)] = descent.k2(Block::R, key).entries[at(s)] = sum / N;
    }
  return descent;
}

}  // namespace popgrad
