// What enclosures of the stage gradients prove: that a memory signal is positive, that a row of (P,P) looks one position
// back.
#pragma once
#include <vector>

#include "numerics/certified_descent.hpp"

namespace popgrad {

enum class Certainty { yes, no, undecided };
const char* name(Certainty certainty);

// Row P_t of (P,P), t >= 2 counted from 1.
struct CertifiedRow {
  int t = 0;
  // yes: entry (t, t-1) is strictly the largest among s <= t for every choice of entries in their enclosures. no: another is
  // as large, a tie included. undecided: the enclosures allow both.
  Certainty recalled = Certainty::undecided;
  Interval margin;  // contains (t, t-1) minus the largest other entry of s <= t
};

struct CertifiedStage {
  int stage = 0;
  InvariantMaps<Interval> descent;            // of the stage's map; the others are zero
  Interval signal;                            // stages 1 and 2: diag - off of (U,E) or (E,R); stage 3: zero
  Certainty positive = Certainty::undecided;  // signal > 0; stage 3: all rows 2 <= t <= T-1 recalled
  std::vector<CertifiedRow> rows;             // stage 3: t = 2 .. T-1. Row T, which the query itself trains, is not judged.
};

// Judges an enclosure of the descent direction of a stage's map. HypothesisError unless 1 <= stage <= 3.
CertifiedStage certify_stage(int stage, InvariantMaps<Interval> descent);

// All three stages at full softmax, each started from what the earlier ones handed on (StageSizes::third is not used).
// Time at (65,10): see certified_descent; stage 1 starts from zero and needs no exponentials.
std::vector<CertifiedStage> certified_stages(const MinimalTask& task, Handoff handoff, Blocks blocks,
                                             const StageSizes& sizes);

}  // namespace popgrad
