// How a run went, read from its metrics: when each probe rose, where it ended, whether it diverged.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "numerics/metrics.hpp"

namespace popgrad {

// "Rises": the first of three consecutive evaluations with a value above (1 + chance)/2, half of the way from chance to 1.
// An evaluation at which nothing was probed interrupts a sequence of three. Nothing if that never happens.
struct Evaluated {
  std::int64_t step = 0;
  double value = 0, chance = 0;
  bool empty = false;
};
std::optional<std::int64_t> rise(const std::vector<Evaluated>& evaluations);

// The text of summary.json from the text of metrics.jsonl: {"steps": last step, "rise": {probe: step or null}, "final": the
// last line}. InputError(argument, ...) naming the line that is not a line of metrics; also on an empty text.
std::string summarize(const std::string& argument, const std::string& metrics);

// The last evaluation in the text of metrics.jsonl, without its minibatch; a loss that is not finite is NaN. An
// unfinished last line (a run still going, or killed) is left out. InputError as above.
Metrics final_metrics(const std::string& argument, const std::string& metrics);

// log N nats is the loss of the uniform prediction over N tokens: no model needs more. A run diverged if its last held-out
// loss is not finite or above 10 log N; the value is the first evaluation from which on that is so. InputError as above.
std::optional<std::int64_t> diverged(const std::string& argument, const std::string& metrics, int N);

}  // namespace popgrad
