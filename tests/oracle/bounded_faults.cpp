#include "tests/oracle/bounded_faults.hpp"

#include <algorithm>
#include <cmath>

namespace popgrad::oracle {
namespace {

template <class S>
using Rows = std::vector<std::vector<S>>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// m v, or m^T v.
template <class S>
std::vector<S> times(const std::vector<S>& m, const std::vector<S>& v, bool transpose = false) {
  const std::size_t n = v.size(), rows = m.size() / n;
  std::vector<S> result(rows, S(0));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < n; ++j) result[i] += (transpose ? m[j * rows + i] : m[i * n + j]) * v[j];
  return result;
}

// m^T v of an N x d matrix.
template <class S>
std::vector<S> times_rows(const std::vector<S>& m, const std::vector<S>& v, std::size_t columns) {
  std::vector<S> result(columns, S(0));
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < columns; ++j) result[j] += m[i * columns + j] * v[i];
  return result;
}

template <class S>
S dot(const std::vector<S>& a, const std::vector<S>& b) {
  S total = 0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

template <class S>
void add(std::vector<S>& to, S factor, const std::vector<S>& from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

template <class S>
void add_outer(std::vector<S>& to, const std::vector<S>& a, const std::vector<S>& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) to[i * b.size() + j] += a[i] * b[j];
}

template <class S>
std::vector<S> soft(std::vector<S> scores) {
  const S top = *std::max_element(scores.begin(), scores.end());
  S sum = 0;
  for (S& s : scores) sum += s = std::exp(s - top);
  for (S& s : scores) s /= sum;
  return scores;
}

template <class S>
std::vector<S> attend(const Rows<S>& v, const std::vector<S>& query, const std::vector<S>& map, S kappa, int seen,
                      bool wrong) {
  std::vector<S> scores;
  for (int s = 0; s < seen; ++s) scores.push_back(kappa * dot(query, times(map, v[at(s)], wrong)));
  return soft(std::move(scores));
}

template <class S>
std::vector<S> soft_backward(const std::vector<S>& a, std::vector<S> c, S sign) {
  const S mean = dot(a, c);
  for (std::size_t s = 0; s < a.size(); ++s) c[s] = a[s] * (c[s] - sign * mean);
  return c;
}

int visible(int t, int L, bool early, bool late) { return std::clamp(t + 1 + (late ? 1 : 0) - (early ? 1 : 0), 1, L); }

}  // namespace

