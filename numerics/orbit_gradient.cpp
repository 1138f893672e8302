#include "numerics/orbit_gradient.hpp"

#include "numerics/ideal_scalars.hpp"

namespace popgrad {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

template <class S>
void reset(std::vector<S>& values, int count) {
  values.assign(index(count), S(0));
}

template <class S>
void softmax_in_place(std::vector<S>& scores) {
  scores = softmax(std::move(scores));
}

template <class S>
void add_all(std::vector<S>& sum, const std::vector<S>& terms) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += terms[i];
}

}  // namespace

template <class S>
OrbitSums<S>::OrbitSums(int T) {
  for (std::vector<S>* vector : {&ep, &es, &first_ep}) reset(*vector, T);
  for (std::vector<S>* matrix : {&pp, &ps, &sp, &ss, &first_pp}) reset(*matrix, T * T);
}

template <class S>
OrbitSums<S>& OrbitSums<S>::operator+=(const OrbitSums& other) {
  ue += other.ue;
  ur += other.ur;
  ee += other.ee;
  er += other.er;
  re += other.re;
  rr += other.rr;
  first_ee += other.first_ee;
  loss += other.loss;
  accuracy += other.accuracy;
  margin += other.margin;
  rows += other.rows;
  ties += other.ties;
  add_all(ep, other.ep);
  add_all(es, other.es);
  add_all(pp, other.pp);
  add_all(ps, other.ps);
  add_all(sp, other.sp);
  add_all(ss, other.ss);
  add_all(first_ep, other.first_ep);
  add_all(first_pp, other.first_pp);
  return *this;
}

template <class S>
void OrbitPass<S>::forward(const Orbit& orbit) {
  const int L = length_ = static_cast<int>(orbit.token.size()), T = maps_.T, last = L - 1;
  const auto token = [&](int s) { return index(orbit.token[index(s)]); };
  reset(attention1_, L * L);
  const S same1 = maps_.k1(Block::E, Block::E).contrast();
  const std::vector<S>&key1 = maps_.k1(Block::E, Block::P).entries, &pair1 = maps_.k1(Block::P, Block::P).entries;
  for (int t = 0; t < L; ++t) {
    std::vector<S> row(index(t + 1), S(0));
    for (int s = 0; s <= t; ++s) {
      row[index(s)] = key1[index(s)] + pair1[index(t * T + s)];
      if (token(s) == token(t)) row[index(s)] += same1;
    }
    softmax_in_place(row);
    for (int s = 0; s <= t; ++s) a1(t, s) = row[index(s)];
  }
  for (std::vector<S>* by_class : {&mass_, &query_e_, &query_r_, &value_e_, &value_r_}) reset(*by_class, orbit.classes);
  for (int s = 0; s < L; ++s) mass_[token(s)] += a1(last, s);

  const S ee = maps_.k2(Block::E, Block::E).contrast(), er = maps_.k2(Block::E, Block::R).contrast();
  const S re = maps_.k2(Block::R, Block::E).contrast(), rr = maps_.k2(Block::R, Block::R).contrast();
  for (int c = 0; c < orbit.classes; ++c) {
    add_product(query_e_[index(c)], re, mass_[index(c)]);
    add_product(query_r_[index(c)], rr, mass_[index(c)]);
  }
  query_e_[token(last)] += ee;
  query_r_[token(last)] += er;
  reset(query_p_, L);
  reset(query_s_, L);
  const auto block = [&](Block query, Block key) -> const std::vector<S>& { return maps_.k2(query, key).entries; };
  for (int s = 0; s < L; ++s) {
    query_p_[index(s)] = block(Block::E, Block::P)[index(s)] + block(Block::R, Block::P)[index(s)] +
                         block(Block::P, Block::P)[index(last * T + s)];
    query_s_[index(s)] = block(Block::E, Block::S)[index(s)] + block(Block::R, Block::S)[index(s)] +
                         block(Block::P, Block::S)[index(last * T + s)];
    for (int r = 0; r < L; ++r) {
      add_product(query_p_[index(s)], a1(last, r), block(Block::S, Block::P)[index(r * T + s)]);
      add_product(query_s_[index(s)], a1(last, r), block(Block::S, Block::S)[index(r * T + s)]);
    }
  }
  reset(attention2_, L);
  for (int s = 0; s < L; ++s) {
    attention2_[index(s)] = query_e_[token(s)] + query_p_[index(s)];
    for (int r = 0; r <= s; ++r) add_product(attention2_[index(s)], a1(s, r), S(query_r_[token(r)] + query_s_[index(r)]));
  }
  softmax_in_place(attention2_);

  for (int s = 0; s < L; ++s) {
    value_e_[token(s)] += attention2_[index(s)];
    for (int r = 0; r <= s; ++r) add_product(value_r_[token(r)], attention2_[index(s)], a1(s, r));
  }
  const S ue = maps_.u(Block::E).contrast(), ur = maps_.u(Block::R).contrast();
  // One logit more, for each of the N - classes tokens that do not occur.
  reset(logit_, orbit.classes + 1);
  for (int c = 0; c < orbit.classes; ++c) {
    add_product(logit_[index(c)], ue, value_e_[index(c)]);
    add_product(logit_[index(c)], ur, value_r_[index(c)]);
  }
  const S top = logit_[index_of_largest(logit_)];
  probability_ = logit_;
  S sum(0);
  for (int c = 0; c <= orbit.classes; ++c) {
    S& p = probability_[index(c)];
    p = exp_at(p - top);
    if (c < orbit.classes)
      sum += p;
    else
      add_product(sum, from_integer<S>(maps_.N - orbit.classes), p);
  }
  for (S& p : probability_) p = p / sum;
}

