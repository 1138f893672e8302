#include "tests/claims/emp_support.hpp"

using namespace popgrad;

namespace {

std::vector<Row> rows_of(double key_while_frozen, double accuracy_after) {
  const EmpSizes sizes = emp_sizes();
  MadeUp free, frozen;
  const auto release = static_cast<double>(sizes.release);
  frozen.wo2 = release + 40;
  frozen.wk2 = key_while_frozen;
  frozen.wk1 = release + 80;
  frozen.accuracy = accuracy_after;
  return emp_gate(sizes, {{EmpSetting::head, made_up_seeds(free, sizes.head_steps)}, {EmpSetting::frozen, made_up_seeds(frozen, sizes.frozen_steps)}});
}

}  // namespace

TEST_CASE("EMP.gate: verified where nothing rises before the release and all does after it") {
  const auto release = static_cast<double>(emp_sizes().release);
  check_verified(rows_of(release + 60, release + 80));
}

TEST_CASE("EMP.gate: a key map that learns while W_O2 is frozen, and an accuracy that never rises, are not verified") {
  const auto release = static_cast<double>(emp_sizes().release);
  CHECK(row_of(rows_of(50, release + 80), "frozen").verdict != Verdict::verified);
  CHECK(row_of(rows_of(release + 60, never), "released").verdict == Verdict::refuted);
  CHECK(row_of(rows_of(release + 60, never), "frozen").verdict == Verdict::undecided);  // cannot be told from a release at the end
}
