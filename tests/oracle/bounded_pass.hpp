// Loss and gradients of docs/theory.md, section 1, by dense matrices in double, with a bound on what a pass in another
// precision may say, however it groups sums: through tables of embeddings, merged matrices, sums over the batch before a
// last product.
#pragma once
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tests/oracle/bounded_softmax.hpp"
#include "tests/oracle/finite_oracle.hpp"

namespace popgrad::oracle {

// Sums over the sequences added so far.
struct BoundedTotals {
  std::array<BoundedMatrix, 4> gradient;  // of the sum of losses: wk1, wk2, wo2, wf; d x d
  double loss = 0, loss_inherited = 0, loss_size = 0;
  std::int64_t sequences = 0, loss_positions = 0;
  double right_least = 0,
         right_most = 0;  // rows whose largest logit is the label's; a gap within its bound may be called a tie
  double margin = 0, margin_error = 0;  // sum over rows of label's logit minus largest other
};

// u: the two unit roundoffs together when two rounded evaluations are compared; every bound is a series in u with
// non-negative coefficients, so the bound at u1 + u2 is at least the sum of the bounds at u1 and at u2.
class BoundedPass {
 public:
  BoundedPass(const FiniteParameters<double>& p, double u);
  void add(const std::vector<int>& tokens, const std::vector<std::pair<int, int>>& targets);
  const BoundedTotals& totals() const { return totals_; }
  Grid gradient_error(int map) const;
  double loss_error() const;

 private:
  BoundedMatrix remapped(const BoundedMatrix& x) const;  // rows W_O1 W_V1 x, not stored
  void judge(const BoundedMatrix& logits, const std::vector<int>& labels);

  double u_, kappa_;
  bool feed_forward_;
  BoundedMatrix tok_, pos_, out_, r1_, wk1_, wk2_, wf_, wv2_, to_values_, b_, c_;
  BoundedTotals totals_;
  std::int64_t pairs_ = 0;  // longest sum over pairs of positions with one pair of tokens, all sequences together
};

}  // namespace popgrad::oracle
