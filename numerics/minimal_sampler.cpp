#include "numerics/minimal_sampler.hpp"

namespace popgrad {
namespace {

int below(Stream& stream, int n) { return static_cast<int>(stream.below(static_cast<std::uint64_t>(n))); }

int draw_output(Stream& stream, const MinimalTask& task) {
  if (task.output_weights.empty()) return below(stream, task.N);
  std::uint64_t total = 0;
  for (const int weight : task.output_weights) total += static_cast<std::uint64_t>(weight);
  std::uint64_t x = stream.below(total);
  int o = 0;
  for (; x >= static_cast<std::uint64_t>(task.output_weights[static_cast<std::size_t>(o)]); ++o)
    x -= static_cast<std::uint64_t>(task.output_weights[static_cast<std::size_t>(o)]);
  return o;
}

int draw_background(Stream& stream, const MinimalTask& task, int q) {
  if (task.background == Background::any) return below(stream, task.N);
  const int b = below(stream, task.N - 1);
  return b < q ? b : b + 1;
}

}  // namespace

MinimalSample draw_minimal(const MinimalTask& task, std::uint64_t seed, Purpose purpose, std::uint64_t index) {
  task.validate();
  Stream stream(seed, purpose, index);
  // The order of draws is part of the results: length, trigger, output, tau, background from left to right.
  MinimalSample sample;
  const int length = task.query == Query::any ? 4 + below(stream, task.T - 3) : task.T;
  sample.trigger = below(stream, task.N);
  sample.output = draw_output(stream, task);
  sample.tau = below(stream, length - 2);
  std::vector<int>& tokens = sample.example.tokens;
  tokens.reserve(static_cast<std::size_t>(length));
  for (int t = 0; t < length; ++t) {
    if (t == sample.tau || t == length - 1)
      tokens.push_back(sample.trigger);
    else if (t == sample.tau + 1)
      tokens.push_back(sample.output);
    else
      tokens.push_back(draw_background(stream, task, sample.trigger));
  }
  sample.example.targets = {{length - 1, sample.output}};
  return sample;
}

}  // namespace popgrad
