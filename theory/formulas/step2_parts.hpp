// Internal: the pieces of the closed forms of step 2 as GiNaC expressions, for step2.cpp and step2_expansions.cpp.
#pragma once
#include "theory/formulas/pair_law.hpp"

namespace popgrad::symbolic {

// h_T and the five statistics of step2.hpp. Call inside build().
struct Step2Parts {
  GiNaC::ex h, x, y, z, x_shared, z_shared;
};

Step2Parts step2_parts(HarmonicEnd end = HarmonicEnd::right);
GiNaC::ex step2_read_of(Background background, const Step2Parts& parts);
GiNaC::ex step2_remapped_of(Background background, const Step2Parts& parts);

}  // namespace popgrad::symbolic
