// The diagonal of (E,E) of the third step. Internal to numerics.
#pragma once
#include "core/minimal_task.hpp"
#include "numerics/moment_law.hpp"

namespace popgrad {

// Sum over the task's lengths L of E sum_{s<=t<=L} 1{z_s = z_t} c_t (x_s - X_t) / t, with c, x, X of moment_third_step at
// alpha = 1. Given where tau lies (after t, at t, just before t, earlier) the tokens up to t are the special ones among them
// and t itself, and a number of background tokens; with n_k the number of tokens k among them, the sum over s is (1{z_t=q}
// n_q - n_q n_{z_t} / t). law: four background tokens.
Rational same_token_sum(const MinimalTask& task, const TokenLaw& law);

}  // namespace popgrad
