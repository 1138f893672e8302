// EMP.random: how fast triggers drawn anew for every sequence are learned.
#include "theory/claims/all.hpp"
#include "theory/claims/emp_claims.hpp"

namespace popgrad {

std::vector<Row> emp_random(const EmpSizes& sizes, const EmpRuns& runs) {
  return {emp_later("EMP.random", sizes, runs, {EmpSetting::full, "fixed triggers"}, {EmpSetting::random, "random triggers"})};
}

Claim claim_emp_random() {
  return emp_claim("EMP.random",
                   "Bigram task, full loss, W_F on: with triggers drawn anew for every sequence in-context accuracy rises later than with fixed ones.",
                   {"K = 5, uniform outputs other than the trigger"}, emp_random);
}

}  // namespace popgrad
