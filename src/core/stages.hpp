// The vocabulary of the three-step construction: which map a stage trains, and what it starts from.
#pragma once
#include <string>

namespace popgrad {

// What a stage gets from the ones before: the ideal memories times a size (alpha W_O*, beta W_K2*), or the gradient steps themselves
// (W_O = eta1 (-dL/dW_O at zero), W_K2 = eta2 (-dL/dW_K2 at that W_O)).
enum class Handoff { ideal, actual };
// Which blocks of a step are kept and handed on: (U,E), (E,R), (P,P) alone, or all of them.
enum class Blocks { isolated, full };
// Leading order in the sizes, each monomial apart; or the full softmax at given sizes.
enum class Order { leading, full };

const char* name(Handoff handoff);
const char* name(Blocks blocks);
const char* name(Order order);
Handoff parse_handoff(const std::string& text);  // throws InputError
Blocks parse_blocks(const std::string& text);
Order parse_order(const std::string& text);

// Stage 1 trains W_O, 2 W_K2, 3 W_K1.
inline constexpr int stages = 3;
const char* stage_param(int stage);          // "wo2", "wk2", "wk1"; HypothesisError unless 1..3
int stage_of_param(const std::string& text);  // throws InputError

}  // namespace popgrad
