// Did the run take its first update with the gradient that its configuration says?
#pragma once
#include "check/row.hpp"
#include "numerics/batch_gradient.hpp"
#include "numerics/run_folder.hpp"

namespace popgrad {

// The gradient that the run recorded in update 1 against `again`, the gradient of the same minibatch at theta_0 computed
// anew: every entry of every map that moved, the loss and the number of loss positions, each equal with no allowance for
// rounding (sums are ordered, so the same program gives the same bits on any number of threads). Controls, which the same
// comparison must refute: the second minibatch, the reversed and the doubled gradient, one entry changed to the next double,
// weight decay included (left out where theta_0 is zero), the sum over loss positions instead of the mean (left out where
// there is one). Undecided without a record, and where every map was frozen in update 1.
Row judge_first_gradient(const RunFolder& run, const FiniteModel& theta0, const SequenceSource& source,
                         const std::optional<FirstGradient>& recorded, const BatchGradient& again);

}  // namespace popgrad
