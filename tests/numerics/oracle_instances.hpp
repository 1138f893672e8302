// Random parameters for the tests of the engines, and the same parameters in the oracle's own types.
#pragma once
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/minimal_task.hpp"
#include "core/philox.hpp"
#include "numerics/finite_model.hpp"
#include "numerics/ideal_model.hpp"
#include "tests/oracle/finite_oracle.hpp"
#include "tests/oracle/ideal_oracle.hpp"
#include "tests/oracle/minimal_oracle.hpp"

namespace popgrad::against_oracle {

inline std::vector<double> normals(Stream& stream, std::size_t count, double scale) {
  std::vector<double> values(count);
  for (double& value : values) value = scale * stream.normal();
  return values;
}

inline Matrix normal_matrix(Stream& stream, int rows, int columns, double scale) {
  Matrix m(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) m(i, j) = scale * stream.normal();
  return m;
}

inline std::vector<int> random_tokens(Stream& stream, int N, int length) {
  std::vector<int> tokens(static_cast<std::size_t>(length));
  for (int& token : tokens) token = static_cast<int>(stream.below(static_cast<std::uint64_t>(N)));
  return tokens;
}

inline IdealMaps<double> random_ideal(Stream& stream, int N, int T, double scale) {
  IdealMaps<double> maps(N, T);
  for (auto* map : {&maps.wo, &maps.wk2, &maps.wk1}) *map = normals(stream, map->size(), scale);
  return maps;
}

// Every map random, the trained ones too: N(0, 1/d), and embeddings N(0, 0.36), so that attention is far from uniform and
// from saturated (a saturated softmax has no gradient to compare).
inline FiniteModel random_finite(Stream& stream, int N, int T, int d, double kappa, bool feed_forward) {
  const double map = 1 / std::sqrt(static_cast<double>(d));
  FiniteModel model;
  model.frozen = {normal_matrix(stream, N, d, 0.6), normal_matrix(stream, T, d, 0.6), normal_matrix(stream, N, d, 1),
                  normal_matrix(stream, d, d, map), normal_matrix(stream, d, d, map), normal_matrix(stream, d, d, map)};
  model.trained = {normal_matrix(stream, d, d, map), normal_matrix(stream, d, d, map), normal_matrix(stream, d, d, map),
                   normal_matrix(stream, d, d, map)};
  model.score_scale = kappa;
  model.feed_forward = feed_forward;
  return model;
}

inline std::vector<double> entries(const Matrix& m) {
  std::vector<double> result;
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j) result.push_back(m(i, j));
  return result;
}

inline oracle::FiniteParameters<double> for_oracle(const FiniteModel& model) {
  const FrozenMaps& f = model.frozen;
  const TrainedMaps& t = model.trained;
  return {model.N(),      model.T(),      model.d(),      entries(f.tok),    entries(f.pos),
          entries(f.out), entries(f.wv1), entries(f.wo1), entries(f.wv2),    entries(t.wk1),
          entries(t.wk2), entries(t.wo2), entries(t.wf),  model.score_scale, model.feed_forward};
}

inline oracle::IdealParameters<double> for_oracle(const IdealMaps<double>& maps) {
  return {maps.at.N, maps.at.T, maps.wo, maps.wk2, maps.wk1};
}

inline oracle::MinimalLaw for_oracle(const MinimalTask& task) {
  return {task.N, task.T, task.background == Background::avoid, task.query == Query::any, task.output_weights};
}

inline std::vector<std::pair<int, int>> pairs(const std::vector<Target>& targets) {
  std::vector<std::pair<int, int>> result;
  for (const Target& target : targets) result.emplace_back(target.position, target.token);
  return result;
}

// The engine's numbers in the order of the oracle's: wo | wk2 | wk1, and wk1 | wk2 | wo2 | wf.
inline std::vector<double> in_oracle_order(const IdealMaps<double>& maps) { return ideal_entries(for_oracle(maps)); }
inline std::vector<double> in_oracle_order(const TrainedMaps& maps) {
  std::vector<double> result;
  for (const Matrix* m : {&maps.wk1, &maps.wk2, &maps.wo2, &maps.wf}) {
    const std::vector<double> part = entries(*m);
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

// Longest sum in either route, for oracle::agreement: over coordinates, positions or tokens.
inline double longest_sum(const IdealMaps<double>& maps) { return maps.at.size(); }
inline double longest_sum(const FiniteModel& model) { return std::max({model.d(), model.T(), model.N()}); }

}  // namespace popgrad::against_oracle
