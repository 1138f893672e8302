#include "tests/oracle/ideal_oracle.hpp"

#include <stdexcept>

#include "tests/oracle/scalars.hpp"
#include "tests/oracle/softmax.hpp"

namespace popgrad::oracle {
namespace {

// q^T W k, W with k.size() columns; q and k may be longer than W reads, their further entries meet no row or column.
template <class S>
S form(const std::vector<S>& q, const std::vector<S>& w, std::size_t width, const std::vector<S>& k) {
  S total(0.0);
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < width; ++j) total += q[i] * w[i * width + j] * k[j];
  return total;
}

}  // namespace

template <class S>
std::vector<S> ideal_oracle_logits(const IdealParameters<S>& p, const std::vector<int>& tokens) {
  if (tokens.empty() || tokens.size() > static_cast<std::size_t>(p.T)) throw std::invalid_argument("oracle: length");
  const auto N = static_cast<std::size_t>(p.N);
  const std::size_t inputs = N + static_cast<std::size_t>(p.T), D = 2 * inputs, L = tokens.size();
  std::vector<std::vector<S>> x(L, std::vector<S>(D, S(0.0)));
  for (std::size_t t = 0; t < L; ++t) {
    if (tokens[t] < 0 || tokens[t] >= p.N) throw std::invalid_argument("oracle: token");
    x[t][static_cast<std::size_t>(tokens[t])] += S(1.0);
    x[t][N + t] += S(1.0);
  }

  std::vector<std::vector<S>> x1 = x;
  for (std::size_t t = 0; t < L; ++t) {
    std::vector<S> scores;
    for (std::size_t s = 0; s <= t; ++s) scores.push_back(form(x[t], p.wk1, inputs, x[s]));
    const std::vector<S> a = softmax(scores);
    for (std::size_t s = 0; s <= t; ++s)
      for (std::size_t i = 0; i < inputs; ++i) x1[t][inputs + i] += a[s] * x[s][i];
  }

  std::vector<S> scores;
  for (std::size_t s = 0; s < L; ++s) scores.push_back(form(x1[L - 1], p.wk2, D, x1[s]));
  const std::vector<S> a = softmax(scores);
  std::vector<S> value(D, S(0.0));
  for (std::size_t s = 0; s < L; ++s)
    for (std::size_t i = 0; i < D; ++i) value[i] += a[s] * x1[s][i];

  std::vector<S> logits(N, S(0.0));
  for (std::size_t k = 0; k < N; ++k)
    for (std::size_t i = 0; i < D; ++i) logits[k] += p.wo[k * D + i] * value[i];
  return logits;
}

template <class S>
S ideal_oracle_loss(const IdealParameters<S>& p, const std::vector<int>& tokens, int label) {
  return cross_entropy(ideal_oracle_logits(p, tokens), label);
}

template <class S>
S ideal_oracle_population_loss(const IdealParameters<S>& p, const std::vector<WeightedSequence>& law) {
  S total(0.0);
  for (const WeightedSequence& item : law) total += S(item.probability) * ideal_oracle_loss(p, item.tokens, item.label);
  return total;
}

std::vector<double> ideal_entries(const IdealParameters<double>& p) {
  std::vector<double> entries;
  for (const auto* map : {&p.wo, &p.wk2, &p.wk1}) entries.insert(entries.end(), map->begin(), map->end());
  return entries;
}

template <class S>
IdealParameters<S> from_ideal_entries(int N, int T, const std::vector<S>& entries) {
  const auto inputs = static_cast<std::size_t>(N + T);
  const std::size_t outputs = static_cast<std::size_t>(N) * 2 * inputs, keys = 4 * inputs * inputs;
  if (entries.size() != outputs + keys + inputs * inputs) throw std::invalid_argument("oracle: number of entries");
  IdealParameters<S> p{N, T, {}, {}, {}};
  for (std::size_t i = 0; i < entries.size(); ++i)
    (i < outputs ? p.wo : i < outputs + keys ? p.wk2 : p.wk1).push_back(entries[i]);
  return p;
}

#define POPGRAD_ORACLE_IDEAL(S)                                                                             \
  template std::vector<S> ideal_oracle_logits(const IdealParameters<S>&, const std::vector<int>&);          \
  template S ideal_oracle_loss(const IdealParameters<S>&, const std::vector<int>&, int);                    \
  template S ideal_oracle_population_loss(const IdealParameters<S>&, const std::vector<WeightedSequence>&); \
  template IdealParameters<S> from_ideal_entries(int, int, const std::vector<S>&)
POPGRAD_ORACLE_IDEAL(double);
POPGRAD_ORACLE_IDEAL(Dual);
POPGRAD_ORACLE_IDEAL(BoundedDual);

}  // namespace popgrad::oracle
