// Internal: the only header that includes GiNaC. Closed forms are written as GiNaC expressions inside build().
#pragma once
#include <ginac/ginac.h>

#include <mutex>
#include <string>

#include "theory/formulas/formula.hpp"
#include "theory/formulas/harmonic.hpp"
#include "theory/formulas/tree.hpp"

namespace popgrad::symbolic {

// The same symbol for the same name, as GiNaC tells symbols apart by identity.
const GiNaC::symbol& symbol(const std::string& name);

// Harmonic numbers. Not called H: argument-dependent lookup would find GiNaC::H, the harmonic polylogarithm.
GiNaC::ex harmonic(const GiNaC::ex& n);
GiNaC::ex harmonic(const GiNaC::ex& n, const GiNaC::ex& m);

// h_T = (T - H(T-1) - 2/T)/(T-2): the weight of the output token in the remapped average (step1.hpp).
GiNaC::ex remapped_weight(HarmonicEnd end = HarmonicEnd::right);

// The canonical tree of an expression built from rationals, symbols, + * ^, H and exp; throws HypothesisError on others.
NodePtr freeze(const GiNaC::ex& expression);

// GiNaC's reference counts are not atomic: all of its objects are made and destroyed under this lock.
std::mutex& algebra();

template <class Body>
Formula build(Body body) {
  const std::lock_guard<std::mutex> lock(algebra());
  return Formula(freeze(body()));
}

}  // namespace popgrad::symbolic
