#include "numerics/fast_model.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "numerics/kernels/product.hpp"

namespace popgrad {
namespace {

using kernels::Into;
using kernels::padded;
using kernels::FloatMatrix;

void copy(const Matrix& from, FloatMatrix& to, int first = 0, double scale = 1) {
  for (Eigen::Index r = 0; r < from.rows(); ++r)
    for (Eigen::Index c = 0; c < from.cols(); ++c)
      to.row(first + static_cast<int>(r))[c] = static_cast<float>(scale * from(r, c));
}

FloatMatrix table(const Matrix& from) {
  FloatMatrix to(padded(static_cast<int>(from.rows())), static_cast<int>(from.cols()));
  copy(from, to);
  return to;
}

// All rows of tables made here are padded to whole squares.
FloatMatrix across(const FloatMatrix& from, int rows) {
  FloatMatrix to(padded(from.columns()), rows);
  kernels::transpose(rows, from.columns(), from.data(), from.stride(), to.data(), to.stride());
  return to;
}

FloatMatrix product(const FloatMatrix& a, const FloatMatrix& b, int terms) {
  FloatMatrix c(a.rows(), b.columns());
  kernels::product(a.rows(), padded(b.columns()), terms, {a.data(), a.stride(), 1}, b.data(), b.stride(), c.data(), c.stride(),
                   Into::set);
  return c;
}

// A^T B over the first `terms` rows of both.
FloatMatrix product_across(const FloatMatrix& a, const FloatMatrix& b, int terms) {
  FloatMatrix c(padded(a.columns()), b.columns());
  kernels::product(a.columns(), padded(b.columns()), terms, {a.data(), 1, a.stride()}, b.data(), b.stride(), c.data(),
                   c.stride(), Into::set);
  return c;
}

Matrix matrix(const FloatMatrix& from, int rows, double scale = 1) {
  Matrix to(rows, from.columns());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < from.columns(); ++c) to(r, c) = scale * static_cast<double>(from.row(r)[c]);
  return to;
}

bool contains(const std::vector<Map>& maps, Map map) { return std::ranges::find(maps, map) != maps.end(); }

}  // namespace

FastModel::FastModel(const FiniteModel& model)
    : N_(model.N()), T_(model.T()), d_(model.d()), score_scale_(model.score_scale), feed_forward_(model.feed_forward) {
  model.validate();
  const FrozenMaps& frozen = model.frozen;
  const int positions = kernels::position_row(N_), all = positions + padded(T_);
  tables_.N = N_;
  tables_.T = T_;
  tables_.d = d_;
  tables_.residual = FloatMatrix(all, d_);
  copy(frozen.tok, tables_.residual);
  copy(frozen.pos, tables_.residual, positions);
  tables_.remapped = FloatMatrix(all, d_);
  copy(model.remapped_tokens(), tables_.remapped);
  copy(model.remapped_positions(), tables_.remapped, positions);
  both_across_ = across(tables_.residual, all);
  wv2_ = table(frozen.wv2);
  wv2_across_ = table(frozen.wv2.transpose());
  out_ = table(frozen.out);
  out_across_ = across(out_, N_);
  set(model.trained);
}

void FastModel::set(const TrainedMaps& trained) {
  const FloatMatrix wk1 = [&] {
    FloatMatrix scaled(padded(d_), d_);
    copy(trained.wk1, scaled, 0, score_scale_);
    return scaled;
  }();
  tables_.scores1 = product(product(tables_.residual, wk1, d_), both_across_, d_);
  tables_.wk2 = FloatMatrix(padded(d_), d_);
  copy(trained.wk2, tables_.wk2, 0, score_scale_);
  tables_.wk2_back = across(tables_.wk2, d_);
  const FloatMatrix wo2 = table(trained.wo2);
  tables_.out_back = table(Matrix::Zero(N_, d_));
  std::copy_n(out_.data(), out_.size(), tables_.out_back.data());
  if (feed_forward_) {
    const FloatMatrix wf = table(trained.wf);
    kernels::product(N_, padded(d_), d_, {out_.data(), out_.stride(), 1}, wf.data(), wf.stride(), tables_.out_back.data(),
                     tables_.out_back.stride(), Into::add);
    read_across_ = product_across(wv2_, table(trained.wo2.transpose()), d_);
  }
  tables_.out = across(tables_.out_back, N_);
  tables_.read_back = product(product(tables_.out_back, wo2, d_), wv2_, d_);
  tables_.read = across(tables_.read_back, N_);
}

kernels::PassSums FastModel::zero_sums(const std::vector<Map>& maps) const {
  kernels::PassSums sums;
  sums.need_wk1 = contains(maps, Map::wk1);
  sums.need_wk2 = contains(maps, Map::wk2);
  sums.need_wo2 = contains(maps, Map::wo2);
  sums.need_wf = contains(maps, Map::wf);
  if (sums.need_wk1) sums.dscores1 = FloatMatrix(tables_.scores1.rows(), tables_.scores1.columns());
  if (sums.need_wk2) sums.dwk2 = FloatMatrix(padded(d_), d_);
  if (sums.need_wf) sums.dout = FloatMatrix(padded(N_), d_);
  if (sums.need_wo2 || sums.need_wf) sums.dread = FloatMatrix(padded(N_), d_);
  return sums;
}

TrainedMaps FastModel::gradient(const kernels::PassSums& sums, const std::vector<Map>& maps) const {
  TrainedMaps result = TrainedMaps::zero(d_);
  if (contains(maps, Map::wk1)) {
    const int all = tables_.residual.rows();
    result.wk1 = matrix(product_across(tables_.residual, product(sums.dscores1, tables_.residual, all), all), d_, score_scale_);
  }
  if (contains(maps, Map::wk2)) result.wk2 = matrix(sums.dwk2, d_, score_scale_);
  if (contains(maps, Map::wo2))
    result.wo2 = matrix(product(product_across(tables_.out_back, sums.dread, N_), wv2_across_, d_), d_);
  if (contains(maps, Map::wf)) {
    require(feed_forward_, "FastModel::gradient", "maps", "wf only with the feed-forward layer", "wf without it");
    // x2 = q + W_O2 W_V2 v
    FloatMatrix outputs = product(sums.dread, read_across_, d_);
    for (int k = 0; k < N_; ++k)
      for (int j = 0; j < d_; ++j) outputs.row(k)[j] += sums.dout.row(k)[j];
    result.wf = matrix(product_across(out_, outputs, N_), d_);
  }
  return result;
}

}  // namespace popgrad
