// The finite-d model in the form in which float kernels are fast: tables of products of its parameters.
#pragma once
#include "numerics/finite_model.hpp"
#include "numerics/kernels/pass_tables.hpp"

namespace popgrad {

// Between `set` and the next the tables are those of one set of trained maps. Derivation in docs/theory.md, "The fast pass".
class FastModel {
 public:
  explicit FastModel(const FiniteModel& model);  // frozen tables, score scale, feed-forward layer; and set(model.trained)
  void set(const TrainedMaps& trained);

  const kernels::PassTables& tables() const { return tables_; }
  kernels::PassSums zero_sums(const std::vector<Map>& maps) const;  // for the gradients of these maps
  // Gradients of the losses' sum, d x d each, from sums over all sequences; those of other maps are zero.
  TrainedMaps gradient(const kernels::PassSums& sums, const std::vector<Map>& maps) const;

 private:
  int N_, T_, d_;
  double score_scale_;
  bool feed_forward_;
  kernels::FloatMatrix both_across_;                   // tables_.residual across: d x (tokens and positions)
  kernels::FloatMatrix wv2_, wv2_across_;              // W_V2 and its transpose
  kernels::FloatMatrix out_, out_across_;              // W_U, N x d, and its transpose
  kernels::FloatMatrix read_across_;                   // (W_O2 W_V2)^T, only with the feed-forward layer
  kernels::PassTables tables_;
};

}  // namespace popgrad
