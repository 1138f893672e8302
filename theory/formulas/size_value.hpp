// A number for one size of the task: what maps over (N, T) are made of.
#pragma once
#include "core/rational.hpp"

namespace popgrad {

struct SizeValue {
  int N = 0, T = 0;
  Rational value;
};

}  // namespace popgrad
