// Stages at full softmax, at given sizes, as proved enclosures against what leading order says. Internal to theory/claims.
#pragma once
#include <string>
#include <vector>

#include "numerics/certified_stages.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/handed_on.hpp"

namespace popgrad {

// alpha = beta = 1, or eta1 = eta2 = T: W_O is then 1/N of the ideal one.
StageSizes certified_sizes(const MinimalTask& task, Handoff handoff);

// The leading order of the stage's descent direction at these sizes, all monomials together, exactly.
InvariantMaps<Rational> leading_stage(const MinimalTask& task, Handoff handoff, Blocks blocks, int stage, const StageSizes& sizes);

// yes 1, no 0; undecided 1/2 with a budget of 1/2.
Entry certain_entry(const std::string& name, bool predicted, Certainty measured);

// Judges verdicts of enclosures, `gradient` those of the opposite direction. Entry names start with the name of their hand-off.
Row judge_certified(const std::string& claim, const MinimalTask& task, const std::vector<Entry>& right, const std::vector<Entry>& gradient);

// The descent direction turned round.
CertifiedStage turned_round(const CertifiedStage& stage);

}  // namespace popgrad
