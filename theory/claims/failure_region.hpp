// The sizes at which a step fails to form its memory, as a row: a statement about every (N, T) of a grid. Internal to theory/claims.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "check/row.hpp"
#include "core/minimal_task.hpp"

namespace popgrad {

using Region = std::function<bool(int N, int T)>;

struct WrongRegion {
  std::string name, changes;
  Region fails;
};

// Judges `stated` against `measured` at every N = 2..largest_N, T = 4..largest_T with query = last, exactly, and every wrong region by the same
// comparison. At least four wrong regions.
Row judge_region(const std::string& claim, const std::string& part, Background background, int largest_N, int largest_T,
                 const Region& measured, const Region& stated, const std::vector<WrongRegion>& wrong);

}  // namespace popgrad
