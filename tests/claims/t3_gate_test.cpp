#include "tests/claims/claim_support.hpp"
#include "theory/claims/all.hpp"
#include "theory/claims/t3_gate_parts.hpp"

using namespace popgrad;

TEST_CASE("T3.gate: exact parts hold for both backgrounds, every leak refuted") {
  for (const Background background : {Background::any, Background::avoid}) {
    const ClaimContext context = context_of(1);
    check_verified({gate_without_output(context, {3, 4, background, Query::last, {}}),
                    gate_without_output_enumerated(context, {3, 5, background, Query::any, {}}),
                    gate_ideal_handoff(context, {3, 4, background, Query::last, {}}),
                    gate_isolated_handoff(context, {3, 4, background, Query::last, {}}),
                    gate_without_output(context, {2, 5, background, Query::any, {}}),
                    gate_isolated_handoff(context, {2, 5, background, Query::any, {}}),
                    gate_value_path(context, {3, 5, background, Query::last, {}})});
  }
}

TEST_CASE("T3.gate: the value path for sequences of mixed lengths") {
  check_verified({gate_value_path(context_of(1), {3, 5, Background::any, Query::any, {}}),
                  gate_value_path(context_of(1), {2, 6, Background::avoid, Query::any, {}})});
}

TEST_CASE("T3.gate: the finite-d gradient decays as d^(-1/2) with the closed constant, and is zero in W_K2", "[slow]") {
  check_verified(gate_finite(context_of(1, 1)));
}
