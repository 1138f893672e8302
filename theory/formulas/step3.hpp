// T3.step3: the step of W_K1 at W_K1 = 0 when W_O = alpha W_O* and W_K2 = beta W_K2*: -dL/dW_K1, block (P,P), coefficient of
// alpha beta, in the ideal model. Hypotheses: minimal task of docs/theory.md, section 2, uniform labels, kappa = 1; query =
// last unless said otherwise. Derivation: docs/theory.md, section 5, T3.step3.
//
// With u, v, w of pair_law.hpp, r = (2 v + w)/T, and w + u/T in place of w in row T-1, row t < T is, for t >= 3, 1/(t T
// (T-2)) times
//   s = 1: (r (t-1) - u - w)/t;  2 <= s <= t-2: -(u + w + r)/t;  s = t-1: u more than that;  s = t: w more than that,
// and row 2 is 1/(2 T (T-2)) times +-(u - w + r)/2. Row 1 is zero.
#pragma once
#include <utility>
#include <vector>

#include "core/minimal_task.hpp"
#include "theory/formulas/formula.hpp"
#include "theory/formulas/size_value.hpp"

namespace popgrad {

// Rows t of (P,P) that have their own form: 2; 3..T-2; T-1; and T, the row of the query position, which the claim leaves
// out.
enum class Step3Row { two, middle, before_last, last };
// Keys s in row t: 1; 2..t-2; t-1, the right one; t. In row 2, `first` and `inner` do not exist.
enum class Step3Key { first, inner, previous, same };

// (P_t, P_s). Symbols N, T, and t in row `middle`. HypothesisError if the row has no such key.
Formula step3_entry(Background background, Step3Row row, Step3Key key);

// (P_t, P_{t-1}) - (P_t, P_s) against the keys s of kind `against`; the row recalls t-1 if all that exist are positive.
// Symbols as in step3_entry; HypothesisError also if against = previous.
//   any    first u' (1 - 1/N - 2/(N T)), inner and same u' (1 - 1/N), u' = (1 - 1/N)/(t T (T-2))
//   avoid  first (1 - 1/N - 3/(N T)), inner 1 - 1/N, same 1 - 2/N, over t T (T-2)
// in the middle rows.
Formula step3_margin(Background background, Step3Row row, Step3Key against);
// The memory signal W[t,t-1] - mean_{2<=j<=t-2} W[t,j], rows 4..T-1: u/(t T (T-2)). Symbols N, T, t.
Formula step3_signal(Background background);

// The smallest margin of a row as T -> infinity at fixed N (and t). Left out: relative O(1/T). For row T-1 with background
// any this needs N >= 3; at N = 2 the margin against the first key is the smaller one. For avoid at N = 2 the leading term
// is zero in rows 3..T-1.
Formula step3_margin_large_T(Background background, Step3Row row);
// The same as N -> infinity at fixed T, to second order. Left out: relative O(1/N^2).
Formula step3_margin_large_N(Background background, Step3Row row);

// (P_t, P_s) with 0-based t and s, either query (query = any is the mean over lengths T' = 4..T, of which a row t exists in
// those T' >= t). Zero above the causal diagonal. InputError if the task is bad, HypothesisError if labels are not uniform
// or an index is out of 0..T-1.
Rational step3_entry_exact(const MinimalTask& task, int query_index, int key_index);

// W[t,t-1] - the largest other entry of row t, from step3_margin; 0-based t, so 1 <= query_index <= T-1. query = last only.
Rational step3_row_margin(int N, int T, Background background, int query_index);

// The rows among 2..T-1 (0-based: 1..T-2) in which P_{t-1} is not the strictly largest entry. query = last.
std::vector<int> step3_failing_rows(int N, int T, Background background);

// The smallest margin over the rows t = 2..T-1, each in units of its own 1/(t T (T-2)), at every (N, T), 2 <= N <= largest_N
// and 4 <= T <= largest_T, sorted; query = last. By exact evaluation of the margins, of which the middle rows share all but t.
std::vector<SizeValue> step3_map(Background background, int largest_N, int largest_T);

// All those (N, T) with a failing row, where that is <= 0; sorted.
std::vector<std::pair<int, int>> step3_failures(Background background, int largest_N, int largest_T);

// The same as a statement for every N >= 2 and T >= 4: never for any; for avoid if N = 2, where the row ties with P_t in
// rows 3..T-2 and loses to it in row T-1.
bool step3_fails(int N, int T, Background background);
// With query = any it fails at the same sizes, but for avoid at N = 2 in row 3 alone. Found for T <= 40.

}  // namespace popgrad
