// Training sequences of either task, each drawn alone from (seed, purpose, index).
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "core/philox.hpp"
#include "numerics/sequence.hpp"
#include "numerics/train_options.hpp"

namespace popgrad {

class SequenceSource {
 public:
  // Throws InputError through the task's validation.
  SequenceSource(const TrainOptions& options, const BigramCounts& corpus);

  Sequence draw(Purpose purpose, std::uint64_t index) const;
  // The same into a sequence that is overwritten: a loop that keeps it allocates nothing in the bigram task.
  void draw(Purpose purpose, std::uint64_t index, Sequence& into) const;
  // The purpose of the training stream itself: its sample s * batch + i is sequence i of step s.
  Purpose training() const { return task_ == TaskKind::bigram ? Purpose::bigram_task : Purpose::minimal_task; }
  std::vector<int> fixed_triggers() const;  // empty in the minimal task and with random triggers

 private:
  TaskKind task_;
  MinimalTask minimal_;
  std::shared_ptr<const BigramSampler> bigram_;
  std::uint64_t seed_;
};

}  // namespace popgrad
