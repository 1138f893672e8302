// The dense pass once more in plain loops and in float, right or with one fault: what a bound must let through and what it
// must not.
#pragma once
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "tests/oracle/finite_oracle.hpp"

namespace popgrad::oracle {

enum class Fault {
  none,
  kappa_forgotten,         // in the backward pass of the layer-1 scores
  kappa_forgotten_layer2,  // in that of layer 2
  mask_early_layer1,       // position t does not see itself (t >= 1)
  mask_late_layer1,        // position t sees t + 1
  mask_early_layer2,
  mask_late_layer2,
  mean_added,     // a (c + sum a c) in the layer-1 softmax
  residual_sign,  // -(p - e) at the label alone
  key_path_lost,  // x1 gets no gradient as a key of layer 2
  query_path_lost,
  value_path_lost,
  skip_lost,               // x2 without x1
  key_map_transposed,      // W_K2 read the wrong way round
  position_missing,        // the last loss position is skipped
  position_table_shifted,  // p_{t-1} for p_t in layer 1's values
};
inline constexpr int fault_count = 16;
const char* name(Fault fault);

template <class S>
struct PlainTotals {
  std::array<std::vector<S>, 4> gradient;  // wk1, wk2, wo2, wf; d x d row-major
  S loss = 0;
};

// Adds one sequence. `total` starts with empty gradients.
template <class S>
void add_plain(const FiniteParameters<S>& p, const std::vector<int>& tokens, const std::vector<std::pair<int, int>>& targets,
               Fault fault, PlainTotals<S>& total);

FiniteParameters<float> rounded(const FiniteParameters<double>& p);

}  // namespace popgrad::oracle
