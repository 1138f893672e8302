#include "numerics/finite_model.hpp"

#include <cmath>
#include <string>

#include "core/errors.hpp"

namespace popgrad {
namespace {

void require_shape(const char* argument, const Matrix& matrix, Eigen::Index rows, Eigen::Index columns) {
  require(matrix.rows() == rows && matrix.cols() == columns, "FiniteModel::validate", argument,
          std::to_string(rows) + " x " + std::to_string(columns),
          std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()));
}

}  // namespace

const char* name(Map map) {
  switch (map) {
    case Map::wk1:
      return "wk1";
    case Map::wk2:
      return "wk2";
    case Map::wo2:
      return "wo2";
    case Map::wf:
      return "wf";
  }
  return "?";
}

const Matrix& TrainedMaps::at(Map map) const {
  switch (map) {
    case Map::wk1:
      return wk1;
    case Map::wk2:
      return wk2;
    case Map::wo2:
      return wo2;
    case Map::wf:
      return wf;
  }
  throw HypothesisError("TrainedMaps::at", "map", "wk1, wk2, wo2 or wf", std::to_string(static_cast<int>(map)));
}

Matrix& TrainedMaps::at(Map map) { return const_cast<Matrix&>(static_cast<const TrainedMaps&>(*this).at(map)); }

TrainedMaps TrainedMaps::zero(int d) {
  const Matrix none = Matrix::Zero(d, d);
  return {none, none, none, none};
}

TrainedMaps& TrainedMaps::operator+=(const TrainedMaps& other) {
  wk1 += other.wk1;
  wk2 += other.wk2;
  wo2 += other.wo2;
  wf += other.wf;
  return *this;
}

EmbeddingGradient& EmbeddingGradient::operator+=(const EmbeddingGradient& other) {
  tok += other.tok;
  pos += other.pos;
  out += other.out;
  return *this;
}

void FiniteModel::validate() const {
  const char* function = "FiniteModel::validate";
  require(N() >= 1, function, "tok", "at least one token", "0 rows");
  require(T() >= 1, function, "pos", "at least one position", "0 rows");
  require(d() >= 1, function, "tok", "at least one dimension", "0 columns");
  require(std::isfinite(score_scale), function, "score_scale", "a finite number", std::to_string(score_scale));
  require_shape("pos", frozen.pos, T(), d());
  require_shape("out", frozen.out, N(), d());
  require_shape("wv1", frozen.wv1, d(), d());
  require_shape("wo1", frozen.wo1, d(), d());
  require_shape("wv2", frozen.wv2, d(), d());
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) require_shape(name(map), trained.at(map), d(), d());
}

// Rows are transposed vectors, so W w becomes the row w^T W^T.
Matrix FiniteModel::remapped_tokens() const { return frozen.tok * frozen.wv1.transpose() * frozen.wo1.transpose(); }
Matrix FiniteModel::remapped_positions() const { return frozen.pos * frozen.wv1.transpose() * frozen.wo1.transpose(); }

}  // namespace popgrad
