#include "numerics/kernels/sequence_pass.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/kernels/causal_softmax.hpp"
#include "numerics/kernels/lanes.hpp"
#include "numerics/kernels/product.hpp"

namespace popgrad::kernels {
namespace {

Left rows(const FloatMatrix& table, int first = 0) { return {table.row(first), table.stride(), 1}; }
Left columns(const FloatMatrix& table, int first = 0, int column = 0) { return {table.row(first) + column, 1, table.stride()}; }

}  // namespace

SequencePass::SequencePass(const PassTables& tables)
    : tables_(tables),
      token_(static_cast<std::size_t>(padded(tables.T))),
      remapped_(padded(tables.T), tables.d),
      remapped_across_(padded(tables.d), tables.T),
      attention1_(padded(tables.T), tables.T),
      x1_(padded(tables.T), tables.d),
      x1_across_(padded(tables.d), tables.T),
      queries_(tables.T, tables.d),
      keyed_(tables.T, tables.d),
      attention2_(tables.T, tables.T),
      values_(tables.T, tables.d),
      logits_(tables.T, tables.N),
      dlogits_(tables.T, tables.N),
      dvalues_(tables.T, tables.d),
      dscores2_(tables.T, tables.T),
      dkeys_(tables.T, tables.d),
      dqueries_(tables.T, tables.d),
      dx1_(padded(tables.T), tables.d),
      tile_(lanes, tables.T),
      by_token_(lanes, tables.N),
      by_token_across_(padded(tables.N), lanes) {}

// Sixteen rows of layer 1: scores from the tables, softmax, mixing.
void SequencePass::attend_first(int first) {
  const int N = tables_.N, offset = position_row(N), last = std::min(first + lanes, L_), width = padded(tables_.d);
  for (int t = first; t < last; ++t) {
    const float* token = tables_.scores1.row(token_[static_cast<std::size_t>(t)]);
    const float* position = tables_.scores1.row(offset + t);
    float* by_token = by_token_.row(t - first);
    for (int k = 0; k < N; ++k) by_token[k] = token[k] + position[k];
    for (int j = 0; j < width; j += lanes)
      store(x1_.row(t) + j, load(tables_.residual.row(token_[static_cast<std::size_t>(t)]) + j) +
                                load(tables_.residual.row(offset + t) + j));
  }
  transpose(lanes, N, by_token_.data(), by_token_.stride(), by_token_across_.data(), by_token_across_.stride());
  // Key by key, the entries of sixteen queries that depend on the key's token lie side by side; turned, they are a tile's rows.
  for (int s = 0; s < last; s += lanes) {
    float keys[lanes * lanes], turned[lanes * lanes];
    for (int i = 0; i < lanes; ++i)
      store(keys + i * lanes, load(by_token_across_.row(token_[static_cast<std::size_t>(s + i)])));
    transpose(lanes, lanes, keys, lanes, turned, lanes);
    for (int t = first; t < last; ++t) {
      const float* token = tables_.scores1.row(token_[static_cast<std::size_t>(t)]) + offset;
      const float* position = tables_.scores1.row(offset + t) + offset;
      store(attention1_.row(t) + s, load(turned + (t - first) * lanes) + (load(token + s) + load(position + s)));
    }
  }
  for (int t = first; t < last; ++t) softmax(attention1_.row(t), t + 1);
  product(last - first, width, last, rows(attention1_, first), remapped_.data(), remapped_.stride(), x1_.row(first),
          x1_.stride(), Into::add);
}

int SequencePass::last_position(int first, int count) const {
  int last = 0;
  for (int i = first; i < first + count; ++i) last = std::max(last, example_->targets[static_cast<std::size_t>(i)].position);
  return last;
}

double SequencePass::forward(const Example& example) {
  example_ = &example;
  n_ = static_cast<int>(example.targets.size());
  if (n_ == 0) return 0;
  L_ = last_position(0, n_) + 1;
  const int d = tables_.d, offset = position_row(tables_.N), width = padded(d);
  for (int t = 0; t < padded(L_); ++t)
    token_[static_cast<std::size_t>(t)] = t < L_ ? example.tokens[static_cast<std::size_t>(t)] : 0;
  for (int s = 0; s < L_; ++s)
    for (int j = 0; j < width; j += lanes)
      store(remapped_.row(s) + j, load(tables_.remapped.row(token_[static_cast<std::size_t>(s)]) + j) +
                                      load(tables_.remapped.row(offset + s) + j));
  for (int first = 0; first < L_; first += lanes) attend_first(first);

  transpose(L_, d, x1_.data(), x1_.stride(), x1_across_.data(), x1_across_.stride());
  const auto position = [&](int i) { return example.targets[static_cast<std::size_t>(i)].position; };
  for (int i = 0; i < n_; ++i) std::copy_n(x1_.row(position(i)), width, queries_.row(i));
  product(n_, width, d, rows(queries_), tables_.wk2.data(), tables_.wk2.stride(), keyed_.data(), keyed_.stride(), Into::set);
  for (int first = 0; first < n_; first += lanes) {
    const int count = std::min(lanes, n_ - first), seen = last_position(first, count) + 1;
    product(count, padded(seen), d, rows(keyed_, first), x1_across_.data(), x1_across_.stride(), attention2_.row(first),
            attention2_.stride(), Into::set);
    for (int i = first; i < first + count; ++i) {
      softmax(attention2_.row(i), position(i) + 1);
      std::fill(attention2_.row(i) + padded(position(i) + 1), attention2_.row(i) + padded(L_), 0.0f);
    }
    product(count, width, seen, rows(attention2_, first), x1_.data(), x1_.stride(), values_.row(first), values_.stride(),
            Into::set);
  }
  const int tokens = padded(tables_.N);
  product(n_, tokens, d, rows(queries_), tables_.out.data(), tables_.out.stride(), logits_.data(), logits_.stride(), Into::set);
  product(n_, tokens, d, rows(values_), tables_.read.data(), tables_.read.stride(), logits_.data(), logits_.stride(),
          Into::add);
  double loss = 0;
  for (int i = 0; i < n_; ++i) {
    std::copy_n(logits_.row(i), tokens, dlogits_.row(i));
    loss += softmax_loss(dlogits_.row(i), tables_.N, example.targets[static_cast<std::size_t>(i)].token);
  }
  return loss;
}

void SequencePass::logit_magnitudes(FloatMatrix& magnitudes) const {
  const auto add = [&](const FloatMatrix& vectors, const FloatMatrix& factor, Into into) {
    FloatMatrix absolute(n_, tables_.d), factors(tables_.d, tables_.N);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < tables_.d; ++j) absolute.row(i)[j] = std::abs(vectors.row(i)[j]);
    for (int j = 0; j < tables_.d; ++j)
      for (int k = 0; k < tables_.N; ++k) factors.row(j)[k] = std::abs(factor.row(j)[k]);
    product(n_, padded(tables_.N), tables_.d, rows(absolute), factors.data(), factors.stride(), magnitudes.data(),
            magnitudes.stride(), into);
  };
  add(queries_, tables_.out, Into::set);
  add(values_, tables_.read, Into::add);
}

