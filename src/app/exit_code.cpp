#include "app/exit_code.hpp"

#include <algorithm>

namespace popgrad {

ExitCode exit_code(const std::vector<Row>& rows, bool changed) {
  const auto any = [&](Verdict verdict) {
    return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.verdict == verdict; });
  };
  if (any(Verdict::refuted)) return ExitCode::refuted;
  if (changed) return ExitCode::changed;
  if (any(Verdict::undecided) || !any(Verdict::verified)) return ExitCode::undecided;
  return ExitCode::ok;
}

}  // namespace popgrad
