#include "theory/claims/quantity_meter.hpp"

#include <algorithm>

#include "core/byte_text.hpp"
#include "core/closest_word.hpp"
#include "core/errors.hpp"
#include "numerics/moment_terms.hpp"
#include "numerics/onset.hpp"
#include "numerics/orbits.hpp"
#include "numerics/stage_terms.hpp"

namespace popgrad {
namespace {

using Part = Quantity::Part;

bool moments_reach(const Quantity& quantity, const StageSwitches& switches) {
  return quantity.stage < 3 || switches.handoff == Handoff::ideal || switches.blocks == Blocks::isolated;
}

MeterEngine engine_for(const std::string& argument, const Quantity& quantity, const StageSwitches& switches,
                       std::optional<MeterEngine> asked) {
  const bool reach = moments_reach(quantity, switches);
  if (!asked) return reach ? MeterEngine::moments : MeterEngine::orbits;
  if (*asked == MeterEngine::moments && !reach)
    throw InputError(argument, "engine moments at stage 3 after full steps", "engine orbits, which reaches T = 9");
  return *asked;
}

std::string one_of(const std::string& argument, const std::string& word, const std::vector<std::string>& words) {
  if (word.empty()) return words.back();
  if (std::find(words.begin(), words.end(), word) != words.end()) return word;
  std::string list;
  for (const std::string& known : words) list += (list.empty() ? "" : " or ") + known;
  throw InputError(argument, "the monomial " + popgrad::quoted(word), list + did_you_mean(word, words));
}

// W[p,p-1] minus the largest other of keys 1..p; p from 1.
Rational row_margin(const std::vector<Rational>& entries, int T, int p) {
  const auto at = [&](int key) -> const Rational& { return entries[static_cast<std::size_t>((p - 1) * T + key - 1)]; };
  const Rational* other = &at(p);
  for (int key = 1; key <= p; ++key)
    if (key != p - 1 && at(key) > *other) other = &at(key);
  return at(p - 1) - *other;
}

}  // namespace

const char* name(MeterEngine engine) { return engine == MeterEngine::moments ? "moments" : "orbits"; }

QuantityMeter::QuantityMeter(const std::string& argument, Quantity quantity, const StageSwitches& switches,
                             const std::string& monomial, std::optional<MeterEngine> engine)
    : argument_(argument),
      quantity_(std::move(quantity)),
      switches_(switches),
      monomial_(one_of(argument, monomial, monomials(quantity_.stage, switches.handoff))),
      engine_(engine_for(argument, quantity_, switches, engine)) {}

std::vector<int> QuantityMeter::indices(const Size& size) const {
  const int low = quantity_.part == Part::margin ? 2 : quantity_.part == Part::row_signal ? 4 : 1;
  const int high = quantity_.part == Part::row_signal ? size.T - 1 : size.T;
  const std::string where = quantity_.name + " at " + size.describe();
  std::vector<int> list;
  for (const Formula& formula : quantity_.indices) {
    Rational index;
    try {
      index = formula.evaluate_exact(size.bindings());
    } catch (const HypothesisError&) {
      throw InputError(
          argument_, where,
          "an index " + popgrad::quoted(formula.text()) + " that has a value: t and s need values of their own");
    }
    if (denominator(index) != 1 || index < low || index > high)
      throw InputError(argument_, where + " with the index " + one_line(to_string(index), 24),
                       "positions in " + std::to_string(low) + ".." + std::to_string(high));
    list.push_back(static_cast<int>(index));
  }
  return list;
}

void QuantityMeter::require_measurable(const Size& size) const {
  indices(size);
  if (engine_ == MeterEngine::orbits && size.T > longest_orbits_measured)
    throw InputError(argument_, "T = " + std::to_string(size.T) + " with engine orbits",
                     "T up to " + std::to_string(longest_orbits_measured) +
                         (moments_reach(quantity_, switches_) ? "; engine moments reaches 512"
                                                              : ": after full steps there is no other engine"));
}

double QuantityMeter::seconds(const Size& size) const {
  if (engine_ == MeterEngine::moments) return 1e-4 + 8e-6 * quantity_.stage * size.T * size.T;
  return 2e-3 * quantity_.stage * bell_number(size.T);
}

const InvariantBlock<Rational>& QuantityMeter::block(const Size& size) {
  if (size.N != N_ || size.T != T_) {
    const MinimalTask task{size.N, size.T, switches_.background, switches_.query, {}};
    std::vector<StageTerm> terms = engine_ == MeterEngine::moments
                                       ? moment_terms(task, switches_.handoff, switches_.blocks, quantity_.stage)
                                       : stage_terms(task, switches_.handoff, switches_.blocks, quantity_.stage);
    const auto term = std::find_if(terms.begin(), terms.end(), [&](const StageTerm& t) { return t.monomial == monomial_; });
    require(term != terms.end(), "QuantityMeter", "monomial", "among the terms of the stage", monomial_);
    maps_ = std::move(term->descent);
    N_ = size.N;
    T_ = size.T;
  }
  if (quantity_.stage == 1) return maps_.u(quantity_.key);
  return quantity_.stage == 2 ? maps_.k2(*quantity_.query, quantity_.key) : maps_.k1(*quantity_.query, quantity_.key);
}

Rational QuantityMeter::at(const Size& size) {
  require_measurable(size);
  const std::vector<int> index = indices(size);
  const InvariantBlock<Rational>& from = block(size);
  switch (quantity_.part) {
    case Part::diag:
      return from.diag;
    case Part::off:
      return from.off;
    case Part::signal:
      return from.contrast();
    case Part::entry: {
      const int first = index.front() - 1;
      return from.entries[static_cast<std::size_t>(index.size() == 1 ? first : first * size.T + index.back() - 1)];
    }
    case Part::margin:
      return row_margin(from.entries, size.T, index.front());
    case Part::row_signal:
      return position_signal(from, size.T, index.front());
  }
  throw HypothesisError("QuantityMeter", "part", "a known one", "another");
}

std::string QuantityMeter::describe() const {
  std::string text = quantity_.name;
  if (quantity_.stage == 3) text += ", coefficient of " + monomial_;
  return text + ", " + popgrad::describe(switches_, quantity_.stage);
}

}  // namespace popgrad
