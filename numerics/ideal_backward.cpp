// Backward pass of the ideal model, written by hand: from the logits to W_O, W_K2 and W_K1.
#include <string>

#include "core/errors.hpp"
#include "numerics/ideal_model.hpp"
#include "numerics/ideal_scalars.hpp"
#include "numerics/ideal_trace.hpp"

namespace popgrad {
namespace {

template <class S>
using Row = std::vector<S>;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// For a = softmax(scores) and `slope` = dF/da: dF/dscores = a (slope - sum_r a_r slope_r).
template <class S>
Row<S> through_softmax(const Row<S>& a, const Row<S>& slope) {
  S mean(0);
  for (std::size_t s = 0; s < a.size(); ++s) add_product(mean, a[s], slope[s]);
  Row<S> result(a.size(), S(0));
  for (std::size_t s = 0; s < a.size(); ++s) add_product(result[s], a[s], S(slope[s] - mean));
  return result;
}

// weight (e_y - p_hat): the descent direction in the logits
template <class S>
Row<S> logit_descent(const IdealTrace<S>& trace, int label, const S& weight) {
  Row<S> r = softmax(trace.logits);
  for (S& p : r) p = -p;
  r[index(label)] += S(1);
  for (S& p : r) p = p * weight;
  return r;
}

// Descent in the scores of layer 2 and the sum of keys that they weigh.
template <class S>
struct SecondLayer {
  Row<S> score;    // L, delta_s
  Row<S> key_sum;  // M, sum_s delta_s x1_s
};

template <class S>
SecondLayer<S> second_layer(const IdealTrace<S>& trace, const Row<S>& value_slope) {
  const int M = trace.at.size();
  Row<S> slope(index(trace.L()), S(0));
  for (int s = 0; s < trace.L(); ++s)
    for (int j = 0; j < M; ++j) add_product(slope[index(s)], value_slope[index(j)], trace.key(s, j));
  SecondLayer<S> layer;
  layer.score = through_softmax(trace.attention2, slope);
  layer.key_sum.assign(index(M), S(0));
  for (int s = 0; s < trace.L(); ++s)
    for (int j = 0; j < M; ++j) add_product(layer.key_sum[index(j)], layer.score[index(s)], trace.key(s, j));
  return layer;
}

// Three paths lead from x1_t to the logits: as a value (a2_t W_O^T r), as a key (delta_t W_K2^T x1_L) and, for the last
// position, as the query (W_K2 sum_s delta_s x1_s). Only the R and S coordinates of x1_t depend on W_K1, through a1_{t.}.
template <class S>
void add_wk1(const IdealMaps<S>& maps, const IdealTrace<S>& trace, const Row<S>& value_slope, const SecondLayer<S>& layer,
             IdealMaps<S>& descent) {
  const Coordinates at = trace.at;
  const int M = at.size();
  for (int t = 0; t < trace.L(); ++t) {
    Row<S> x1_slope(index(M), S(0));
    for (int c = at.first(Block::R); c < M; ++c) {
      S& slope = x1_slope[index(c)];
      add_product(slope, trace.attention2[index(t)], value_slope[index(c)]);
      add_product(slope, layer.score[index(t)], trace.query2[index(c)]);
      if (t == trace.L() - 1)
        for (int j = 0; j < M; ++j) add_product(slope, maps.k2(c, j), layer.key_sum[index(j)]);
    }
    Row<S> attention, slope;
    for (int s = 0; s <= t; ++s) {
      attention.push_back(trace.a1(t, s));
      slope.push_back(x1_slope[index(at.at(Block::R, trace.tokens[index(s)]))] + x1_slope[index(at.at(Block::S, s))]);
    }
    const Row<S> score = through_softmax(attention, slope);
    for (int s = 0; s <= t; ++s) {
      if (is_zero(score[index(s)])) continue;
      for (const int query : {at.at(Block::E, trace.tokens[index(t)]), at.at(Block::P, t)})
        for (const int key : {at.at(Block::E, trace.tokens[index(s)]), at.at(Block::P, s)})
          descent.k1(query, key) += score[index(s)];
    }
  }
}

// Plain ifs for the same reason as in the forward pass.
void check(const Coordinates& at, const Example& example, const Coordinates& descent) {
  const auto fail = [](const char* argument, int expected, int got) {
    throw HypothesisError("add_descent", argument, std::to_string(expected), std::to_string(got));
  };
  if (descent.N != at.N) fail("N of descent", at.N, descent.N);
  if (descent.T != at.T) fail("T of descent", at.T, descent.T);
  if (example.targets.size() != 1) fail("number of targets", 1, static_cast<int>(example.targets.size()));
  const Target target = example.targets.front();
  const int last = static_cast<int>(example.tokens.size()) - 1;
  if (target.position != last) fail("target position", last, target.position);
  if (target.token < 0 || target.token >= at.N)
    throw HypothesisError("add_descent", "target token", "0 to " + std::to_string(at.N - 1), std::to_string(target.token));
}

}  // namespace

template <class S>
void add_descent(const IdealMaps<S>& maps, const Example& example, const S& weight, const Wanted& wanted,
                 IdealMaps<S>& descent) {
  const IdealTrace<S> trace = ideal_trace(maps, example.tokens);
  check(maps.at, example, descent.at);
  const Target target = example.targets.front();

  const int M = maps.at.size();
  const Row<S> r = logit_descent(trace, target.token, weight);
  if (wanted.wo)
    for (int k = 0; k < maps.at.N; ++k)
      for (int j = 0; j < M; ++j) add_product(descent.u(k, j), r[index(k)], trace.value[index(j)]);
  if (!wanted.wk2 && !wanted.wk1) return;

  Row<S> value_slope(index(M), S(0));  // W_O^T r
  for (int k = 0; k < maps.at.N; ++k)
    for (int j = 0; j < M; ++j) add_product(value_slope[index(j)], r[index(k)], maps.u(k, j));
  const SecondLayer<S> layer = second_layer(trace, value_slope);
  if (wanted.wk2)
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < M; ++j) add_product(descent.k2(i, j), trace.key(trace.L() - 1, i), layer.key_sum[index(j)]);
  if (wanted.wk1) add_wk1(maps, trace, value_slope, layer, descent);
}

#define POPGRAD_INSTANTIATE(S) \
  template void add_descent<S>(const IdealMaps<S>&, const Example&, const S&, const Wanted&, IdealMaps<S>&);
POPGRAD_FOR_IDEAL_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
