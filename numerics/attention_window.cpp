#include "numerics/attention_window.hpp"

#include <set>
#include <string>
#include <utility>

#include "core/errors.hpp"

namespace popgrad {

Attention attention_of(const FiniteModel& model, const std::vector<int>& tokens) {
  // The second layer is computed at targets: every position is one, and what should follow does not matter.
  Example example{tokens, {}};
  for (std::size_t t = 0; t < tokens.size(); ++t) example.targets.push_back({static_cast<int>(t), 0});
  FiniteTrace trace = forward(model, example);
  return {std::move(trace.attention1), std::move(trace.attention2)};
}

std::vector<CopyPlace> copy_places(const std::vector<int>& tokens, const std::vector<Target>& heads) {
  std::vector<CopyPlace> places;
  for (const Target& head : heads) {
    require(0 <= head.position && head.position < static_cast<int>(tokens.size()), "copy_places", "heads",
            "positions of the sequence", std::to_string(head.position));
    for (int s = 0; s < head.position; ++s)
      if (tokens[static_cast<std::size_t>(s)] == tokens[static_cast<std::size_t>(head.position)])
        places.push_back({head.position, s + 1});
  }
  return places;
}

Sequence shown_sequence(const SequenceSource& source, int length) {
  require(length >= 1, "shown_sequence", "length", "at least 1", std::to_string(length));
  constexpr std::uint64_t looked_at = 64;
  std::pair<bool, std::size_t> most;  // without a cycle, repeated triggers
  Sequence best;
  for (std::uint64_t i = 0; i < looked_at; ++i) {
    Sequence sequence = source.draw(Purpose::evaluation, i);
    std::erase_if(sequence.heads, [&](const Target& head) { return head.position >= length; });
    std::set<int> repeated;
    for (const Target& head : sequence.heads)
      repeated.insert(sequence.example.tokens[static_cast<std::size_t>(head.position)]);
    const std::pair value(!sequence.cycle, repeated.size());
    if (i > 0 && value <= most) continue;
    most = value;
    best = std::move(sequence);
  }
  std::vector<int>& tokens = best.example.tokens;
  if (tokens.size() > static_cast<std::size_t>(length)) tokens.resize(static_cast<std::size_t>(length));
  best.example.targets = best.heads;
  return best;
}

}  // namespace popgrad
