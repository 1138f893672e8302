#include "tests/claims/emp_support.hpp"

using namespace popgrad;

TEST_CASE("EMP.K: later, and never within the run, are verified, earlier is refuted, the same is undecided") {
  check_later(emp_k, EmpSetting::few, EmpSetting::full);
}

TEST_CASE("EMP.K: four seeds on each side cannot reach the level, whatever they find") {
  check_too_few_seeds(later_rows(emp_k, EmpSetting::few, EmpSetting::full, 300, 500, 4));
}
