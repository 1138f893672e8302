// Gradient of one minibatch, as a sum over its sequences.
#pragma once
#include <cstdint>

#include "numerics/sequence_source.hpp"

namespace popgrad {

struct BatchGradient {
  TrainedMaps sum;      // sum over sequences of d(sum of losses)/d(map)
  EmbeddingGradient embeddings;  // the same of the embedding tables; 0 x 0 where not asked for
  double loss_sum = 0;  // in nats
  std::int64_t sequences = 0;
  std::int64_t loss_positions = 0;
  std::int64_t cycles = 0;  // sequences with a trigger-output cycle

  BatchGradient& operator+=(const BatchGradient& other);
  // No sequence of the batch has a loss position: the ratio of sums is 0/0. mean_loss() and mean() are then zero, and
  // whoever trains must look at this flag.
  bool empty() const { return loss_positions == 0; }
  double mean_loss() const;  // sum of losses / number of loss positions, pooled over the batch
  TrainedMaps mean() const;  // gradient of mean_loss()
  Matrix mean(Table table) const;  // the same of one map or embedding table; 0 x 0 where there is none
};

// Sequences first .. first + count - 1 of stream `purpose`. Fixed blocks summed in order: the same bits for any number of
// threads. Gradients of all four maps, and of the embeddings in `learned`. HypothesisError unless count >= 1.
BatchGradient batch_gradient(const FiniteModel& model, const SequenceSource& source, Purpose purpose, std::uint64_t first,
                             std::int64_t count, const Learned& learned = {});

}  // namespace popgrad
