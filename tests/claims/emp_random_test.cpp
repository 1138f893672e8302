#include "tests/claims/emp_support.hpp"

using namespace popgrad;

TEST_CASE("EMP.random: later, and never within the run, are verified, earlier is refuted, the same is undecided") {
  check_later(emp_random, EmpSetting::full, EmpSetting::random);
}

TEST_CASE("EMP.random: four seeds on each side cannot reach the level, whatever they find") {
  check_too_few_seeds(later_rows(emp_random, EmpSetting::full, EmpSetting::random, 300, 500, 4));
}
