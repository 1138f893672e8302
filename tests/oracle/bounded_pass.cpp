#include "tests/oracle/bounded_pass.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace popgrad::oracle {
namespace {

constexpr int spare = 8;  // roundings beyond the products' widths: sums split into parts, scales

std::vector<int> count_up(int n) {
  std::vector<int> result;
  for (int i = 1; i <= n; ++i) result.push_back(i);
  return result;
}

void accumulate(BoundedMatrix& total, const BoundedMatrix& part) {
  total.value += part.value;
  total.size += part.size;
  total.inherited += part.inherited;
  total.width = std::max(total.width, part.width);
}

Grid plus(Grid a, const Grid& b) { return a += b; }

}  // namespace

BoundedPass::BoundedPass(const FiniteParameters<double>& p, double u)
    : u_(u), kappa_(p.kappa), feed_forward_(p.feed_forward) {
  const auto square = [&](const std::vector<double>& m) { return parameter(p.d, p.d, m); };
  tok_ = parameter(p.N, p.d, p.tok);
  pos_ = parameter(p.T, p.d, p.pos);
  out_ = parameter(p.N, p.d, p.out);
  r1_ = product(square(p.wo1), square(p.wv1));
  wk1_ = square(p.wk1);
  wk2_ = square(p.wk2);
  wf_ = square(p.wf);
  wv2_ = square(p.wv2);
  to_values_ = product(square(p.wo2), wv2_);
  b_ = feed_forward_ ? out_ + product(out_, wf_) : out_;  // logits = B x2
  c_ = product(b_, to_values_);                           // and C v of it from the second layer
  for (BoundedMatrix& map : totals_.gradient) map = {Grid(p.d, p.d), Grid(p.d, p.d), Grid(p.d, p.d), 0};
}

BoundedMatrix BoundedPass::remapped(const BoundedMatrix& x) const { return product(x, transposed(r1_)); }

void BoundedPass::add(const std::vector<int>& tokens, const std::vector<std::pair<int, int>>& targets) {
  const int L = static_cast<int>(tokens.size());
  ++totals_.sequences;
  totals_.loss_positions += static_cast<std::int64_t>(targets.size());
  if (targets.empty()) return;
  std::vector<int> at, labels, seen, positions;
  for (const auto& [position, label] : targets) {
    at.push_back(position);
    labels.push_back(label);
    seen.push_back(position + 1);
  }
  for (int t = 0; t < L; ++t) positions.push_back(t);
  std::int64_t most = 0;
  for (const int token : tokens) most = std::max<std::int64_t>(most, std::ranges::count(tokens, token));
  pairs_ += most * most;

  // Layer 1. The remapped embeddings are stored tables for whoever splits x1 into parts, and part of one long product for
  // whoever maps the average; the first pays through the atom's size, the second through its error.
  const BoundedMatrix e = rows_of(tok_, tokens), p = rows_of(pos_, positions), x = e + p;
  const BoundedMatrix re = remapped(e), rp = remapped(p), r_chain = re + rp;
  const BoundedMatrix r = [&] {
    const Grid error = r_chain.error(u_, spare + tok_.columns() + L);
    return atom(r_chain.value, error, plus(plus(absolute(re.value), absolute(rp.value)), error));
  }();
  const BoundedMatrix a1 = softmax(scaled(bilinear(x, wk1_, x), kappa_), count_up(L), u_);
  const BoundedMatrix x1 = [&] {
    const BoundedMatrix chain = x + product(a1, r_chain);
    const Grid error = chain.error(u_, spare);
    return atom(chain.value, error, plus(plus(x.size, product(a1.size, r.size)), error));
  }();

  // Layer 2 at the targets.
  const BoundedMatrix q = rows_of(x1, at);
  const BoundedMatrix a2 = softmax(scaled(bilinear(q, wk2_, x1), kappa_), seen, u_);
  const BoundedMatrix v = product(a2, x1);
  const BoundedMatrix logits = product(q, transposed(b_)) + product(v, transposed(c_));
  judge(logits, labels);

  // Backward: g = p - e_label; what a target sends to its value is C^T g, to its output B^T g.
  const BoundedMatrix g = residual(logits, labels, u_);
  const BoundedMatrix gx2 = product(g, b_), gv = product(g, c_);
  accumulate(totals_.gradient[2], product(transposed(gx2), product(v, transposed(wv2_))));
  if (feed_forward_) {
    const BoundedMatrix x2 = q + product(v, transposed(to_values_));
    accumulate(totals_.gradient[3], product(transposed(product(g, out_)), x2));
  }
  const BoundedMatrix ds2 = softmax_backward(a2, bilinear(g, c_, x1), u_);
  const BoundedMatrix keys = scaled(product(ds2, x1), kappa_);  // sum_s (d loss / d score_s) kappa x1_s
  accumulate(totals_.gradient[1], product(transposed(q), keys));

  // d loss / d x1_t meets layer 1 only as c1_ts = (d loss / d x1_t) . r_s, part by part: as a value, as a key, as a query.
  const BoundedMatrix as_value = product(transposed(a2), bilinear(g, c_, r));
  const BoundedMatrix as_key = scaled(product(transposed(ds2), bilinear(q, wk2_, r)), kappa_);
  const BoundedMatrix as_query = scattered(bilinear(g, b_, r) + bilinear(keys, transposed(wk2_), r), at, L);
  const BoundedMatrix ds1 = softmax_backward(a1, as_value + as_key + as_query, u_);
  accumulate(totals_.gradient[0], scaled(product(transposed(x), product(ds1, x)), kappa_));
}

