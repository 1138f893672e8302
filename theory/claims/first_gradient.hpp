// Did the run take its first update as its configuration says?
#pragma once
#include "check/row.hpp"
#include "numerics/batch_gradient.hpp"
#include "numerics/run_folder.hpp"

namespace popgrad {

// What the run recorded of update 1 against `again`, the gradient of the same minibatch at theta_0 computed anew: every entry of the
// gradient and of the weights after it, theta_1 = theta_0 - rate (g + decay theta_0) or the first step of AdamW, of everything that moved, the loss and the number of
// loss positions, each equal with no allowance for rounding (sums are ordered, so the same program gives the same bits on any
// number of threads). Controls, which the same comparison must refute: the second minibatch, the reversed and the doubled gradient,
// one entry changed to the next double, a step upwards, another rate, weight decay left out or put in (where theta_0 is not zero), the
// sum over loss positions instead of the mean (where there are several). Undecided without a record, where every map was frozen in
// update 1, and where `program` is not the one that made the run and no difference is larger than rounding.
// It shows that the run did what popgrad computes; judge_gradient_slope that what popgrad computes is the gradient.
Row judge_first_gradient(const RunFolder& run, const FiniteModel& theta0, const SequenceSource& source,
                         const std::optional<FirstGradient>& recorded, const BatchGradient& again, const std::string& program = "");

}  // namespace popgrad
