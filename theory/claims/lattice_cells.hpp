// The columns of the lattice, one function each. Internal to theory/claims.
#pragma once
#include "theory/claims/lattice.hpp"

namespace popgrad {

// Before W_K2 is trained, does W_K1 get a gradient? To first order in the W_O handed on.
LatticeCell gate_cell(const LatticeSwitches& switches);
// The memory signal of the stage's gradient at leading order: diag - off, or P_{t-1} minus the best other key in the worst
// row 2 <= t <= T-1.
LatticeCell first_cell(const LatticeSwitches& switches);
LatticeCell second_cell(const LatticeSwitches& switches);
LatticeCell third_cell(const LatticeSwitches& switches);
// Accuracy after the third step against what is reached without it.
LatticeCell end_cell(const LatticeSwitches& switches, const Construction& engine, const LatticeOptions& options,
                     const BestAccuracy& accuracy, double ideal_head);

// Sign of the memory signal of stages 2 and 3 at full softmax, at these sizes: "+ certified", "- certified" by enclosures;
// else
// "+ enumerated", "- enumerated" where it exceeds a roundoff bound of the sum over orbits, "undecided" where it does not.
// Empty where T is too long.
std::string sign_at_sizes(const LatticeSwitches& switches, const Construction& engine, int stage, const StageSizes& sizes);

}  // namespace popgrad
