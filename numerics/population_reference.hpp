// The population gradient at fixed weights, by Monte Carlo, and the evidence to compare a minibatch gradient with it.
#pragma once
#include <functional>
#include <vector>

#include "core/gradient_evidence.hpp"
#include "numerics/batch_gradient.hpp"
#include "numerics/dictionary.hpp"
#include "numerics/sequence_source.hpp"

namespace popgrad {

// With h_i the gradient of the sum of losses of sequence i and n = E[number of loss positions of a sequence], the population
// gradient of the pooled loss is G = E[h]/n, and g_B = sum of h over the batch / (B n) is unbiased (docs/theory.md, section
// 7). n is estimated from the reference; it scales g_B and G alike, so that no comparison depends on its error.
class PopulationReference {
 public:
  // Draws groups * batch sequences 0, 1, ... of Purpose::reference_gradient; the first third of the groups (at least one)
  // fixes the directions. Maps: wo2, wk2, wk1, and wf with the feed-forward layer. HypothesisError unless batch >= 1, groups
  // >= 2 and the second part has at least 2 sequences; InputError if no reference sequence has a loss position.
  // progress(done, groups) after each group. Same bits for any number of threads.
  PopulationReference(const FiniteModel& model, const SequenceSource& source, std::int64_t batch, std::int64_t groups,
                      const std::function<void(std::int64_t, std::int64_t)>& progress = {});

  // Evidence for `minibatches` minibatches, sequences first .. first + minibatches * batch - 1 of (source, purpose); the
  // source may be of another law. `pooled`: the same with every minibatch gradient divided by its own number of loss
  // positions (zero where there is none) in place of B n. `own`: the sum of gradients and the number of loss positions of
  // the first minibatch, used in place of what is drawn (nullptr: drawn). nonzero_batch always counts drawn sequences.
  struct Both {
    GradientEvidence unbiased, pooled;
  };
  Both evidence(const SequenceSource& source, Purpose purpose, std::uint64_t first, std::int64_t minibatches = 1,
                const BatchGradient* own = nullptr) const;

  // Means of <C(h), D>/n over `count` sequences, one a block in the order of evidence().blocks; 0 without a direction.
  std::vector<double> projections(const SequenceSource& source, Purpose purpose, std::uint64_t first,
                                  std::int64_t count) const;

  // G, from all groups.
  TrainedMaps gradient() const;
  double positions() const { return positions_; }
  std::size_t blocks() const { return blocks_.size(); }

 private:
  struct MapFrame {
    Map map;
    Matrix left, right;  // atoms divided by their squared norms: C(h) = left h right^T
  };
  struct Frame {
    std::size_t map = 0;  // index into maps_
    DictionaryBlock at;
    bool has_direction = false;
    Matrix pullback;     // d x d: <h, pullback> = <C(h), D>
    bool blind = false;  // C(h) is exactly zero on all of the reference
  };
  struct Pass {  // single sequences of one group, rows in their order
    TrainedMaps sum;
    Vector positions;
    Matrix squares;      // sequences x blocks: |C(h)|^2, if wanted
    Matrix projections;  // sequences x blocks: <C(h), D>
    Matrix nonzero;      // sequences x blocks: 1 if C(h) is not exactly zero; counted for blind blocks only
  };
  Pass pass(const SequenceSource& source, Purpose purpose, std::uint64_t first, std::int64_t count, bool with_squares) const;
  std::vector<Matrix> block_values(const TrainedMaps& gradient) const;
  void mark_nonzero(const TrainedMaps& gradient, Eigen::Index row, Matrix& nonzero) const;
  void fix_directions(const TrainedMaps& gradient);
  void describe_blocks(const std::vector<Pass>& passes);

  FiniteModel model_;
  std::int64_t batch_, groups_, first_part_;  // first_part_: groups that fix the directions
  std::vector<MapFrame> maps_;
  std::vector<Frame> blocks_;
  TrainedMaps sum_;  // of all h
  double positions_ = 0;
  GradientEvidence base_;          // everything that does not depend on the batch
  std::vector<Matrix> reference_;  // C(G), one a block
};

}  // namespace popgrad
