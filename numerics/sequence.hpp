// One sequence of a task, with what decided it.
#pragma once
#include <vector>

#include "core/example.hpp"

namespace popgrad {

struct Sequence {
  Example example;            // targets: the loss positions of the run
  std::vector<Target> heads;  // positions where copying is possible: a trigger seen before in the sequence (bigram task),
                              // the second trigger (minimal task)
  std::vector<int> triggers;  // K, in the order in which they were drawn; one in the minimal task
  std::vector<int> outputs;   // of each trigger
  bool cycle = false;  // the map trigger -> output has a cycle among triggers, which is absorbing; never in the minimal task
};

}  // namespace popgrad
