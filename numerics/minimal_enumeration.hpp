// Every sequence of the minimal task, numbered: sequence i of n can be built alone, so the enumeration splits over threads.
#pragma once
#include <cstdint>
#include <vector>

#include "core/example.hpp"
#include "core/minimal_task.hpp"

namespace popgrad {

// Sequences are counted with their multiplicity: one for each (T', q, o, tau, background tokens).
class MinimalEnumeration {
 public:
  // Throws InputError through validate(), and "N, T" if there are more than `limit` sequences.
  explicit MinimalEnumeration(const MinimalTask& task, std::int64_t limit = 50'000'000);

  std::int64_t size() const { return size_; }
  // Sequence `index`: its tokens and target; `length` = T'. Its probability is numerator / denominator(T') with
  // numerator = output weight of o (1 if uniform).
  void build(std::int64_t index, Example& example, std::int64_t& numerator) const;
  // Number of lengths x N x (sum of output weights) x (T' - 2) x b^(T'-3), b = N or N - 1, as a double and exactly as the
  // product of its factors (each fits; the product may not).
  std::vector<std::int64_t> denominator_factors(int length) const;

 private:
  MinimalTask task_;
  std::int64_t size_ = 0;
  std::vector<std::int64_t> first_;  // index of the first sequence of each length, shortest length first
};

}  // namespace popgrad
