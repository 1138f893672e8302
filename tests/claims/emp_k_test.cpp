#include "tests/claims/emp_support.hpp"

using namespace popgrad;

namespace {

std::vector<Row> rows_of(double fast, double slow, int seeds = 8) {
  const EmpSizes sizes = emp_sizes();
  MadeUp first, second;
  first.accuracy = fast;
  second.accuracy = slow;
  return emp_k(sizes, {{EmpSetting::few, made_up_seeds(first, sizes.full_steps, seeds)},
                         {EmpSetting::full, made_up_seeds(second, sizes.full_steps, seeds)}});
}

}  // namespace

TEST_CASE("EMP.K: later, and never within the run, are verified, earlier is refuted, the same is undecided") {
  check_verified(rows_of(300, 500));
  check_verified(rows_of(300, never));
  CHECK(rows_of(500, 300)[0].verdict == Verdict::refuted);
  CHECK(rows_of(300, 300)[0].verdict == Verdict::undecided);
  CHECK(rows_of(never, never)[0].verdict == Verdict::undecided);
  CHECK(rows_of(300, 500)[0].series[0].figure == "figure4");
}

TEST_CASE("EMP.K: four seeds on each side cannot reach the level, whatever they find") { check_no_verdict_with_five_seeds(rows_of(300, 500, 4)); }
