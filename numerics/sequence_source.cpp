#include "numerics/sequence_source.hpp"

#include <utility>

#include "numerics/minimal_sampler.hpp"

namespace popgrad {
SequenceSource::SequenceSource(const TrainOptions& options, const BigramCounts& corpus)
    : task_(options.task), minimal_(options.minimal), seed_(options.seed) {
  if (task_ == TaskKind::bigram) {
    options.bigram.validate(corpus);
    bigram_ = std::make_shared<const BigramSampler>(corpus, options.bigram);
  } else {
    minimal_.validate();
  }
}

void SequenceSource::draw(Purpose purpose, std::uint64_t index, Sequence& into) const {
  if (task_ == TaskKind::bigram) {
    bigram_->draw(seed_, purpose, index, into);
    return;
  }
  MinimalSample sample = draw_minimal(minimal_, seed_, purpose, index);
  into.heads = sample.example.targets;
  into.example = std::move(sample.example);
  into.triggers = {sample.trigger};
  into.outputs = {sample.output};
  into.cycle = false;
}

Sequence SequenceSource::draw(Purpose purpose, std::uint64_t index) const {
  Sequence sequence;
  draw(purpose, index, sequence);
  return sequence;
}

std::vector<int> SequenceSource::fixed_triggers() const {
  return task_ == TaskKind::bigram ? bigram_->fixed_triggers() : std::vector<int>{};
}

}  // namespace popgrad
