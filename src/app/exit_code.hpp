// From the verdicts of a run to the exit code of verify.
#pragma once
#include <vector>

#include "check/row.hpp"
#include "core/errors.hpp"

namespace popgrad {

// The first that holds: some row refuted 1; differs from the baseline 4; some row undecided 3; nothing but "not applicable",
// or no row at all, 3; otherwise 0.
ExitCode exit_code(const std::vector<Row>& rows, bool changed);

}  // namespace popgrad
