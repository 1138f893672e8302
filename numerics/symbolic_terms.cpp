#include "numerics/symbolic_terms.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "core/errors.hpp"
#include "core/interpolation.hpp"

namespace popgrad {
namespace {

template <class S>
std::span<InvariantBlock<S>> trained(InvariantMaps<S>& maps, int stage) {
  if (stage == 1) return maps.wo;
  return stage == 2 ? std::span<InvariantBlock<S>>(maps.wk2) : std::span<InvariantBlock<S>>(maps.wk1);
}

// Entries of position-position blocks are sums over orbits themselves, those of token-position blocks one N-th of them.
bool divided_by_N(std::size_t entries, int T) { return entries == static_cast<std::size_t>(T); }

// The coefficient of one monomial at each N, to be made functions.
struct Column {
  std::vector<int> N;
  std::vector<InvariantMaps<Rational>> at;
};

// Functions of one kind: poles of order at_zero and at_one at most, and a numerator of at most bound.degree.
class Interpolation {
 public:
  Interpolation(const NumeratorBound& bound, int more_at_zero, int more_at_one, const std::vector<int>& N)
      : at_zero_(bound.at_zero + more_at_zero), at_one_(bound.at_one + more_at_one), N_(N) {
    const auto needed = static_cast<std::size_t>(bound.degree) + 1;
    weights_ = interpolation_weights({N.begin(), N.begin() + static_cast<std::ptrdiff_t>(needed)});
    for (std::size_t i = 0; i < needed; ++i) {
      Rational scale(1);
      for (int k = 0; k < at_zero_; ++k) scale *= N[i];
      for (int k = 0; k < at_one_; ++k) scale *= N[i] - 1;
      scale_.push_back(scale);
    }
  }

  // The function with these values, one at each N. Blocks repeat themselves (rows of (S,P) are equal), and at T = 64 an
  // interpolation takes tens of milliseconds: equal values are interpolated once.
  const RationalFunction& through(const std::vector<Rational>& values) {
    const auto found = known_.find(values);
    if (found != known_.end()) return found->second;
    std::vector<Rational> scaled, numerator;
    for (std::size_t i = 0; i < scale_.size(); ++i) scaled.push_back(values[i] * scale_[i]);
    for (const std::vector<Rational>& row : weights_) {
      Rational coefficient(0);
      for (std::size_t i = 0; i < row.size(); ++i)
        if (!scaled[i].is_zero()) coefficient += row[i] * scaled[i];
      numerator.push_back(coefficient);
    }
    const RationalFunction function(numerator, at_zero_, at_one_);
    // At the N that determined the function this says nothing but that the arithmetic is right; at the others it could fail.
    for (std::size_t i = 0; i < N_.size(); ++i)
      require(function.at(Rational(N_[i])) == values[i], "symbolic_terms", "terms_at",
              "on " + to_string(function) + " at N = " + std::to_string(N_[i]), to_string(values[i]));
    return known_.emplace(values, function).first->second;
  }

 private:
  int at_zero_, at_one_;
  std::vector<int> N_;
  std::vector<Rational> scale_;
  std::vector<std::vector<Rational>> weights_;
  std::map<std::vector<Rational>, RationalFunction> known_;
};

InvariantMaps<RationalFunction> functions(const MinimalTask& task, int stage, const NumeratorBound& bound, Column& column) {
  Interpolation sum(bound, 0, 0, column.N), over_N(bound, 1, 0, column.N), off_diagonal(bound, 1, 1, column.N);
  InvariantMaps<RationalFunction> result(task.N, task.T);
  for (std::size_t b = 0; b < trained(result, stage).size(); ++b) {
    InvariantBlock<RationalFunction>& block = trained(result, stage)[b];
    // of(block) at each N.
    const auto values = [&](const auto& of) {
      std::vector<Rational> all;
      for (InvariantMaps<Rational>& maps : column.at) all.push_back(of(trained(maps, stage)[b]));
      return all;
    };
    using Numbers = InvariantBlock<Rational>;
    if (block.entries.empty()) {
      block.diag = over_N.through(values([](const Numbers& from) { return from.diag; }));
      block.off = off_diagonal.through(values([](const Numbers& from) { return from.off; }));
    }
    Interpolation& kind = divided_by_N(block.entries.size(), task.T) ? over_N : sum;
    for (std::size_t e = 0; e < block.entries.size(); ++e)
      block.entries[e] = kind.through(values([e](const Numbers& from) { return from.entries[e]; }));
  }
  return result;
}

}  // namespace

NumeratorBound numerator_bound(const MinimalTask& task, Handoff handoff, int stage, const Monomial& monomial) {
  require(stage >= 1 && stage <= stages, "numerator_bound", "stage", "1, 2 or 3", std::to_string(stage));
  const bool avoid = task.background == Background::avoid, actual = handoff == Handoff::actual;
  const int i = monomial.first, j = monomial.second;
  // Poles of the probability of an orbit, which does not grow with N; one pole more for p_hat at zero.
  const int zero = avoid ? 1 : task.T - 2, one = avoid ? task.T - 4 : 0;
  if (stage == 1) return {zero + 1, one, zero + one + 1};
  if (!actual) return {zero + i, one, zero + one + i};
  // Each eta1 brings W_O ~ 1/N and another power of p_hat; each eta2 a W_K2 with poles of its own, one more for the division
  // of a block by N, and with `avoid` one for the difference of diag and off.
  const int at_zero = zero + 2 * i + j * (zero + 1), at_one = avoid ? one + j * (one + 1) : 0;
  return {at_zero, at_one, at_zero + at_one - i};
}

std::vector<int> symbolic_sizes(const MinimalTask& task, Handoff handoff, int stage,
                                const std::vector<Monomial>& monomials) {
  int degree = 0;
  for (const Monomial& m : monomials) degree = std::max(degree, numerator_bound(task, handoff, stage, m).degree);
  std::vector<int> sizes;
  for (int N = 2; N <= degree + 2; ++N) sizes.push_back(N);
  sizes.push_back(degree + 3);
  sizes.push_back(5 * (degree + 3));
  return sizes;
}

std::vector<SymbolicTerm> symbolic_terms(const MinimalTask& task, Handoff handoff, int stage,
                                         const std::vector<Monomial>& monomials, const TermsAt& terms_at,
                                         const std::vector<int>& also) {
  std::vector<int> sizes = symbolic_sizes(task, handoff, stage, monomials);
  for (const int N : also)
    if (std::find(sizes.begin(), sizes.end(), N) == sizes.end()) sizes.push_back(N);
  std::vector<Column> columns(monomials.size(), Column{sizes, {}});
  for (const int N : sizes) {
    MinimalTask at = task;
    at.N = N;
    std::vector<StageTerm> terms = terms_at(at);
    require(terms.size() == monomials.size(), "symbolic_terms", "terms_at", std::to_string(monomials.size()) + " terms",
            std::to_string(terms.size()));
    for (std::size_t k = 0; k < terms.size(); ++k) {
      require(terms[k].monomial == name(monomials[k], handoff), "symbolic_terms", "terms_at", name(monomials[k], handoff),
              terms[k].monomial);
      columns[k].at.push_back(std::move(terms[k].descent));
    }
  }
  std::vector<SymbolicTerm> result;
  for (std::size_t k = 0; k < monomials.size(); ++k)
    result.push_back({name(monomials[k], handoff),
                      functions(task, stage, numerator_bound(task, handoff, stage, monomials[k]), columns[k])});
  return result;
}

}  // namespace popgrad
