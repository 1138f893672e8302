#include "app/gradient_coefficients.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "app/gradient_blocks.hpp"

namespace popgrad {
namespace {

std::vector<int> sizes_of(const GradientRequest& request) {
  return symbolic_sizes(request.task, request.handoff, request.stage, monomials_of(request));
}

// The given N is one more at which the functions must agree with the sums.
std::vector<int> given_size(const GradientRequest& request) {
  return request.N_given ? std::vector<int>{request.task.N} : std::vector<int>{};
}

void evaluate(Number& number, int N) {
  const Number value = number_of(number.formula->at(Rational(N)));
  number.value = value.value;
  number.exact = value.exact;
}

}  // namespace

std::vector<Monomial> monomials_of(const GradientRequest& request) {
  return request.degree ? taylor_monomials(request.handoff, request.stage, *request.degree)
                        : leading_monomials(request.handoff, request.stage);
}

std::vector<GradientTerm> coefficient_terms(const GradientRequest& request, const TermsAt& terms_at) {
  std::vector<GradientTerm> terms;
  if (!request.symbolic) {
    for (const StageTerm& term : terms_at(request.task))
      terms.push_back({term.monomial, blocks_of(term.descent, request.map())});
    return terms;
  }
  for (const SymbolicTerm& term :
       symbolic_terms(request.task, request.handoff, request.stage, monomials_of(request), terms_at, given_size(request))) {
    terms.push_back({term.monomial, blocks_of(term.descent, request.map())});
    if (!request.N_given) continue;
    for (GradientBlock& block : terms.back().blocks) {
      if (block.kind == BlockKind::token_token)
        for (Number* number : {&block.diag, &block.off, &block.contrast}) evaluate(*number, request.task.N);
      for (Number& entry : block.entries) evaluate(entry, request.task.N);
    }
  }
  return terms;
}

Cost coefficient_cost(const GradientRequest& request, const std::function<Cost(const GradientRequest&)>& at_one_N) {
  if (!request.symbolic) return at_one_N(request);
  GradientRequest one = request;
  one.task.N = std::max(request.task.N, request.task.T);  // as many orbits as there can be
  Cost cost = at_one_N(one);
  cost.work = coefficient_work(request, cost.work);
  cost.seconds *= static_cast<double>(sizes_of(request).size() + given_size(request).size());
  return cost;
}

std::string coefficient_work(const GradientRequest& request, const std::string& at_one_N) {
  return request.symbolic
             ? fmt::format("{} at each of {} N", at_one_N, sizes_of(request).size() + given_size(request).size())
             : at_one_N;
}

}  // namespace popgrad
