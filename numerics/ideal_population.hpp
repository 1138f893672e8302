// Population gradients of the ideal model on the minimal task, by enumeration of every sequence.
#pragma once
#include "core/minimal_task.hpp"
#include "core/running_error.hpp"
#include "numerics/ideal_model.hpp"

namespace popgrad {

// E[-grad of the cross-entropy at the second trigger] over MinimalEnumeration(task), for the wanted maps; the others stay
// zero. Exact when S is Rational or a series of rationals. Same bits for any number of threads. Both queries (any averages
// over T' ~ U{4..T}) and any output weights. HypothesisError unless maps have the task's N and T; InputError if the task is
// bad or has too many sequences. Compiled for the scalars of numerics/ideal_scalars.hpp.
template <class S>
IdealMaps<S> population_descent(const MinimalTask& task, const IdealMaps<S>& maps, const Wanted& wanted);

// E[cross-entropy], same enumeration and order. The uniform guess has log N.
double population_loss(const MinimalTask& task, const IdealMaps<double>& maps);

// The same maps, every double taken as exact and its rounding errors tracked from here on.
IdealMaps<RunningError> with_running_error(const IdealMaps<double>& maps);

// population_descent in doubles with a bound on the rounding error of each entry: |descent - exact| <= roundoff, where exact
// is the population descent at these very doubles. Every operation, from the scores to the last sum over sequences, carries
// a running error bound (core/running_error.hpp), so cancellation in p_hat - e_y and in the softmax Jacobians is paid for
// where it happens; a bound from the sum of |w_i g_i| alone would miss it. About five times the cost of
// population_descent<double>.
struct EnumeratedDescent {
  IdealMaps<double> descent;   // the bits of population_descent<double>
  IdealMaps<double> roundoff;  // >= 0, entry by entry
};
EnumeratedDescent enumerated_descent(const MinimalTask& task, const IdealMaps<double>& maps, const Wanted& wanted);

}  // namespace popgrad