void BoundedPass::judge(const BoundedMatrix& logits, const std::vector<int>& labels) {
  const Grid error = logits.error(u_, spare);
  for (int i = 0; i < logits.rows(); ++i) {
    const int label = labels[static_cast<std::size_t>(i)];
    const CrossEntropy loss = cross_entropy(logits, i, label, u_);
    totals_.loss += loss.loss;
    totals_.loss_inherited += loss.error;
    totals_.loss_size += loss.size;
    bool may_be_right = true, may_be_wrong = false;
    double other = 0, other_error = 0;
    bool first = true;
    for (int k = 0; k < logits.columns(); ++k) {
      if (k == label) continue;
      const double gap = logits.value(i, label) - logits.value(i, k), unsure = 2 * (error(i, label) + error(i, k));
      if (gap < -unsure) may_be_right = false;
      if (gap <= unsure) may_be_wrong = true;
      other = first ? logits.value(i, k) : std::max(other, logits.value(i, k));
      other_error = std::max(other_error, error(i, k));
      first = false;
    }
    totals_.right_most += may_be_right ? 1 : 0;
    totals_.right_least += may_be_wrong ? 0 : 1;
    totals_.margin += logits.value(i, label) - other;
    totals_.margin_error +=
        error(i, label) + other_error + gamma(2, u_) * (std::abs(logits.value(i, label)) + std::abs(other));
  }
}

// Sums over the batch may come before the last product, over loss positions or sequences, and pass through tables of N or T
// rows; those of W_K1 may run over all pairs of positions with the same two tokens.
Grid BoundedPass::gradient_error(int map) const {
  const std::int64_t batch = totals_.loss_positions + totals_.sequences + (map == 0 ? pairs_ : 0);
  return totals_.gradient[static_cast<std::size_t>(map)].error(
      u_, spare + static_cast<int>(batch) + 2 * (tok_.rows() + pos_.rows()));
}

double BoundedPass::loss_error() const {
  return totals_.loss_inherited +
         gamma(spare + static_cast<int>(totals_.loss_positions + totals_.sequences), u_) * totals_.loss_size;
}

}  // namespace popgrad::oracle
