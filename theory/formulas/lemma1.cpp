#include "theory/formulas/lemma1.hpp"

#include "theory/formulas/symbols.hpp"

namespace popgrad {

Formula lemma1_coefficient() {
  return symbolic::build(
      [] { return GiNaC::ex(symbolic::symbol("p_z") * (symbolic::symbol("phat_kz") - symbolic::symbol("p_kz"))); });
}

}  // namespace popgrad
