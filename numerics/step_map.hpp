// Accuracy after each of three steps over a grid of step sizes.
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "numerics/construction.hpp"

namespace popgrad {

struct StepAxes {
  std::vector<double> first, second, third;  // eta1, eta2, eta3 (alpha, beta, gamma of an ideal hand-off), as multiples of `unit`
  StageSizes unit{1, 1, 1};
};

struct StepMap {
  StepAxes axes;
  std::vector<Answer> after_one;    // [i]
  std::vector<Answer> after_two;    // [i][j], row-major
  std::vector<Answer> after_three;  // [i][j][k]

  struct Cell {
    std::size_t i = 0, j = 0, k = 0;
  };
  Cell cell(std::size_t number) const;        // of after_three
  StageSizes sizes(const Cell& cell) const;   // in absolute units
  Cell best() const;                          // largest accuracy after three steps, the first of equals
  std::size_t above(double accuracy) const;   // how many cells of after_three are above it
};

// One gradient for each eta1, one for each pair (eta1, eta2); all cells of a map are judged on the same sequences.
// progress(done, all) after each pair. HypothesisError if an axis is empty.
StepMap map_steps(const Construction& construction, const StepAxes& axes,
                  const std::function<void(std::size_t, std::size_t)>& progress = nullptr);

// from, .., to in `count` equal ratios. HypothesisError unless 0 < from <= to and count >= 1, and from = to if count = 1.
std::vector<double> geometric(double from, double to, int count);

}  // namespace popgrad