template <class S>
void OrbitPass<S>::add_descent(const Orbit& orbit, const S& weight, const Wanted& wanted, OrbitSums<S>& sums) {
  forward(orbit);
  reset(residual_, orbit.classes);
  const S triggers(orbit.triggers);
  if (!paths_.guess) probability_.assign(probability_.size(), S(S(1) / from_integer<S>(maps_.N)));
  for (int c = 0; c < orbit.classes; ++c)
    residual_[index(c)] = weight * (S(orbit.label[index(c)]) - triggers * probability_[index(c)]);
  if (wanted.wo)
    for (int c = 0; c < orbit.classes; ++c) {
      add_product(sums.ue, residual_[index(c)], value_e_[index(c)]);
      add_product(sums.ur, residual_[index(c)], value_r_[index(c)]);
    }
  if (wanted.wk2 || wanted.wk1) backward_keys(orbit, wanted, sums);
}

// score_ is the descent in the scores of layer 2, key_* the keys that it weighs.
template <class S>
void OrbitPass<S>::backward_keys(const Orbit& orbit, const Wanted& wanted, OrbitSums<S>& sums) {
  const int L = length_, T = maps_.T, last = L - 1;
  const auto token = [&](int s) { return index(orbit.token[index(s)]); };
  const S ue = maps_.u(Block::E).contrast(), ur = maps_.u(Block::R).contrast();
  reset(score_, L);
  S mean(0);
  for (int s = 0; s < L; ++s) {
    S& slope = score_[index(s)];
    add_product(slope, ue, residual_[token(s)]);
    if (!is_zero(ur)) {
      S remapped(0);
      for (int r = 0; r <= s; ++r) add_product(remapped, a1(s, r), residual_[token(r)]);
      add_product(slope, ur, remapped);
    }
    add_product(mean, attention2_[index(s)], slope);
  }
  for (int s = 0; s < L; ++s) score_[index(s)] = attention2_[index(s)] * (score_[index(s)] - mean);
  reset(key_e_, orbit.classes);
  reset(key_r_, orbit.classes);
  reset(key_s_, L);
  for (int s = 0; s < L; ++s) {
    key_e_[token(s)] += score_[index(s)];
    for (int r = 0; r <= s; ++r) {
      const S moved = score_[index(s)] * a1(s, r);
      key_r_[token(r)] += moved;
      key_s_[index(r)] += moved;
    }
  }
  if (wanted.wk2) {
    sums.ee += key_e_[token(last)];
    sums.er += key_r_[token(last)];
    for (int c = 0; c < orbit.classes; ++c) {
      add_product(sums.re, mass_[index(c)], key_e_[index(c)]);
      add_product(sums.rr, mass_[index(c)], key_r_[index(c)]);
    }
    for (int s = 0; s < L; ++s) {
      sums.ep[index(s)] += score_[index(s)];
      sums.es[index(s)] += key_s_[index(s)];
      sums.pp[index(last * T + s)] += score_[index(s)];
      sums.ps[index(last * T + s)] += key_s_[index(s)];
      for (int r = 0; r < L; ++r) {
        add_product(sums.sp[index(r * T + s)], a1(last, r), score_[index(s)]);
        add_product(sums.ss[index(r * T + s)], a1(last, r), key_s_[index(s)]);
      }
    }
  }
  if (wanted.wk1) add_first_layer(orbit, sums);
}

