// Sequences of the minimal task up to relabelling of tokens: set partitions of the positions.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "core/minimal_task.hpp"

namespace popgrad {

// All sequences whose positions are equal exactly where `token` is: token[s] in 0..classes-1, numbered by first appearance. The first
// trigger may be any earlier position of the last token's class (all its places tau that the background allows): label[c] of
// them have their output in class c, `triggers` in all.
struct Orbit {
  std::vector<int> token;
  int classes = 0;
  std::vector<int> label;
  int triggers = 0;
};

// Fills in `label` and `triggers` from token and classes: every place that the first trigger may have had. False if there is none.
bool find_triggers(Orbit& orbit, Background background);

// The orbits of one length, in parts that can be visited independently: one part a partition of the first few positions.
class Orbits {
 public:
  // Throws HypothesisError unless 4 <= length <= 16. Partitions into more than N classes are left out: no sequence has them.
  Orbits(int N, Background background, int length);
  std::int64_t parts() const { return static_cast<std::int64_t>(prefixes_.size()); }
  void visit(std::int64_t part, const std::function<void(const Orbit&)>& each) const;

 private:
  int N_, length_;
  Background background_;
  std::vector<std::vector<int>> prefixes_;
};

// Upper bounds for the number of orbits of `length`, for refusing what would take too long: the Bell number, and the partitions into at most
// N classes.
double bell_number(int length);
double partition_count(int length, int N);

}  // namespace popgrad
