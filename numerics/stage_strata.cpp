#include "numerics/stage_strata.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr std::int64_t largest_part = 256;

int below(Stream& stream, int n) { return static_cast<int>(stream.below(static_cast<std::uint64_t>(n))); }

}  // namespace

SampleStrata::SampleStrata(const MinimalTask& task, std::int64_t samples, bool stratified, std::int64_t strata_of) : task_(task) {
  task.validate();
  require(task.output_weights.empty(), "SampleStrata", "labels", "uniform", "weighted");
  require(samples >= 2, "SampleStrata", "samples", "at least 2", std::to_string(samples));
  const int lengths = task.T - task.shortest() + 1;
  for (int length = task.shortest(); length <= task.T; ++length)
    for (int tau = 0; tau < length - 2; ++tau) cells_.push_back({length, tau, 1.0 / lengths / (length - 2)});
  const int cells = static_cast<int>(cells_.size());
  const int groups = stratified ? static_cast<int>(std::clamp<std::int64_t>((strata_of > 0 ? strata_of : samples) / 16, 1, cells)) : 1;
  const auto add_stratum = [&](SamplePart part, double probability) {
    if (probability <= 0) return;
    const std::int64_t count = std::max<std::int64_t>(2, std::llround(probability * static_cast<double>(samples)));
    const std::int64_t pieces = (count + largest_part - 1) / largest_part;
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      part.first = samples_;
      part.count = count * (piece + 1) / pieces - count * piece / pieces;
      part.probability = probability * static_cast<double>(part.count) / static_cast<double>(count);
      samples_ += part.count;
      parts_.push_back(part);
    }
  };
  for (int group = 0; group < groups; ++group) {
    SamplePart part;
    // In 64 bits: T = 1200 with query = any has a million places, and thousands of groups of them.
    const auto edge = [&](std::int64_t g) { return static_cast<int>(cells * g / groups); };
    part.first_cell = edge(group);
    part.cells = edge(group + 1) - part.first_cell;
    double probability = 0;
    for (int c = 0; c < part.cells; ++c) probability += cells_[static_cast<std::size_t>(part.first_cell + c)].probability;
    if (!stratified) {
      add_stratum(part, probability);
      continue;
    }
    part.output = SamplePart::Output::trigger;
    add_stratum(part, probability / task.N);
    part.output = SamplePart::Output::other;
    add_stratum(part, probability * (task.N - 1) / task.N);
  }
}

// The gradient does not change when tokens are relabelled: the trigger is token 0, another output token 1.
void SampleStrata::draw(const SamplePart& part, Stream& stream, std::vector<int>& labels, Orbit& sequence) const {
  std::size_t cell = static_cast<std::size_t>(part.first_cell);
  if (part.cells > 1) {
    double total = 0;
    for (int c = 0; c < part.cells; ++c) total += cells_[cell + static_cast<std::size_t>(c)].probability;
    double left = stream.uniform() * total;
    const std::size_t last = cell + static_cast<std::size_t>(part.cells) - 1;
    while (cell < last && left >= cells_[cell].probability) left -= cells_[cell++].probability;
  }
  const auto [length, tau, probability] = cells_[cell];
  const int output = part.output == SamplePart::Output::trigger ? 0
                     : part.output == SamplePart::Output::other ? 1
                                                                : below(stream, task_.N);
  sequence.token.clear();
  for (int t = 0; t < length; ++t)
    sequence.token.push_back(t == tau || t == length - 1           ? 0
                             : t == tau + 1                        ? output
                             : task_.background == Background::any ? below(stream, task_.N)
                                                                   : 1 + below(stream, task_.N - 1));
  // By first appearance; `labels` holds -1 between calls.
  if (labels.empty()) labels.assign(static_cast<std::size_t>(task_.N), -1);
  const std::vector<int> drawn = sequence.token;
  sequence.classes = 0;
  for (int& token : sequence.token) {
    int& label = labels[static_cast<std::size_t>(token)];
    if (label < 0) label = sequence.classes++;
    token = label;
  }
  sequence.label.assign(static_cast<std::size_t>(sequence.classes), 0);
  sequence.label[static_cast<std::size_t>(sequence.token[static_cast<std::size_t>(tau + 1)])] = 1;
  sequence.triggers = 1;
  for (const int token : drawn) labels[static_cast<std::size_t>(token)] = -1;
}

}  // namespace popgrad
