#include "theory/formulas/value_path.hpp"

#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "theory/formulas/gate.hpp"
#include "theory/formulas/onset.hpp"
#include "theory/formulas/step1.hpp"

namespace popgrad {
namespace {

void check(const char* function, const MinimalTask& task, int query_index, int key_index) {
  task.validate();
  require(task.output_weights.empty(), function, "output_weights", "empty: uniform labels", "weights");
  for (const int index : {query_index, key_index})
    require(index >= 0 && index < task.T, function, "index", "in 0.." + std::to_string(task.T - 1), std::to_string(index));
}

// diag - off of (U,R) in the first step.
Rational remapped_contrast(const MinimalTask& task, HarmonicEnd end) {
  const Formula h = step1_h(end);
  Rational sum = 0;
  for (int length = task.shortest(); length <= task.T; ++length) sum += h.evaluate_exact({{"T", length}}) / (task.N * length);
  return sum / (task.T - task.shortest() + 1);
}

}  // namespace

Rational value_path_first(const MinimalTask& task, int query_index, int key_index, HarmonicEnd end) {
  check("value_path_first", task, query_index, key_index);
  const Rational right = gate_value_path_of(task, Block::P, query_index, Block::P, key_index);
  // h_T enters through the contrast of (U,R), a factor of everything.
  if (end == HarmonicEnd::right) return right;
  return right * remapped_contrast(task, end) / remapped_contrast(task, HarmonicEnd::right);
}

Rational value_path_second(const MinimalTask& task, int query_index, int key_index, HarmonicEnd end) {
  check("value_path_second", task, query_index, key_index);
  if (key_index > query_index) return 0;
  const Rational e = onset_ue(task), r = remapped_contrast(task, end);
  const int t = query_index + 1;
  Rational sum = 0;
  for (int length = std::max(task.shortest(), t); length <= task.T; ++length) {
    const auto logit = [&](int s) { return first_logit(task.N, task.background, length, e, r, s); };
    Rational mean = 0;
    for (int j = 1; j <= t; ++j) mean += logit(j) / t;
    sum += r / (task.N * length * t) * (mean - logit(key_index + 1));
  }
  return sum / (task.T - task.shortest() + 1);
}

}  // namespace popgrad
