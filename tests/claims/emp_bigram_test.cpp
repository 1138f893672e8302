#include "tests/claims/emp_support.hpp"

using namespace popgrad;

namespace {

std::vector<Row> rows_of(const MadeUp& times, int seeds = 8) {
  const EmpSizes sizes = emp_sizes();
  return emp_bigram(sizes, {{EmpSetting::full, made_up_seeds(times, sizes.full_steps, seeds)}});
}

}  // namespace

TEST_CASE("EMP.bigram: verified where KL falls long before, undecided or refuted where it does not") {
  MadeUp times;
  times.accuracy = 400;
  times.wk2 = 300;
  check_verified(rows_of(times));
  times.accuracy = 50;  // before four times 20
  CHECK(rows_of(times)[0].verdict == Verdict::refuted);
  times.kl = 1e9;  // never falls below half way: its lowest value is its first
  CHECK(rows_of(times)[0].verdict != Verdict::verified);
}

TEST_CASE("EMP.bigram: five seeds decide nothing by a sign test at this level, and the row says how many would") {
  MadeUp times;
  times.accuracy = 400;
  times.wk2 = 300;
  check_too_few_seeds(rows_of(times, 5));
}

TEST_CASE("the update at which KL has fallen half of the way, for three evaluations") {
  RunCurve curve = made_up({}, 100);
  CHECK(fall_times({curve}) == std::vector<double>{20});
  curve.metrics[3].kl->value = 1.8;  // above (2.4 + 1)/2 at update 30
  CHECK(fall_times({curve}) == std::vector<double>{40});
  curve.metrics.resize(2);
  CHECK(fall_times({curve}) == std::vector<double>{never});
}
