// What can be wrong with the keys of a sweep before any value is looked at.
#pragma once
#include <vector>

#include "app/sweep_file.hpp"

namespace popgrad {

// Error (exit 2, one line) on an unknown key, with the nearest one; a key that popgrad train does not read; a key that
// varies and that a variant or --set sets as well; run.threads, which belongs to the command line; run.seed from --set.
void require_known_keys(const SweepFile& file, const std::vector<Setting>& sets);

}  // namespace popgrad