void SequencePass::backward(PassSums& sums) {
  if (n_ == 0) return;
  const int N = tables_.N, d = tables_.d, width = padded(d);
  const auto target = [&](int i) -> const Target& { return example_->targets[static_cast<std::size_t>(i)]; };
  for (int i = 0; i < n_; ++i) {
    // p - 1 at the target is minus the sum of the others, which loses nothing near p = 1.
    float* row = dlogits_.row(i);
    row[target(i).token] = 0;
    Lanes others = {};
    for (int k = 0; k < N; k += lanes) others += load(row + k);
    row[target(i).token] = -sum(others);
  }
  if (sums.need_wf)
    product(N, width, n_, columns(dlogits_), queries_.data(), queries_.stride(), sums.dout.data(), sums.dout.stride(), Into::add);
  if (sums.need_wo2 || sums.need_wf)
    product(N, width, n_, columns(dlogits_), values_.data(), values_.stride(), sums.dread.data(), sums.dread.stride(), Into::add);
  if (!sums.need_wk1 && !sums.need_wk2) return;

  product(n_, width, N, rows(dlogits_), tables_.read_back.data(), tables_.read_back.stride(), dvalues_.data(),
          dvalues_.stride(), Into::set);
  for (int first = 0; first < n_; first += lanes) {
    const int count = std::min(lanes, n_ - first), seen = last_position(first, count) + 1;
    product(count, padded(seen), d, rows(dvalues_, first), x1_across_.data(), x1_across_.stride(), dscores2_.row(first),
            dscores2_.stride(), Into::set);
    for (int i = first; i < first + count; ++i) {
      softmax_gradient(attention2_.row(i), dscores2_.row(i), target(i).position + 1);
      std::fill(dscores2_.row(i) + padded(target(i).position + 1), dscores2_.row(i) + padded(L_), 0.0f);
    }
    product(count, width, seen, rows(dscores2_, first), x1_.data(), x1_.stride(), dkeys_.row(first), dkeys_.stride(), Into::set);
  }
  if (sums.need_wk2)
    product(d, width, n_, columns(queries_), dkeys_.data(), dkeys_.stride(), sums.dwk2.data(), sums.dwk2.stride(), Into::add);
  if (!sums.need_wk1) return;

  product(n_, width, N, rows(dlogits_), tables_.out_back.data(), tables_.out_back.stride(), dqueries_.data(),
          dqueries_.stride(), Into::set);
  product(n_, width, d, rows(dkeys_), tables_.wk2_back.data(), tables_.wk2_back.stride(), dqueries_.data(), dqueries_.stride(),
          Into::add);
  // x1 as a value and as a key, of the targets at or after it ...
  for (int first = 0, i = 0; first < L_; first += lanes) {
    while (i < n_ && target(i).position < first) ++i;
    const int count = std::min(lanes, L_ - first);
    product(count, width, n_ - i, columns(attention2_, i, first), dvalues_.row(i), dvalues_.stride(), dx1_.row(first),
            dx1_.stride(), Into::set);
    product(count, width, n_ - i, columns(dscores2_, i, first), keyed_.row(i), keyed_.stride(), dx1_.row(first), dx1_.stride(),
            Into::add);
  }
  for (int i = 0; i < n_; ++i) {  // ... and as a query
    float* row = dx1_.row(target(i).position);
    for (int j = 0; j < width; j += lanes) store(row + j, load(row + j) + load(dqueries_.row(i) + j));
  }
  transpose(L_, d, remapped_.data(), remapped_.stride(), remapped_across_.data(), remapped_across_.stride());
  for (int first = 0; first < L_; first += lanes) backward_first(first, sums);
}

