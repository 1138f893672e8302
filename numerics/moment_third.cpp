#include "numerics/moment_third.hpp"

#include <algorithm>

#include "numerics/moment_pairs.hpp"
#include "numerics/moment_same_token.hpp"
#include "numerics/moment_steps.hpp"

namespace popgrad {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr int q = TokenLaw::trigger, o = TokenLaw::output, b = TokenLaw::background;

// E[c_t x_s] / alpha in sequences of one length L, positions from 0.
class ScoreAndTrigger {
 public:
  ScoreAndTrigger(const PairExcess& pair, int L) : pair_(pair), L_(L) {
    for (const int v : {q, o, b}) total_[at(v)] = 2 * pair.e(q, v) + pair.e(o, v) + (L - 3) * pair.e(b, v);
    total_[b] += pair.same - pair.e(b, b);
  }
  // s <= t.
  Rational operator()(int t, int s) const {
    // No place of tau but these puts anything but background at t or s, unless it is the last position.
    Rational f_x = between(t, s, nowhere), total = total_[at(held(s, nowhere))];
    const Rational rest = f_x, total_rest = total;
    int previous = -1;
    for (const int tau : {s - 1, s, t - 1, t}) {
      if (tau <= previous || tau > L_ - 3) continue;
      previous = tau;
      f_x += (between(t, s, tau) - rest) / (L_ - 2);
    }
    for (const int tau : {s, s - 1})
      if (tau >= 0 && tau <= L_ - 3) total += (total_[at(held(s, tau))] - total_rest) / (L_ - 2);
    return (f_x - total / L_) / L_;
  }

 private:
  static constexpr int nowhere = -2;
  int held(int position, int tau) const { return position == tau || position == L_ - 1 ? q : position == tau + 1 ? o : b; }
  const Rational& between(int t, int s, int tau) const {
    return t == s && held(t, tau) == b ? pair_.same : pair_.e(held(t, tau), held(s, tau));
  }
  const PairExcess& pair_;
  int L_;
  std::array<Rational, 3> total_;  // E[sum_t f_t x_s] by what s holds
};

KeyRow key_row(const ScoreAndTrigger& moment, int t) {
  KeyRow row;
  row.self = moment(t, t);
  if (t >= 1) row.before = moment(t, t - 1);
  if (t >= 2) row.first = moment(t, 0);
  if (t >= 3) row.inner = moment(t, 1);
  return row;
}

KeyRow centred(KeyRow row, int t) {
  const Rational mean = (row.first + (t > 2 ? t - 2 : 0) * row.inner + row.before + row.self) / (t + 1);
  for (Rational* x : {&row.first, &row.inner, &row.before, &row.self}) *x = (*x - mean) / (t + 1);
  return row;
}

}  // namespace

// Rows 4..L-2 (positions from 1) are alike: nothing in them is near an end.
std::vector<KeyRow> key_rows(const PairExcess& pair, int L) {
  const ScoreAndTrigger moment(pair, L);
  std::vector<KeyRow> rows;
  for (int t = 0; t < L; ++t) rows.push_back(t > 3 && t <= L - 3 ? rows.back() : key_row(moment, t));
  return rows;
}

InvariantMaps<Rational> moment_third_step(const MinimalTask& task, const Rational& factor) {
  const int N = task.N, T = task.T;
  InvariantMaps<Rational> descent(N, T);
  const Rational weight = factor / (T - task.shortest() + 1);
  const TokenLaw law(N, task.background, 4);
  const PairExcess pair = with_trigger(law);
  std::vector<KeyRow> rows(at(T));
  // Rows 3..L-3 of length L are alike: nothing in them is near an end. Row t is one of them in all lengths from t + 3.
  KeyRow alike;
  int shared = T + 1;  // `alike` holds the lengths from here on
  for (int t = T - 1; t >= 0; --t) {
    while (t >= 3 && shared > std::max(task.shortest(), t + 3)) alike += key_row(ScoreAndTrigger(pair, --shared), 3);
    if (t >= 3) rows[at(t)] = alike;
    for (int L = std::max(task.shortest(), t + 1); L < (t >= 3 ? shared : T + 1); ++L)
      rows[at(t)] += key_row(ScoreAndTrigger(pair, L), t);
  }
  std::vector<Rational>&pp = descent.k1(Block::P, Block::P).entries, &ep = descent.k1(Block::E, Block::P).entries;
  for (int t = 0; t < T; ++t) {
    KeyRow row = centred(rows[at(t)], t);
    for (Rational* x : {&row.first, &row.inner, &row.before, &row.self}) *x *= weight;
    for (int s = 1; s <= t - 2; ++s) pp[at(t * T + s)] = row.inner;
    pp[at(t * T + t)] = row.self;
    if (t >= 1) pp[at(t * T + t - 1)] = row.before;
    if (t >= 2) pp[at(t * T)] = row.first;
    rows[at(t)] = row;
  }
  // Every query holds one token: (E,P) is the sum over rows.
  Rational inner(0);
  for (int s = T - 1; s >= 0; --s) {
    Rational sum = rows[at(s)].self;
    if (s + 1 < T) sum += rows[at(s + 1)].before;
    if (s + 2 < T && s >= 1) sum += inner += rows[at(s + 2)].inner;
    if (s == 0)
      for (int t = 2; t < T; ++t) sum += rows[at(t)].first;
    ep[at(s)] = sum / N;
  }
  set_diagonal_sum(descent.k1(Block::E, Block::E), weight * same_token_sum(task, law), N);
  return descent;
}

}  // namespace popgrad
