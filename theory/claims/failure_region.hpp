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

// The grid of sizes, N = 2..largest_N and T = 4..largest_T, and the rest of the task.
struct RegionGrid {
  int largest_N = 40, largest_T = 40;
  Background background = Background::any;
  Query query = Query::last;
};

// Judges `stated` against `measured` at every size of the grid, exactly, and every wrong region by the same comparison. At least four wrong
// regions.
Row judge_region(const std::string& claim, const std::string& part, const RegionGrid& grid, const Region& measured, const Region& stated,
                 const std::vector<WrongRegion>& wrong);

}  // namespace popgrad
