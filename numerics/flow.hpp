// Population gradient descent of the minimal task on the ideal model, from zero, in the space of invariant parameters.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "numerics/flow_roundoff.hpp"
#include "numerics/flow_rule.hpp"
#include "numerics/metrics.hpp"

namespace popgrad {

struct FlowOptions {
  MinimalTask task;
  Blocks blocks = Blocks::full;
  std::string without = "nothing";  // flow_without
  std::int64_t steps = 1000;
  double rate = 0.2;
  std::optional<double> rate_wo2, rate_wk2, rate_wk1;  // of one map; empty: rate
  double momentum = 0;              // v = m v - dL, theta += rate v
  FreezeUntil freeze;               // a map is neither moved nor given momentum before its step; wf is not used
  std::int64_t eval_every = 10;     // updates between evaluations; step 0 and the last are always evaluated

  // InputError naming the key: a bad task, rate, momentum, number of steps; a length or an amount of work that would take hours.
  void validate() const;
};

// About this many orbits of an update are done in a second on one slow core.
inline constexpr double orbits_a_second = 2e5;

// The same bits for any number of threads. An update costs one sum over the orbits of length T: about 4 ms at T = 8, whatever N.
class Flow {
 public:
  explicit Flow(FlowOptions options);  // at zero, after options.validate()
  const FlowOptions& options() const { return options_; }
  std::int64_t step() const { return step_; }
  bool finished() const { return step_ >= options_.steps; }
  bool evaluation_due() const { return step_ % options_.eval_every == 0 || finished(); }
  const InvariantMaps<double>& maps() const { return maps_; }
  bool finite() const;  // no entry overflowed
  void update();
  // Rounding errors that the updates so far committed in an entry, added up. How the flow itself carries them on is not in it.
  const MapRoundoff& roundoff() const { return roundoff_; }
  // Entries that differ by no more than `roundoff` tie, and logits by no more than what it does to them. `accuracy` and `loss` are those of the population; their rows are the kinds of sequences that it consists of. R(...) are the
  // recalls of the maps' memory blocks. `batch` holds the norms of the last gradient of the maps that it moved, and no loss: there
  // are no minibatches. Maps that overflowed have no loss.
  Metrics measure() const;

 private:
  FlowOptions options_;
  FlowRule rule_;
  std::int64_t step_ = 0;
  InvariantMaps<double> maps_, velocity_, descent_;
  MapRoundoff roundoff_;
};

}  // namespace popgrad
