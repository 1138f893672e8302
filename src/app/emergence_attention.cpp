#include <fmt/format.h>

#include "app/emergence_output.hpp"

namespace popgrad {

std::vector<LearnedAttention> learned_attention(const std::vector<Emergence>& all) {
  std::vector<LearnedAttention> learned;
  for (const Emergence& e : all) {
    const InvariantMaps<double>& maps = e.runs.back().maps;
    const int T = maps.T;
    LearnedAttention one;
    one.places = attention_places(e.request.task, maps);
    one.equal_tokens = maps.k1(Block::E, Block::E).contrast();
    const auto at = [&](int t, int s) { return maps.k1(Block::P, Block::P).entries[static_cast<std::size_t>((t - 1) * T + s - 1)]; };
    for (int t = 3; t < T; ++t) {
      double sum = 0;
      for (int s = 1; s <= t; ++s) sum += at(t, s);
      one.previous += (at(t, t - 1) - (sum - at(t, t - 1)) / (t - 1)) / (T - 3);
      one.same += (at(t, t) - (sum - at(t, t)) / (t - 1)) / (T - 3);
    }
    learned.push_back(one);
  }
  return learned;
}

std::string attention_table(const std::vector<Emergence>& all, const std::vector<LearnedAttention>& learned) {
  std::string text =
      "where the smallest rate stopped, population means. Layer 2, last position: attention on places before tau, tau, tau+1, after, T.\n"
      "Layer 1, position tau+1: on tau (uniform: 1/(tau+1)), on tokens equal to the trigger. Accuracy given o = q, o != q. W_K1: (E,E) diag - off;\n"
      "rows 3..T-1 of (P,P), key t-1 and key t against the others of the row\n";
  text += fmt::format("  {:>5} {:>3}  {:<19} {:>6} {:>6} {:>6} {:>6} {:>6}   {:>6} {:>7} {:>6}   {:>6} {:>6}   {:>6} {:>6} {:>6}\n", "N", "T", "left out",
                      "before", "tau", "tau+1", "after", "T", "on tau", "uniform", "equal", "o = q", "o != q", "(E,E)", "t-1", "t");
  for (std::size_t i = 0; i < all.size(); ++i) {
    const EmergenceRequest& request = all[i].request;
    const LearnedAttention& a = learned[i];
    const AttentionPlaces& at = a.places;
    text += fmt::format(
        "  {:>5} {:>3}  {:<19} {:6.3f} {:6.3f} {:6.3f} {:6.3f} {:6.3f}   {:6.3f} {:7.3f} {:6.3f}   {:6.3f} {:6.3f}   {:6.2f} {:6.2f} {:6.2f}\n",
        request.task.N, request.task.T, without_text(request.without), at.before, at.trigger, at.output, at.after, at.last, at.previous,
        at.previous_uniform, at.trigger_share, at.accuracy_same, at.accuracy_other, a.equal_tokens, a.previous, a.same);
  }
  return text;
}

}  // namespace popgrad