template <class S>
void add_plain(const FiniteParameters<S>& p, const std::vector<int>& tokens, const std::vector<std::pair<int, int>>& targets,
               Fault fault, PlainTotals<S>& total) {
  const auto is = [&](Fault f) { return fault == f; };
  const int L = static_cast<int>(tokens.size());
  const std::size_t d = at(p.d);
  const S kappa = static_cast<S>(p.kappa);
  for (auto& map : total.gradient) map.resize(d * d, S(0));
  auto& [gk1, gk2, go2, gf] = total.gradient;
  Rows<S> x, r, a1, x1, dx1(at(L), std::vector<S>(d, S(0)));
  for (int t = 0; t < L; ++t) {
    std::vector<S> token(d), position(d), shifted(d);
    const int before = is(Fault::position_table_shifted) ? std::max(t - 1, 0) : t;
    for (std::size_t j = 0; j < d; ++j) {
      token[j] = p.tok[at(tokens[at(t)]) * d + j] + p.pos[at(t) * d + j];
      shifted[j] = p.tok[at(tokens[at(t)]) * d + j] + p.pos[at(before) * d + j];
    }
    x.push_back(token);
    r.push_back(times(p.wo1, times(p.wv1, shifted)));
  }
  for (int t = 0; t < L; ++t) {
    const int seen = visible(t, L, is(Fault::mask_early_layer1), is(Fault::mask_late_layer1));
    a1.push_back(attend(x, x[at(t)], p.wk1, kappa, seen, false));
    x1.push_back(x[at(t)]);
    for (int s = 0; s < seen; ++s) add(x1.back(), a1.back()[at(s)], r[at(s)]);
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (is(Fault::position_missing) && i + 1 == targets.size()) continue;
    const auto [t, label] = targets[i];
    const int seen = visible(t, L, is(Fault::mask_early_layer2), is(Fault::mask_late_layer2));
    const std::vector<S>& q = x1[at(t)];
    const bool turned = is(Fault::key_map_transposed);
    const std::vector<S> a2 = attend(x1, q, p.wk2, kappa, seen, turned);
    std::vector<S> v(d, S(0));
    for (int s = 0; s < seen; ++s) add(v, a2[at(s)], x1[at(s)]);
    const std::vector<S> mapped = times(p.wv2, v);
    std::vector<S> x2 = times(p.wo2, mapped);
    if (!is(Fault::skip_lost)) add(x2, S(1), q);
    std::vector<S> x3 = x2;
    if (p.feed_forward) add(x3, S(1), times(p.wf, x2));
    std::vector<S> g = times(p.out, x3);
    const S top = *std::max_element(g.begin(), g.end()), score = g[at(label)];
    S sum = 0;
    for (const S logit : g) sum += std::exp(logit - top);
    total.loss += std::log(sum) + (top - score);
    g = soft(std::move(g));
    g[at(label)] -= S(1);
    if (is(Fault::residual_sign)) g[at(label)] = -g[at(label)];

    const std::vector<S> gx3 = times_rows(p.out, g, d);
    std::vector<S> gx2 = gx3;
    if (p.feed_forward) {
      add_outer(gf, gx3, x2);
      add(gx2, S(1), times(p.wf, gx3, true));
    }
    add_outer(go2, gx2, mapped);
    const std::vector<S> gv = times(p.wv2, times(p.wo2, gx2, true), true);
    std::vector<S> c;
    for (int s = 0; s < seen; ++s) c.push_back(dot(gv, x1[at(s)]));
    std::vector<S> ds = soft_backward(a2, std::move(c), S(1));
    if (!is(Fault::kappa_forgotten_layer2))
      for (S& s : ds) s *= kappa;
    std::vector<S> keys(d, S(0));
    for (int s = 0; s < seen; ++s) add(keys, ds[at(s)], x1[at(s)]);
    add_outer(gk2, q, keys);
    const std::vector<S> key = times(p.wk2, q, !turned);
    for (int s = 0; s < seen; ++s) {
      if (!is(Fault::value_path_lost)) add(dx1[at(s)], a2[at(s)], gv);
      if (!is(Fault::key_path_lost)) add(dx1[at(s)], ds[at(s)], key);
    }
    if (!is(Fault::query_path_lost)) {
      add(dx1[at(t)], S(1), gx2);
      add(dx1[at(t)], S(1), times(p.wk2, keys, turned));
    }
  }
  for (int t = 0; t < L; ++t) {
    std::vector<S> c;
    for (std::size_t s = 0; s < a1[at(t)].size(); ++s) c.push_back(dot(dx1[at(t)], r[s]));
    const std::vector<S> ds = soft_backward(a1[at(t)], std::move(c), is(Fault::mean_added) ? S(-1) : S(1));
    std::vector<S> keys(d, S(0));
    for (std::size_t s = 0; s < ds.size(); ++s) add(keys, is(Fault::kappa_forgotten) ? ds[s] : kappa * ds[s], x[s]);
    add_outer(gk1, x[at(t)], keys);
  }
}

const char* name(Fault fault) {
  constexpr std::array<const char*, fault_count> names = {"none",
                                                          "kappa forgotten, layer 1",
                                                          "kappa forgotten, layer 2",
                                                          "mask early, layer 1",
                                                          "mask late, layer 1",
                                                          "mask early, layer 2",
                                                          "mask late, layer 2",
                                                          "mean added",
                                                          "residual sign",
                                                          "key path lost",
                                                          "query path lost",
                                                          "value path lost",
                                                          "skip lost",
                                                          "key map transposed",
                                                          "position missing",
                                                          "position table shifted"};
  return names[static_cast<std::size_t>(fault)];
}

FiniteParameters<float> rounded(const FiniteParameters<double>& p) {
  const auto lower = [](const std::vector<double>& m) {
    std::vector<float> result;
    for (const double x : m) result.push_back(static_cast<float>(x));
    return result;
  };
  return {p.N,          p.T,          p.d,          lower(p.tok), lower(p.pos), lower(p.out), lower(p.wv1),  lower(p.wo1),
          lower(p.wv2), lower(p.wk1), lower(p.wk2), lower(p.wo2), lower(p.wf),  p.kappa,      p.feed_forward};
}

template void add_plain(const FiniteParameters<float>&, const std::vector<int>&, const std::vector<std::pair<int, int>>&,
                        Fault, PlainTotals<float>&);
template void add_plain(const FiniteParameters<double>&, const std::vector<int>&, const std::vector<std::pair<int, int>>&,
                        Fault, PlainTotals<double>&);

}  // namespace popgrad::oracle
