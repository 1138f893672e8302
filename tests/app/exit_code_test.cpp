#include "app/exit_code.hpp"

#include "tests/catch.hpp"
#include "sample_rows.hpp"

using namespace popgrad;

namespace {

const Row verified = exact_row();
const Row refuted = exact_row(Rational(1, 25));
const Row undecided_row = undecided("L1", "", "N=4", "too large", "choose a smaller N");
const Row inapplicable = not_applicable("L1", "", "N=4", "uniform labels");

}  // namespace

TEST_CASE("the sample rows have the verdicts that the exit code is derived from") {
  CHECK(verified.verdict == Verdict::verified);
  CHECK(refuted.verdict == Verdict::refuted);
}

TEST_CASE("all verified is 0, also beside rows that are not applicable") {
  CHECK(exit_code({verified}, false) == ExitCode::ok);
  CHECK(exit_code({verified, inapplicable}, false) == ExitCode::ok);
}

TEST_CASE("a refuted row wins over a changed baseline and over an undecided row") {
  CHECK(exit_code({verified, refuted}, false) == ExitCode::refuted);
  CHECK(exit_code({undecided_row, refuted, inapplicable}, true) == ExitCode::refuted);
}

TEST_CASE("a changed baseline wins over an undecided row") {
  CHECK(exit_code({verified}, true) == ExitCode::changed);
  CHECK(exit_code({undecided_row, verified}, true) == ExitCode::changed);
}

TEST_CASE("an undecided row among verified ones is 3, and so is nothing but rows that are not applicable, or no row") {
  CHECK(exit_code({verified, undecided_row}, false) == ExitCode::undecided);
  CHECK(exit_code({inapplicable, inapplicable}, false) == ExitCode::undecided);
  CHECK(exit_code({}, false) == ExitCode::undecided);
}
