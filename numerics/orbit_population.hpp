// Population gradients of the ideal model at invariant parameters, summed over orbits of sequences: the cost does not depend on N.
#pragma once
#include "core/minimal_task.hpp"
#include "numerics/invariant_maps.hpp"
#include "numerics/paths.hpp"

namespace popgrad {

// E[-grad of the cross-entropy at the second trigger] for the wanted maps, the others zero: what population_descent gives at
// expand(maps), as invariant blocks. Exact when S is Rational or a series of rationals. Same bits for any number of threads.
// HypothesisError unless maps have the task's N and T and labels are uniform; InputError if the task is bad or longer than
// longest_orbits. Compiled for the scalars of numerics/ideal_scalars.hpp. `paths` leaves parts of the gradient out.
template <class S>
InvariantMaps<S> orbit_descent(const MinimalTask& task, const InvariantMaps<S>& maps, const Wanted& wanted = {},
                               const Paths& paths = {});

struct InvariantLoss {
  double loss = 0;      // nats; the uniform guess has log N
  double accuracy = 0;  // a tie counts 1/#tied; the uniform guess has 1/N
  double margin = 0;    // mean of the right logit minus the best other
  std::int64_t rows = 0, ties = 0;  // kinds of sequences (orbit and label), and those whose right token shares the top
};
// Logits that are known up to `roundoff` tie where they differ by no more than twice as much; 0: where they are the same double.
InvariantLoss orbit_loss(const MinimalTask& task, const InvariantMaps<double>& maps, double roundoff = 0);

inline constexpr int longest_orbits = 14;  // 1.9e8 partitions: hours in rationals, minutes in doubles

}  // namespace popgrad
