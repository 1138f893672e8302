#include "tests/claims/emp_support.hpp"

using namespace popgrad;

TEST_CASE("EMP.rare: later, and never within the run, are verified, earlier is refuted, the same is undecided") {
  check_later(emp_rare, EmpSetting::full, EmpSetting::rare);
}

TEST_CASE("EMP.rare: four seeds on each side cannot reach the level, whatever they find") {
  check_too_few_seeds(later_rows(emp_rare, EmpSetting::full, EmpSetting::rare, 300, 500, 4));
}
