// T3.end: how often a head made of the three memories themselves answers right, W_O = a W_O*, W_K2 = b W_K2*, W_K1 = c W_K1* with
// large a, b, c > 0, in the ideal model; and how often anything can. Hypotheses: minimal task of docs/theory.md, section 2, uniform
// labels, kappa = 1. Derivation: docs/theory.md, section 5, T3.end.
//
// a > 0 only scales the logits. Where two rows of the second layer compete, b and c decide between them, so there are two limits.
#pragma once
#include "core/minimal_task.hpp"
#include "theory/formulas/formula.hpp"

namespace popgrad {

// first_layer: c >> b -> infinity, W_K1 is one-hot before the second softmax is: e^b c-small, b e^-c << e^-b.
// second_layer: b >> e^c -> infinity, the second softmax takes the row with the largest share of q.
enum class SharperLayer { first_layer, second_layer };
const char* name(SharperLayer layer);

// background avoid, query last.
//   second_layer  1 - (1 - 1/N)/(T-2), T >= 4; also for e^-b << b e^-c << 1
//   first_layer   with p = 1/(N-1) and r = 1 - p: (1 - 1/N)(T-3 + g)/(T-2) + (1/N)(2 + (T-4) h)/(T-2),
//                 g = 1 - r^(T-3) - (T-3) p r^(T-4)/2,  h = r^(T-4) + (T-4) p r^(T-5) + (T-4)(T-5) p^2 r^(T-6)/4,  T >= 6
// background any, query last, T >= 5, r = 1 - 1/N:
//   second_layer  1/N + [N (r^2 - r^(T-1)) - r^(T-3)/N]/(T-2)
// Symbols N, T. HypothesisError for background any with first_layer: earlier triggers vote, which has no short form.
Formula perfect_head(Background background, SharperLayer layer);

// Large T at fixed N of the second_layer forms: 1 - (1 - 1/N)/T (left out O(1/T^2)), and 1/N + (N-2+1/N)/T for any (left out
// O(1/T^2)).
Formula perfect_head_large_T(Background background);

// The same at every N >= 2, T >= 4 and for either query (any: the mean over lengths), exactly. HypothesisError as perfect_head, or
// unless labels are uniform; InputError if the task is bad.
Rational perfect_head_exact(const MinimalTask& task, SharperLayer layer);

// The accuracy of the best possible answer, P(o = argmax_k P(o = k | z)), exactly. avoid: 1. any: the mean share of the most frequent
// successor among those of the earlier triggers,
//   N/(T-2) E max_k #{s <= T-2: z_s = q, z_{s+1} = k},  z_1, .., z_{T-1} i.i.d. uniform, q one token,
// a finite sum over the numbers of triggers and of runs of them. T at most longest_best_accuracy (InputError).
Rational best_accuracy(const MinimalTask& task);
inline constexpr int longest_best_accuracy = 128;

// Lower bound of it for any that every fair vote reaches, E[1/#earlier triggers] = (1 - (1-1/N)^(T-2)) N/(T-2). Symbols N, T.
Formula one_vote_share();

}  // namespace popgrad
