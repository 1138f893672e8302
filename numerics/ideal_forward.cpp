// Forward pass of the ideal model, from x to the logits at the last position.
#include "numerics/ideal_model.hpp"
#include "numerics/ideal_scalars.hpp"
#include "numerics/ideal_trace.hpp"

namespace popgrad {
namespace {

// Plain ifs, not require(): this runs for every sequence of an enumeration, and require() builds its texts each time.
template <class S>
void check(const IdealMaps<S>& maps, const std::vector<int>& tokens) {
  if (tokens.empty() || tokens.size() > static_cast<std::size_t>(maps.at.T))
    throw HypothesisError("ideal_trace", "tokens", "1 to " + std::to_string(maps.at.T) + " of them",
                          std::to_string(tokens.size()));
  for (const int z : tokens)
    if (z < 0 || z >= maps.at.N)
      throw HypothesisError("ideal_trace", "token", "0 to " + std::to_string(maps.at.N - 1), std::to_string(z));
}

// a1_{t.} = softmax_{s<=t}(x_t^T W_K1 x_s) with x_t = E_{z_t} + P_t: four entries of W_K1 a score.
template <class S>
void first_attention(const IdealMaps<S>& maps, IdealTrace<S>& trace) {
  const int L = trace.L();
  trace.attention1.assign(static_cast<std::size_t>(L * L), S(0));
  for (int t = 0; t < L; ++t) {
    const int e_t = trace.at.at(Block::E, trace.tokens[static_cast<std::size_t>(t)]);
    const int p_t = trace.at.at(Block::P, t);
    std::vector<S> scores;
    for (int s = 0; s <= t; ++s) {
      const int e_s = trace.at.at(Block::E, trace.tokens[static_cast<std::size_t>(s)]);
      const int p_s = trace.at.at(Block::P, s);
      S score = maps.k1(e_t, e_s);
      for (const S* term : {&maps.k1(e_t, p_s), &maps.k1(p_t, e_s), &maps.k1(p_t, p_s)})
        if (!is_zero(*term)) score += *term;
      scores.push_back(score);
    }
    const std::vector<S> row = softmax(std::move(scores));
    for (int s = 0; s <= t; ++s) trace.attention1[static_cast<std::size_t>(t * L + s)] = row[static_cast<std::size_t>(s)];
  }
}

// x1_t = E_{z_t} + P_t + sum_s a1_{ts} (R_{z_s} + S_s)
template <class S>
void residual_stream(IdealTrace<S>& trace) {
  const int L = trace.L();
  trace.x1.assign(static_cast<std::size_t>(L * trace.at.size()), S(0));
  for (int t = 0; t < L; ++t) {
    S* row = &trace.x1[static_cast<std::size_t>(t * trace.at.size())];
    row[trace.at.at(Block::E, trace.tokens[static_cast<std::size_t>(t)])] = S(1);
    row[trace.at.at(Block::P, t)] = S(1);
    for (int s = 0; s <= t; ++s) {
      row[trace.at.at(Block::R, trace.tokens[static_cast<std::size_t>(s)])] += trace.a1(t, s);
      row[trace.at.at(Block::S, s)] += trace.a1(t, s);
    }
  }
}

// a2_s = softmax_s(x1_L^T W_K2 x1_s) at the last position L
template <class S>
void second_attention(const IdealMaps<S>& maps, IdealTrace<S>& trace) {
  const int M = trace.at.size();
  const int last = trace.L() - 1;
  trace.query2.assign(static_cast<std::size_t>(M), S(0));
  for (int i = 0; i < M; ++i) {
    if (is_zero(trace.key(last, i))) continue;
    for (int j = 0; j < M; ++j) add_product(trace.query2[static_cast<std::size_t>(j)], trace.key(last, i), maps.k2(i, j));
  }
  std::vector<S> scores(static_cast<std::size_t>(trace.L()), S(0));
  for (int s = 0; s <= last; ++s)
    for (int j = 0; j < M; ++j)
      add_product(scores[static_cast<std::size_t>(s)], trace.query2[static_cast<std::size_t>(j)], trace.key(s, j));
  trace.attention2 = softmax(std::move(scores));
}

}  // namespace

template <class S>
IdealTrace<S> ideal_trace(const IdealMaps<S>& maps, const std::vector<int>& tokens) {
  check(maps, tokens);
  IdealTrace<S> trace;
  trace.at = maps.at;
  trace.tokens = tokens;
  first_attention(maps, trace);
  residual_stream(trace);
  second_attention(maps, trace);

  const int M = trace.at.size();
  trace.value.assign(static_cast<std::size_t>(M), S(0));
  for (int s = 0; s < trace.L(); ++s)
    for (int j = 0; j < M; ++j)
      add_product(trace.value[static_cast<std::size_t>(j)], trace.attention2[static_cast<std::size_t>(s)], trace.key(s, j));
  trace.logits.assign(static_cast<std::size_t>(maps.at.N), S(0));
  for (int k = 0; k < maps.at.N; ++k)
    for (int j = 0; j < M; ++j)
      add_product(trace.logits[static_cast<std::size_t>(k)], maps.u(k, j), trace.value[static_cast<std::size_t>(j)]);
  return trace;
}

template <class S>
std::vector<S> ideal_logits(const IdealMaps<S>& maps, const std::vector<int>& tokens) {
  return ideal_trace(maps, tokens).logits;
}

#define POPGRAD_INSTANTIATE(S)                                                         \
  template IdealTrace<S> ideal_trace<S>(const IdealMaps<S>&, const std::vector<int>&); \
  template std::vector<S> ideal_logits<S>(const IdealMaps<S>&, const std::vector<int>&);
POPGRAD_FOR_IDEAL_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
