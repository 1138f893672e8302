// diag of (E,R) of step 2 from its derivation rather than its closed form: sums over the place of the first trigger, the output
// where one likes. Internal to theory/claims.
#pragma once
#include "core/minimal_task.hpp"
#include "core/rational.hpp"
#include "core/stages.hpp"

namespace popgrad {

// X, Y, Z, X_R, Z_R and h_T of theory/formulas/step2.hpp as sums over tau with the output at tau + `output_after`, then diag. 1 is
// the task and gives step2_diag_exact; 0 takes the position of the trigger for that of the output, a false statement. InputError
// for a bad task, HypothesisError unless output_after is 0 or 1.
Rational step2_diag_by_places(const MinimalTask& task, Handoff handoff, Blocks blocks, int output_after);

}  // namespace popgrad
