// The strata of a Monte Carlo estimate over the minimal task: place of the first trigger, and whether the output is the
// trigger.
#pragma once
#include <cstdint>
#include <vector>

#include "core/minimal_task.hpp"
#include "core/philox.hpp"
#include "numerics/orbits.hpp"

namespace popgrad {

// A part of one stratum: `count` samples with numbers first, first + 1, ..; probability = that of the stratum times its
// share of the stratum's samples. Parts are estimated each for itself and added, so their number never depends on the number
// of threads.
struct SamplePart {
  int first_cell = 0, cells = 0;  // of SampleStrata, neighbours
  enum class Output { trigger, other, free } output = Output::free;
  double probability = 0;
  std::int64_t first = 0, count = 0;
};

class SampleStrata {
 public:
  // Places (length, tau), 0-based tau, in groups of neighbours when there are more than samples/16 of them, each group with
  // o = q and o != q apart; samples in proportion to probability, at least two in each, so a few more than asked for.
  // stratified = false: one stratum, the naive estimator. `strata_of` > 0: the groups of a run of that many samples. HypothesisError unless samples >= 2 and labels are uniform.
  SampleStrata(const MinimalTask& task, std::int64_t samples, bool stratified, std::int64_t strata_of = 0);
  const std::vector<SamplePart>& parts() const { return parts_; }
  std::int64_t samples() const { return samples_; }

  // One draw of the task given the stratum, its tokens relabelled by first appearance. `stream`: that of the sample. Working
  // memory of one thread: `labels`, resized to N when empty.
  void draw(const SamplePart& part, Stream& stream, std::vector<int>& labels, Orbit& sequence) const;

 private:
  struct Cell {
    int length = 0, tau = 0;
    double probability = 0;
  };
  MinimalTask task_;
  std::vector<Cell> cells_;
  std::vector<SamplePart> parts_;
  std::int64_t samples_ = 0;
};

}  // namespace popgrad
