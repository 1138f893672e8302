#include "theory/claims/all.hpp"
#include "theory/claims/select.hpp"

namespace popgrad {

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = {claim_l1(),
                                         claim_l2_identity(),
                                         claim_l2_filter(),
                                         claim_l2_variance(),
                                         claim_l2_onestep(),
                                         claim_t3_gate(),
                                         claim_t3_step1(),
                                         claim_t3_step2(),
                                         claim_t3_step3(),
                                         claim_t3_end(),
                                         claim_t3_drowning(),
                                         claim_t3_onset_isolated(),
                                         claim_t3_onset_full(),
                                         claim_t3_emergence(),
                                         claim_mc_variance(),
                                         claim_emp_order(),
                                         claim_emp_gate(),
                                         claim_emp_bigram(),
                                         claim_emp_k(),
                                         claim_emp_rare(),
                                         claim_emp_random(),
                                         claim_emp_outputs()};
  return all;
}

std::vector<Claim> select_claims(const std::vector<std::string>& patterns) { return select_from(claims(), patterns); }

}  // namespace popgrad
