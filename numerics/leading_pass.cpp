#include "numerics/leading_pass.hpp"

#include "core/errors.hpp"
#include "core/rational.hpp"
#include "core/stages.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/orbit_sum.hpp"

namespace popgrad {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

template <class S>
void reset(std::vector<S>& values, int count) {
  values.assign(index(count), S(0));
}

}  // namespace

template <class S>
LeadingPass<S>::LeadingPass(const InvariantMaps<S>& at, int stage) : at_(at), stage_(stage) {
  require(stage >= 1 && stage <= stages, "LeadingPass", "stage", "1, 2 or 3", std::to_string(stage));
  for (int n = 0; n <= at.T; ++n) one_over_.push_back(n == 0 ? S(0) : S(S(1) / from_integer<S>(n)));
}

// Queries that do not depend on the tokens. The S coordinates of the last position are all 1/L.
template <class S>
void LeadingPass<S>::prepare_length(int length) {
  if (length == length_) return;
  length_ = length;
  const int T = at_.T, last = length - 1;
  const auto block = [&](Block query, Block key) -> const std::vector<S>& { return at_.k2(query, key).entries; };
  const auto total = [&](Block key) {
    std::vector<S> sum;
    for (int s = 0; s < length; ++s) {
      S column(0);
      for (int r = 0; r < length; ++r) column += block(Block::S, key)[index(r * T + s)];
      sum.push_back(block(Block::E, key)[index(s)] + block(Block::R, key)[index(s)] +
                    block(Block::P, key)[index(last * T + s)] + column * one_over_[index(length)]);
    }
    return sum;
  };
  position_p_ = total(Block::P);
  position_s_ = total(Block::S);
}

template <class S>
void LeadingPass<S>::start(const Orbit& orbit, const S& weight) {
  reset(residual_, orbit.classes);
  reset(mass_, orbit.classes);
  const S chance = S(orbit.triggers) / from_integer<S>(at_.N);
  for (int c = 0; c < orbit.classes; ++c) residual_[index(c)] = weight * (S(orbit.label[index(c)]) - chance);
  for (const int c : orbit.token) mass_[index(c)] += one_over_[orbit.token.size()];
}

// a2 = 1/L: d/d(score_s) = (1/L) (slope_s - mean). R of position s is the mean of what stands at r <= s.
template <class S>
void LeadingPass<S>::second_layer(const Orbit& orbit) {
  const int L = static_cast<int>(orbit.token.size());
  const auto token = [&](int s) { return index(orbit.token[index(s)]); };
  const S ue = at_.u(Block::E).contrast(), ur = at_.u(Block::R).contrast();
  reset(score_, L);
  S sum(0), mean(0);
  for (int s = 0; s < L; ++s) {
    sum += residual_[token(s)];
    score_[index(s)] = ue * residual_[token(s)] + ur * sum * one_over_[index(s + 1)];
    mean += score_[index(s)];
  }
  mean = mean * one_over_[index(L)];
  reset(key_e_, orbit.classes);
  reset(key_r_, orbit.classes);
  reset(key_s_, L);
  S later(0);
  for (int s = L - 1; s >= 0; --s) {
    S& score = score_[index(s)];
    score = (score - mean) * one_over_[index(L)];
    later += score * one_over_[index(s + 1)];
    key_s_[index(s)] = later;
    key_e_[token(s)] += score;
    key_r_[token(s)] += later;
  }
}

template <class S>
void LeadingPass<S>::add_second(const Orbit& orbit, OrbitSums<S>& sums) const {
  const int L = static_cast<int>(orbit.token.size()), T = at_.T, last = L - 1;
  const std::size_t trigger = index(orbit.token[index(last)]);
  sums.ee += key_e_[trigger];
  sums.er += key_r_[trigger];
  for (int c = 0; c < orbit.classes; ++c) {
    sums.re += mass_[index(c)] * key_e_[index(c)];
    sums.rr += mass_[index(c)] * key_r_[index(c)];
  }
  for (int s = 0; s < L; ++s) {
    sums.ep[index(s)] += score_[index(s)];
    sums.es[index(s)] += key_s_[index(s)];
    sums.pp[index(last * T + s)] += score_[index(s)];
    sums.ps[index(last * T + s)] += key_s_[index(s)];
    const S p = score_[index(s)] * one_over_[index(L)], r = key_s_[index(s)] * one_over_[index(L)];
    for (int query = 0; query < L; ++query) {
      sums.sp[index(query * T + s)] += p;
      sums.ss[index(query * T + s)] += r;
    }
  }
}

// -p_hat to first order in W_O, by class: -(weight triggers/N) (logit - mean of all N logits).
template <class S>
std::vector<S> LeadingPass<S>::guess_slope(const Orbit& orbit, const S& weight) const {
  const int L = static_cast<int>(orbit.token.size());
  const S ue = at_.u(Block::E).contrast(), ur = at_.u(Block::R).contrast();
  std::vector<S> logit(index(orbit.classes), S(0));
  for (int c = 0; c < orbit.classes; ++c) logit[index(c)] = ue * mass_[index(c)];
  S later(0);
  for (int s = L - 1; s >= 0; --s) {
    later += one_over_[index(s + 1)];
    logit[index(orbit.token[index(s)])] += ur * later * one_over_[index(L)];
  }
  S mean(0);
  for (const S& x : logit) mean += x;
  mean = mean / from_integer<S>(at_.N);
  const S factor = -(weight * S(orbit.triggers)) / from_integer<S>(at_.N);
  for (S& x : logit) x = factor * (x - mean);
  return logit;
}

