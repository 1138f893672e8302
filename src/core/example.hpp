// One training or evaluation sequence: tokens, and the positions at which the next token is predicted.
#pragma once
#include <vector>

namespace popgrad {

struct Target {
  int position = 0;  // 0-based: the logits at this position predict ...
  int token = 0;     // ... this token
};

struct Example {
  std::vector<int> tokens;      // 1..T of them
  std::vector<Target> targets;  // may be empty: a sequence without a loss position
};

}  // namespace popgrad