// The three paths of x1_t to the logits: value, key, and for the last position query. What is the same for every key of row t drops out
// in its softmax.
template <class S>
void OrbitPass<S>::add_first_layer(const Orbit& orbit, OrbitSums<S>& sums) {
  const int L = length_, T = maps_.T, last = L - 1;
  const auto token = [&](int s) { return index(orbit.token[index(s)]); };
  const S ur = maps_.u(Block::R).contrast();
  const S re = maps_.k2(Block::R, Block::E).contrast(), rr = maps_.k2(Block::R, Block::R).contrast();
  const std::vector<S>&sp = maps_.k2(Block::S, Block::P).entries, &ss = maps_.k2(Block::S, Block::S).entries;
  std::vector<S> slope;
  for (int t = 0; t < L; ++t) {
    const S value_path = attention2_[index(t)] * ur;
    reset(slope, t + 1);
    S mean(0);
    for (int s = 0; s <= t; ++s) {
      S& here = slope[index(s)];
      if (paths_.value) add_product(here, value_path, residual_[token(s)]);
      if (paths_.key) add_product(here, score_[index(t)], S(query_r_[token(s)] + query_s_[index(s)]));
      if (t == last && paths_.query) {
        add_product(here, re, key_e_[token(s)]);
        add_product(here, rr, key_r_[token(s)]);
        for (int r = 0; r < L; ++r) {
          add_product(here, sp[index(s * T + r)], score_[index(r)]);
          add_product(here, ss[index(s * T + r)], key_s_[index(r)]);
        }
      }
      add_product(mean, a1(t, s), here);
    }
    for (int s = 0; s <= t; ++s) {
      const S score = a1(t, s) * (slope[index(s)] - mean);
      if (token(s) == token(t)) sums.first_ee += score;
      sums.first_ep[index(s)] += score;
      sums.first_pp[index(t * T + s)] += score;
    }
  }
}

template <class S>
const std::vector<S>& OrbitPass<S>::logits(const Orbit& orbit) {
  forward(orbit);
  return logit_;
}

template <class S>
void OrbitPass<S>::evaluate(const Orbit& orbit, const S& weight, double blur, OrbitSums<S>& sums) {
  forward(orbit);
  // A tie counts 1/#tied; the tokens that do not occur tie with each other.
  const int others = maps_.N - orbit.classes;
  if (others == 0) logit_.pop_back();
  const S top = logit_[index_of_largest(logit_)];
  const auto wins = [&](int c) { return size_of(S(logit_[index(c)] - top)) <= blur; };
  int tied = others > 0 && wins(orbit.classes) ? others : 0;
  for (int c = 0; c < orbit.classes; ++c) tied += wins(c) ? 1 : 0;
  // log(N p_c) as the difference to the largest logit, which stays finite where p_c underflows.
  const S log_top = log_at(S(from_integer<S>(maps_.N) * probability_[index_of_largest(logit_)]));
  for (int c = 0; c < orbit.classes; ++c) {
    if (orbit.label[index(c)] == 0) continue;
    const S places = weight * S(orbit.label[index(c)]);
    const S below = logit_[index(c)] - top;
    sums.loss -= places * (log_top + below);
    if (wins(c)) sums.accuracy += places / S(tied);
    std::vector<S> others_logits = logit_;
    others_logits.erase(others_logits.begin() + c);
    sums.margin += places * (logit_[index(c)] - others_logits[index_of_largest(others_logits)]);
    ++sums.rows;
    if (wins(c) && tied > 1) ++sums.ties;
  }
}

#define POPGRAD_INSTANTIATE(S) \
  template struct OrbitSums<S>;  \
  template class OrbitPass<S>;
POPGRAD_FOR_ORBIT_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
