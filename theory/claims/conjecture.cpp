#include "theory/claims/conjecture.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr double longest_seconds = 1800;
constexpr double longest_evaluation = 30;  // seconds for the formula on the whole grid, before anything is measured

bool related(Relation relation, const Rational& measured, const Rational& bound) {
  switch (relation) {
    case Relation::equals:
      return measured == bound;
    case Relation::above:
      return measured > bound;
    case Relation::at_least:
      return measured >= bound;
    case Relation::below:
      return measured < bound;
    case Relation::at_most:
      return measured <= bound;
    case Relation::grows_like:
      break;
  }
  return true;
}

void require_spread(const Conjecture& conjecture) {
  std::set<int> values;
  for (const Size& size : conjecture.sizes) values.insert(*size.of(conjecture.variable));
  if (values.size() >= 6 && *values.rbegin() >= 8 * *values.begin()) return;
  throw InputError(conjecture.argument,
                   std::to_string(values.size()) + " values of " + conjecture.variable + ", " +
                       std::to_string(*values.begin()) + " to " + std::to_string(*values.rbegin()),
                   "for grows_like at least six values, the largest at least eight times the smallest");
}

}  // namespace

const char* name(Relation relation) {
  constexpr const char* names[] = {"equals", "above", "at_least", "below", "at_most", "grows_like"};
  return names[static_cast<unsigned>(relation)];
}

const char* symbol(Relation relation) {
  constexpr const char* symbols[] = {"=", ">", ">=", "<", "<=", "~"};
  return symbols[static_cast<unsigned>(relation)];
}

std::string Conjecture::statement() const {
  std::string text = meter.quantity().name + " " + symbol(relation) + " " + formula.text();
  if (relation == Relation::grows_like) text += " in " + variable;
  return text;
}

std::string Conjecture::configuration() const {
  std::string text = statement();
  if (meter.quantity().stage == 3) text += ", " + meter.monomial();
  return text + ", " + describe(meter.switches(), meter.quantity().stage) + ", " + grid.describe();
}

void require_answerable(const Conjecture& conjecture) {
  double seconds = 0;
  int N = 0, T = 0;
  const auto start = std::chrono::steady_clock::now();
  for (const Size& size : conjecture.sizes) {
    conjecture.meter.require_measurable(size);
    try {
      conjecture.formula.evaluate_exact(size.bindings());
    } catch (const HypothesisError& error) {
      throw InputError(conjecture.argument, conjecture.formula.text() + " at " + size.describe(),
                       std::string("a formula with a value there (") + error.what() + ")");
    }
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > longest_evaluation)
      throw InputError(conjecture.argument, "a formula that takes more than half a minute on this grid",
                       "smaller powers, or fewer sizes");
    if (size.N != N || size.T != T) seconds += conjecture.meter.seconds(size);
    N = size.N;
    T = size.T;
  }
  if (seconds > longest_seconds)
    throw InputError(conjecture.argument,
                     "a grid that takes about " + std::to_string(static_cast<int>(seconds / 60)) + " minutes", "at most 30");
  if (conjecture.relation == Relation::grows_like) require_spread(conjecture);
}

ConjectureAnswer judge_conjecture(Conjecture& conjecture, const std::function<void(const std::string&)>& progress) {
  ConjectureAnswer answer;
  for (const Size& size : conjecture.sizes) {
    progress(size.describe());
    SizeAnswer at{size, conjecture.formula.evaluate_exact(size.bindings()), conjecture.meter.at(size), false};
    at.holds = related(conjecture.relation, at.measured, at.predicted);
    answer.sizes.push_back(std::move(at));
  }
  answer.row = conjecture.relation == Relation::equals       ? judge_equality(conjecture, answer.sizes)
               : conjecture.relation == Relation::grows_like ? judge_growth(conjecture, answer.sizes)
                                                             : judge_inequality(conjecture, answer.sizes);
  return answer;
}

}  // namespace popgrad
