// EMP.rare: how fast rarer triggers are learned.
#include "theory/claims/all.hpp"
#include "theory/claims/emp_claims.hpp"

namespace popgrad {

std::vector<Row> emp_rare(const EmpSizes& sizes, const EmpRuns& runs) {
  return {emp_later("EMP.rare", sizes, runs, {EmpSetting::full, "the most frequent triggers"}, {EmpSetting::rare, "rarer triggers"})};
}

Claim claim_emp_rare() {
  return emp_claim("EMP.rare",
                   "Bigram task, full loss, W_F on: with rarer fixed triggers (the most frequent tokens skipped) in-context accuracy rises later.",
                   {"K = 5 fixed triggers, uniform outputs other than the trigger"}, emp_rare);
}

}  // namespace popgrad
