// A colour scale for numbers of both signs over several decades.
#pragma once
#include <string>

namespace popgrad {

// Colour by sign(x) log10(1 + |x|/linear): linear within +-linear, logarithmic beyond. Blue below zero, white at zero, vermillion
// above; as deep at -limit as at limit.
struct SignedScale {
  double linear = 1;  // > 0
  double limit = 1;   // the largest |x|, > 0
  // gnuplot commands: the function scaled(x), which goes into every `using`, and palette, range, tics and label of the colour box.
  // HypothesisError unless both are positive and finite.
  std::string commands(const std::string& label) const;
};

}  // namespace popgrad
