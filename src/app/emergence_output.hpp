// Emergence times for the terminal, as JSON, as TSV and as figures.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "check/power_law.hpp"
#include "numerics/attention_places.hpp"
#include "numerics/emergence.hpp"
#include "reports/figure_series.hpp"

namespace popgrad {

// The times of one line of sizes: N fixed and T growing, or the reverse, at one word of flow.without.
struct EmergenceLine {
  bool over_T = true;
  int fixed = 0;
  std::string without;
  std::vector<const Emergence*> points;  // those that emerged, by increasing size
  std::optional<PowerLaw> law;           // with at least four of them
  int size(const Emergence& point) const { return over_T ? point.request.task.T : point.request.task.N; }
};

// Lines with at least two sizes that emerged. The points stay where they are.
std::vector<EmergenceLine> emergence_lines(const std::vector<Emergence>& all);

// "nothing left out", "without key path", "W_K1 at zero".
std::string without_text(const std::string& word);

// What the maps are where the smallest rate stopped.
struct LearnedAttention {
  AttentionPlaces places;
  // W_K1: contrast of (E,E); and in the rows 3 .. T-1 of (P,P), the mean of the entry of key t-1, and of key t, minus that of the others.
  double equal_tokens = 0, previous = 0, same = 0;
};
// One for each point. HypothesisError of attention_places.
std::vector<LearnedAttention> learned_attention(const std::vector<Emergence>& all);

std::string attention_table(const std::vector<Emergence>& all, const std::vector<LearnedAttention>& learned);
std::string emergence_table(const std::vector<Emergence>& all);
std::string exponent_text(const std::vector<EmergenceLine>& lines);
std::string emergence_json(const std::vector<Emergence>& all, const std::vector<EmergenceLine>& lines,
                           const std::vector<LearnedAttention>& learned, const std::string& program);
std::string emergence_tsv(const std::vector<Emergence>& all);
// One figure over T for each N, and one over N for each T, with all their lines.
std::vector<FigureSeries> emergence_series(const std::vector<EmergenceLine>& lines);

}  // namespace popgrad
