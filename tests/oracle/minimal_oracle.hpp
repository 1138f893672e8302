// The law of the minimal task, by going through all token sequences and asking how each could have arisen.
#pragma once
#include <cstdint>
#include <vector>

namespace popgrad::oracle {

struct MinimalLaw {
  int N = 2, T = 4;
  bool avoid = false;               // other tokens uniform on [N] without the trigger
  bool mixed_lengths = false;       // length uniform on {4..T} instead of T
  std::vector<int> output_weights;  // P(o = k) proportional to them; uniform if empty
};

// A sequence with a label; each (tokens, label) of positive probability appears once.
struct WeightedSequence {
  std::vector<int> tokens;
  int label = 0;
  std::int64_t ways = 0;   // number of (q, tau) that give these tokens and this label, times the output weight of the label
  double probability = 0;  // of tokens and label together
};

std::vector<WeightedSequence> enumerate_minimal(const MinimalLaw& law);

}  // namespace popgrad::oracle
