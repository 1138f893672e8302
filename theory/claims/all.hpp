// Every claim, one function a file; registry.cpp puts them in the order of docs/theory.md.
#pragma once
#include "theory/claims/claim.hpp"

namespace popgrad {

Claim claim_l1();
Claim claim_l2_identity();
Claim claim_l2_filter();
Claim claim_l2_variance();
Claim claim_l2_onestep();
Claim claim_t3_gate();
Claim claim_t3_step1();
Claim claim_t3_step2();
Claim claim_t3_step3();
Claim claim_t3_end();
Claim claim_t3_drowning();
Claim claim_t3_onset_isolated();
Claim claim_t3_onset_full();
Claim claim_t3_emergence();
Claim claim_mc_variance();
Claim claim_emp_order();
Claim claim_emp_gate();
Claim claim_emp_bigram();
Claim claim_emp_k();
Claim claim_emp_rare();
Claim claim_emp_random();
Claim claim_emp_outputs();

}  // namespace popgrad
