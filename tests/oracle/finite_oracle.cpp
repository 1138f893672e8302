#include "tests/oracle/finite_oracle.hpp"

#include <stdexcept>

#include "tests/oracle/scalars.hpp"
#include "tests/oracle/softmax.hpp"

namespace popgrad::oracle {
namespace {

// m v, m with v.size() columns.
template <class S>
std::vector<S> times(const std::vector<S>& m, const std::vector<S>& v) {
  const std::size_t columns = v.size(), rows = m.size() / columns;
  std::vector<S> result(rows, S(0.0));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) result[i] += m[i * columns + j] * v[j];
  return result;
}

template <class S>
std::vector<S> plus(std::vector<S> a, const std::vector<S>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

template <class S>
std::vector<S> row(const std::vector<S>& m, std::size_t index, std::size_t columns) {
  std::vector<S> result;
  for (std::size_t j = 0; j < columns; ++j) result.push_back(m[index * columns + j]);
  return result;
}

// softmax over s <= t of kappa v_t^T W v_s.
template <class S>
std::vector<S> attention(const std::vector<std::vector<S>>& v, std::size_t t, const std::vector<S>& w, double kappa) {
  std::vector<S> scores;
  for (std::size_t s = 0; s <= t; ++s) {
    const std::vector<S> key = times(w, v[s]);
    S score(0.0);
    for (std::size_t i = 0; i < key.size(); ++i) score += v[t][i] * key[i];
    scores.push_back(score * S(kappa));
  }
  return softmax(scores);
}

// sum_s a_s v_s.
template <class S>
std::vector<S> average(const std::vector<S>& a, const std::vector<std::vector<S>>& v) {
  std::vector<S> result(v.front().size(), S(0.0));
  for (std::size_t s = 0; s < a.size(); ++s)
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += a[s] * v[s][i];
  return result;
}

}  // namespace

template <class S>
FiniteForward<S> finite_forward(const FiniteParameters<S>& p, const std::vector<int>& tokens) {
  if (tokens.empty() || tokens.size() > static_cast<std::size_t>(p.T)) throw std::invalid_argument("oracle: length");
  const auto d = static_cast<std::size_t>(p.d);
  std::vector<std::vector<S>> x, x1;
  for (std::size_t t = 0; t < tokens.size(); ++t) {
    if (tokens[t] < 0 || tokens[t] >= p.N) throw std::invalid_argument("oracle: token");
    x.push_back(plus(row(p.tok, static_cast<std::size_t>(tokens[t]), d), row(p.pos, t, d)));
  }
  FiniteForward<S> result;
  for (std::size_t t = 0; t < x.size(); ++t) {
    result.attention1.push_back(attention(x, t, p.wk1, p.kappa));
    x1.push_back(plus(x[t], times(p.wo1, times(p.wv1, average(result.attention1[t], x)))));
  }
  for (std::size_t t = 0; t < x.size(); ++t) {
    result.attention2.push_back(attention(x1, t, p.wk2, p.kappa));
    std::vector<S> last = plus(x1[t], times(p.wo2, times(p.wv2, average(result.attention2[t], x1))));
    if (p.feed_forward) last = plus(last, times(p.wf, last));
    result.logits.push_back(times(p.out, last));
  }
  return result;
}

template <class S>
S finite_loss(const FiniteParameters<S>& p, const std::vector<int>& tokens,
              const std::vector<std::pair<int, int>>& targets) {
  const FiniteForward<S> forward = finite_forward(p, tokens);
  S total(0.0);
  for (const auto& [position, token] : targets)
    total += cross_entropy(forward.logits.at(static_cast<std::size_t>(position)), token);
  return total;
}

std::vector<double> trained_entries(const FiniteParameters<double>& p) {
  std::vector<double> entries;
  for (const auto* map : {&p.wk1, &p.wk2, &p.wo2, &p.wf}) entries.insert(entries.end(), map->begin(), map->end());
  return entries;
}

template <class S>
FiniteParameters<S> with_trained_entries(const FiniteParameters<double>& base, const std::vector<S>& entries) {
  const auto lift = [](const std::vector<double>& m) { return std::vector<S>(m.begin(), m.end()); };
  const std::size_t size = base.wk1.size();
  const auto map = [&](std::size_t index) {
    std::vector<S> result;
    for (std::size_t i = 0; i < size; ++i) result.push_back(entries.at(index * size + i));
    return result;
  };
  return {base.N,         base.T, base.d, lift(base.tok), lift(base.pos), lift(base.out), lift(base.wv1),   lift(base.wo1),
          lift(base.wv2), map(0), map(1), map(2),         map(3),         base.kappa,     base.feed_forward};
}

std::vector<double> embedding_entries(const FiniteParameters<double>& p) {
  std::vector<double> entries;
  for (const auto* table : {&p.tok, &p.pos, &p.out}) entries.insert(entries.end(), table->begin(), table->end());
  return entries;
}

template <class S>
FiniteParameters<S> with_embedding_entries(const FiniteParameters<double>& base, const std::vector<S>& entries) {
  const auto trained = trained_entries(base);
  FiniteParameters<S> result = with_trained_entries(base, std::vector<S>(trained.begin(), trained.end()));
  std::size_t next = 0;
  for (auto* table : {&result.tok, &result.pos, &result.out})
    for (S& entry : *table) entry = entries.at(next++);
  return result;
}

#define POPGRAD_ORACLE_FINITE(S)                                                                                        \
  template FiniteForward<S> finite_forward(const FiniteParameters<S>&, const std::vector<int>&);                        \
  template S finite_loss(const FiniteParameters<S>&, const std::vector<int>&, const std::vector<std::pair<int, int>>&); \
  template FiniteParameters<S> with_embedding_entries(const FiniteParameters<double>&, const std::vector<S>&);           \
  template FiniteParameters<S> with_trained_entries(const FiniteParameters<double>&, const std::vector<S>&)
POPGRAD_ORACLE_FINITE(double);
POPGRAD_ORACLE_FINITE(Dual);
POPGRAD_ORACLE_FINITE(BoundedDual);

}  // namespace popgrad::oracle
