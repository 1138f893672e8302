// The leading coefficients of the three-step construction from every sequence, nothing relabelled: what stage_terms is
// tested against.
#pragma once
#include <string>
#include <vector>

#include "core/minimal_task.hpp"
#include "core/rational.hpp"
#include "core/stages.hpp"
#include "numerics/ideal_model.hpp"

namespace popgrad {

struct EnumeratedTerm {
  std::string monomial;
  IdealMaps<Rational> descent;  // of the stage's map; the other maps are zero
};

// The terms of stage_terms (numerics/stage_terms.hpp), each full map written out. Earlier steps enter as they are, with the
// entries that `blocks` keeps. Exact. Cost: N^2 (T-2) b^(T-3) sequences, b = N or N - 1, in series of rationals, twice at
// stage 3 (for each step of an actual hand-off again in rationals). HypothesisError unless 1 <= stage <= 3; InputError if
// there are too many sequences.
std::vector<EnumeratedTerm> enumerated_stage_terms(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage);

}  // namespace popgrad
