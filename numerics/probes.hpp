// The probes of docs/theory.md, section 6: has a map learned its memory, and does the model use it?
#pragma once
#include <vector>

#include "core/bigram_counts.hpp"
#include "core/example.hpp"
#include "numerics/finite_model.hpp"

namespace popgrad {

// Recall over rows of a score table. A row whose target shares the top score with others counts 1/(number tied). Scores
// whose difference is within their roundoff bound count as tied, so that the answer does not depend on how a product was
// summed.
struct Probe {
  double value = 0;   // recall in [0,1]
  double chance = 0;  // recall of all-equal scores, by the same arithmetic
  double margin = 0;  // mean over rows of target score minus best other score, in score units (before kappa)
  int ties = 0;       // rows with a tie at the top that includes the target
  int rows = 0;       // rows probed; 0: nothing was probed, all else is 0 and means nothing
  bool empty() const { return rows == 0; }
};

// R(W_O2): argmax_j w_U(j)^T W_O2 W_V2 w_E(k) = k over all tokens; chance 1/N.
Probe recall_wo2(const FiniteModel& model);

// R(W_K2): argmax_k' w_E(k)^T W_K2 w_1(k') = k, k and k' both in `tokens` (the fixed triggers; chance 1/K), or over all
// tokens if the list is empty (chance 1/N). HypothesisError on a token out of range or listed twice. One token alone has
// no other: value 1, margin 0.
Probe recall_wk2(const FiniteModel& model, const std::vector<int>& tokens = {});

// R(W_K1), t = 2..P with P = min(positions, T): argmax_s p_t^T W_K1 p_s = t-1. Keys: s <= t with the causal mask (chance:
// mean of 1/t); without it s = 1..P-1, every possible target, as in the published code (chance 1/(P-1)). The scores are one
// product of T x T for every P and either mask.
class PositionScores {
 public:
  explicit PositionScores(const FiniteModel& model);
  // HypothesisError unless positions >= 1; P = 1 gives an empty probe.
  Probe recall(int positions, bool causal) const;

 private:
  Matrix scores_, roundoff_;  // T x T
};
Probe recall_wk1(const FiniteModel& model, int positions, bool causal);

// pi_b(k|z) as an N x N matrix, row z.
Matrix bigram_law(const BigramCounts& counts);

// KL(law(.|k) || softmax(W_U W_F w_E(k))) in nats, summed over tokens, mean over the tokens k not in `excluded` (the fixed
// triggers). value: that mean; chance: the mean for uniform predictions; margin: chance - value; ties: 0; rows: tokens
// averaged. Tokens of probability 0 contribute 0. `law`: N x N, rows are probabilities.
Probe bigram_kl(const FiniteModel& model, const Matrix& law, const std::vector<int>& excluded = {});

// In-context accuracy over the loss positions of `examples` (argmax of the logits = target; chance 1/N; margin in logits)
// and the sum of their losses in nats. rows = number of loss positions; 0 is flagged by accuracy.empty() and loss_sum 0.
struct Evaluation {
  Probe accuracy;
  double loss_sum = 0;
  double mean_loss() const { return accuracy.empty() ? 0 : loss_sum / accuracy.rows; }
};
// Same bits for any number of threads.
Evaluation evaluate(const FiniteModel& model, const std::vector<Example>& examples);

}  // namespace popgrad
