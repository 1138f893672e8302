#include "numerics/sequence_source.hpp"

#include <algorithm>

#include "numerics/minimal_sampler.hpp"

namespace popgrad {
namespace {

// Targets of the head loss, whatever loss the run trains on: z_t is a trigger and occurs before t.
std::vector<Target> head_positions(const BigramSample& sample) {
  const std::vector<int>& tokens = sample.example.tokens;
  std::vector<Target> heads;
  for (const Target& target : sample.example.targets) {
    const int z = tokens[static_cast<std::size_t>(target.position)];
    const bool trigger = std::ranges::find(sample.triggers, z) != sample.triggers.end();
    const bool before = std::find(tokens.begin(), tokens.begin() + target.position, z) != tokens.begin() + target.position;
    if (trigger && before) heads.push_back(target);
  }
  return heads;
}

}  // namespace

SequenceSource::SequenceSource(const TrainOptions& options, const BigramCounts& corpus)
    : task_(options.task), minimal_(options.minimal), seed_(options.seed) {
  if (task_ == TaskKind::bigram) {
    options.bigram.validate(corpus);
    bigram_ = std::make_shared<const BigramSampler>(corpus, options.bigram);
  } else {
    minimal_.validate();
  }
}

Sequence SequenceSource::draw(Purpose purpose, std::uint64_t index) const {
  Sequence sequence;
  if (task_ == TaskKind::minimal) {
    sequence.example = draw_minimal(minimal_, seed_, purpose, index).example;
    sequence.heads = sequence.example.targets;
    return sequence;
  }
  BigramSample sample = bigram_->draw(seed_, purpose, index);
  sequence.heads = head_positions(sample);
  sequence.cycle = sample.cycle;
  sequence.example = std::move(sample.example);
  return sequence;
}

std::vector<int> SequenceSource::fixed_triggers() const {
  return task_ == TaskKind::bigram ? bigram_->fixed_triggers() : std::vector<int>{};
}

}  // namespace popgrad