// Sixteen rows of layer 1: d loss / d score, added to the four tables.
void SequencePass::backward_first(int first, PassSums& sums) {
  const int N = tables_.N, offset = position_row(N), last = std::min(first + lanes, L_);
  product(last - first, padded(last), tables_.d, rows(dx1_, first), remapped_across_.data(), remapped_across_.stride(),
          tile_.data(), tile_.stride(), Into::set);
  for (int t = first; t < last; ++t) {
    softmax_gradient(attention1_.row(t), tile_.row(t - first), t + 1);
    float* token = sums.dscores1.row(token_[static_cast<std::size_t>(t)]) + offset;
    float* position = sums.dscores1.row(offset + t) + offset;
    for (int s = 0; s <= t; s += lanes) {
      const Lanes g = load(tile_.row(t - first) + s);
      store(token + s, load(token + s) + g);
      store(position + s, load(position + s) + g);
    }
  }
  for (int r = last - first; r < lanes; ++r) std::fill_n(tile_.row(r), padded(last), 0.0f);
  by_token_across_.clear();
  for (int s = 0; s < last; s += lanes) {
    float turned[lanes * lanes];
    transpose(lanes, lanes, tile_.data() + s, tile_.stride(), turned, lanes);
    for (int i = 0; i < lanes; ++i) {
      float* key = by_token_across_.row(token_[static_cast<std::size_t>(s + i)]);
      store(key, load(key) + load(turned + i * lanes));
    }
  }
  transpose(N, lanes, by_token_across_.data(), by_token_across_.stride(), by_token_.data(), by_token_.stride());
  for (int t = first; t < last; ++t) {
    float* token = sums.dscores1.row(token_[static_cast<std::size_t>(t)]);
    float* position = sums.dscores1.row(offset + t);
    for (int k = 0; k < N; k += lanes) {
      const Lanes g = load(by_token_.row(t - first) + k);
      store(token + k, load(token + k) + g);
      store(position + k, load(position + k) + g);
    }
  }
}

}  // namespace popgrad::kernels
