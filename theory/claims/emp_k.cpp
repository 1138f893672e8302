// EMP.K: fewer triggers are learned earlier, if they are the most frequent ones.
#include "theory/claims/all.hpp"
#include "theory/claims/emp_claims.hpp"

namespace popgrad {

std::vector<Row> emp_k(const EmpSizes& sizes, const EmpRuns& runs) {
  return {emp_later("EMP.K", sizes, runs, {EmpSetting::few, "K=1"}, {EmpSetting::full, "K=5"})};
}

Claim claim_emp_k() {
  return emp_claim("EMP.K",
                   "Bigram task, full loss, W_F on: with the most frequent character as the only trigger in-context accuracy rises earlier than with the "
                   "K = 5 most frequent ones. (That fewer triggers are learned more slowly is the first negative control.)",
                   {"fixed triggers, uniform outputs other than the trigger"}, emp_k);
}

}  // namespace popgrad