// a2 - 1/L to first order in W_K2.
template <class S>
std::vector<S> LeadingPass<S>::attention_change(const Orbit& orbit) const {
  const int L = static_cast<int>(orbit.token.size());
  std::vector<S> change;
  S sum(0), mean(0);
  for (int s = 0; s < L; ++s) {
    const std::size_t c = index(orbit.token[index(s)]);
    sum += query_r_[c] + position_s_[index(s)];
    change.push_back(query_e_[c] + position_p_[index(s)] + sum * one_over_[index(s + 1)]);
    mean += change.back();
  }
  mean = mean * one_over_[index(L)];
  for (S& x : change) x = (x - mean) * one_over_[index(L)];
  return change;
}

template <class S>
void LeadingPass<S>::add_third(const Orbit& orbit, const S& weight, OrbitSums<S>& sums) {
  const int L = static_cast<int>(orbit.token.size()), T = at_.T, last = L - 1;
  const auto token = [&](int s) { return index(orbit.token[index(s)]); };
  prepare_length(L);
  const S ur = at_.u(Block::R).contrast();
  const S re = at_.k2(Block::R, Block::E).contrast(), rr = at_.k2(Block::R, Block::R).contrast();
  reset(query_e_, orbit.classes);
  reset(query_r_, orbit.classes);
  for (int c = 0; c < orbit.classes; ++c) {
    query_e_[index(c)] = re * mass_[index(c)];
    query_r_[index(c)] = rr * mass_[index(c)];
  }
  query_e_[token(last)] += at_.k2(Block::E, Block::E).contrast();
  query_r_[token(last)] += at_.k2(Block::E, Block::R).contrast();
  const std::vector<S> guess = guess_slope(orbit, weight), change = attention_change(orbit);

  const std::vector<S>&sp = at_.k2(Block::S, Block::P).entries, &ss = at_.k2(Block::S, Block::S).entries;
  std::vector<S> value, second, key;  // by s: the parts of the slope whose factor is a2_t, 1/L, and the descent in score t
  for (int s = 0; s < L; ++s) {
    value.push_back(ur * residual_[token(s)]);
    second.push_back(ur * guess[token(s)] * one_over_[index(L)]);
    key.push_back(query_r_[token(s)] + position_s_[index(s)]);
  }
  std::vector<S> slope(index(L), S(0));
  for (int t = 0; t < L; ++t) {
    const S attention = one_over_[index(L)] + change[index(t)];
    S mean(0);
    for (int s = 0; s <= t; ++s) {
      S here = attention * value[index(s)] + second[index(s)] + score_[index(t)] * key[index(s)];
      if (t == last) {
        here += re * key_e_[token(s)] + rr * key_r_[token(s)];
        for (int r = 0; r < L; ++r) {
          add_product(here, sp[index(s * T + r)], score_[index(r)]);
          add_product(here, ss[index(s * T + r)], key_s_[index(r)]);
        }
      }
      mean += here;
      slope[index(s)] = here;
    }
    const S a1 = one_over_[index(t + 1)];
    mean = mean * a1;
    for (int s = 0; s <= t; ++s) {
      const S score = a1 * (slope[index(s)] - mean);
      if (token(s) == token(t)) sums.first_ee += score;
      sums.first_ep[index(s)] += score;
      sums.first_pp[index(t * T + s)] += score;
    }
  }
}

template <class S>
void LeadingPass<S>::add_descent(const Orbit& orbit, const S& weight, OrbitSums<S>& sums) {
  start(orbit, weight);
  if (stage_ == 1) {
    const int L = static_cast<int>(orbit.token.size());
    S later(0);
    for (int s = L - 1; s >= 0; --s) {
      later += one_over_[index(s + 1)];
      const S residual = residual_[index(orbit.token[index(s)])] * one_over_[index(L)];
      sums.ue += residual;
      sums.ur += residual * later;
    }
    return;
  }
  second_layer(orbit);
  if (stage_ == 2) add_second(orbit, sums);
  if (stage_ == 3) add_third(orbit, weight, sums);
}

template <class S>
InvariantMaps<S> leading_descent(const MinimalTask& task, const InvariantMaps<S>& at, int stage) {
  check_orbits(task, at.N, at.T);
  const auto add = [](LeadingPass<S>& pass, const Orbit& orbit, const S& weight, OrbitSums<S>& into) {
    pass.add_descent(orbit, weight, into);
  };
  const OrbitSums<S> sums = sum_over_orbits<S>(
      task, [&] { return LeadingPass<S>(at, stage); }, add);
  return averaged(sums, task.N, task.T, {stage == 1, stage == 2, stage == 3});
}

template class LeadingPass<double>;
template class LeadingPass<Rational>;
template InvariantMaps<double> leading_descent<double>(const MinimalTask&, const InvariantMaps<double>&, int);
template InvariantMaps<Rational> leading_descent<Rational>(const MinimalTask&, const InvariantMaps<Rational>&, int);

}  // namespace popgrad
