// When each probe rises, read from the metrics of a run.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

}  // namespace popgrad
