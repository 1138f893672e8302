#include "tests/claims/emp_support.hpp"

using namespace popgrad;

namespace {

std::vector<Row> rows_of(const MadeUp& uniform, const MadeUp& bigram) {
  const EmpSizes sizes = emp_sizes();
  return emp_outputs(sizes, {{EmpSetting::full, made_up_seeds(uniform, sizes.full_steps)}, {EmpSetting::bigram, made_up_seeds(bigram, sizes.full_steps)}});
}
MadeUp ends(double uniform, double bigram) {
  MadeUp times;
  times.final_uniform = uniform;
  times.final_bigram = bigram;
  return times;
}

}  // namespace

TEST_CASE("EMP.outputs: verified where uniform outputs generalize better, refuted the other way, undecided without a difference") {
  check_verified(rows_of(ends(0.9, 0.8), ends(0.4, 0.9)));
  CHECK(rows_of(ends(0.4, 0.9), ends(0.9, 0.8))[0].verdict == Verdict::refuted);
  CHECK(rows_of(ends(0.9, 0.8), ends(0.9, 0.8))[0].verdict != Verdict::verified);
  // The accuracy alone is not the claim: as much must not be lost.
  CHECK(rows_of(ends(0.9, 0.1), ends(0.4, 0.9))[0].verdict != Verdict::verified);
}
