#include "check/row.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

std::vector<Entry> measured(double value, double budget) { return {entry("signal", 1, value, {0, 0, budget}, true)}; }

std::vector<Control> controls(double weakest) {
  std::vector<Control> list;
  for (const double wrong : {-1.0, 2.0, 0.5}) list.push_back({"factor", "multiplied", [wrong] { return measured(wrong, 0.01); }});
  list.push_back({"weakest", "nearest to the claim", [weakest] { return measured(weakest, 0.01); }});
  return list;
}

}  // namespace

TEST_CASE("verified needs every negative control refuted") {
  const Row good = judge("X", "", "c", Grade::sampled, measured(1.001, 0.01), 0.1, controls(1.1));
  CHECK(good.verdict == Verdict::verified);
  CHECK(good.controls.size() == 4);

  const Row blind = judge("X", "", "c", Grade::sampled, measured(1.001, 0.01), 0.1, controls(1.005));
  CHECK(blind.verdict == Verdict::undecided);
  CHECK(blind.reason.find("weakest") != std::string::npos);
  CHECK_FALSE(blind.next.empty());
}

TEST_CASE("a refuted row names the entry, predicted, measured and budget") {
  const Row row = judge("X", "", "c", Grade::sampled, measured(1.5, 0.01), 0.1, controls(1.1));
  CHECK(row.verdict == Verdict::refuted);
  for (const char* part : {"signal", "predicted 1", "measured 1.5", "budget 0.01"})
    CHECK(row.reason.find(part) != std::string::npos);
}

TEST_CASE("a budget so loose that a mutant of 10 % passes is undecided, with what would decide it") {
  const Row row = judge("X", "", "c", Grade::sampled, measured(1.01, 0.3), 0.1, controls(1.1), "4000 samples would decide");
  CHECK(row.verdict == Verdict::undecided);
  CHECK(row.next == "4000 samples would decide");
}

TEST_CASE("advice to raise verify.work says to what, from the entry that needs most") {
  // Rest 0.02 of an effect of 0.1: the sampling part 0.2 has to shrink to 0.08, so (0.2/0.08)^2 = 6.25 times the work.
  std::vector<Entry> list = {entry("near", 1, 1.01, {0, 0, 0.12}, true), entry("far", 1, 1.01, {0.01, 0.01, 0.2}, true)};
  Row row = judge("X", "", "c", Grade::sampled, list, 0.1, controls(1.1), "raise verify.work");
  CHECK(row.verdict == Verdict::undecided);
  CHECK(row.work_factor == Approx(6.25));
  advise_work(row, 0.5);
  CHECK(row.next == "raise verify.work to roughly 3.5");  // 3.125 and a tenth, rounded up

  // No sampling part can be small enough beside a truncation of 0.1.
  list.push_back(entry("hopeless", 1, 1.01, {0, 0.1, 0.01}, true));
  row = judge("X", "", "c", Grade::sampled, list, 0.1, controls(1.1), "raise verify.work");
  advise_work(row, 0.5);
  CHECK(row.work_factor == 0);
  CHECK(row.next.find("more work alone may not decide it") == 0);
  CHECK(row.next.find("verify.work") == std::string::npos);
}

TEST_CASE("a control that survives for want of samples says how much work refutes it") {
  // The control predicts 1.02 of a measured 1 with a sampling part 0.08: it has to shrink to 0.02.
  std::vector<Control> list = controls(1.1);
  list.push_back({"close", "2 %", [] { return std::vector<Entry>{entry("signal", 1.02, 1, {0, 0, 0.08}, true)}; }});
  Row row = judge("X", "", "c", Grade::sampled, measured(1, 0.08), 0.1, list, "raise verify.work");
  CHECK(row.verdict == Verdict::undecided);
  advise_work(row, 20);
  CHECK(row.next == "raise verify.work to roughly 360");

  list.back() = {"same", "nothing", [] { return std::vector<Entry>{entry("signal", 1, 1, {0, 0, 0.08}, true)}; }};
  row = judge("X", "", "c", Grade::sampled, measured(1, 0.08), 0.1, list, "raise verify.work");
  CHECK(row.next.find("more work alone may not decide it") == 0);
}

TEST_CASE("a claim with fewer than four controls cannot be judged") {
  std::vector<Control> three = controls(1.1);
  three.pop_back();
  CHECK_THROWS_AS(judge("X", "", "c", Grade::exact, measured(1, 0), 0.1, three), HypothesisError);
}

TEST_CASE("not applicable names the hypothesis") {
  const Row row = not_applicable("X", "", "c", "labels are uniform");
  CHECK(row.verdict == Verdict::not_applicable);
  CHECK(row.reason.find("labels are uniform") != std::string::npos);
}

TEST_CASE("a control that predicts NaN cannot count as refuted") {
  std::vector<Control> list = controls(1.1);
  list.push_back({"broken", "0/0", [] { return std::vector<Entry>{entry("signal", std::nan(""), 1, {0, 0, 0.01}, true)}; }});
  CHECK_THROWS_AS(judge("X", "", "c", Grade::sampled, measured(1, 0.01), 0.1, list), HypothesisError);
}

TEST_CASE("a control is judged where its change reaches, and may not be outside the budget elsewhere") {
  const auto two = [](double a, double b) {
    return std::vector<Entry>{entry("first", a, 1, {0, 0, 0.01}, true), entry("second", b, 1, {0, 0, 0.01}, true)};
  };
  const auto judged = [&](const Control& last, double second = 1) {
    std::vector<Control> list = controls(1.1);
    list.push_back(last);
    return judge("X", "", "c", Grade::sampled, two(1, second), 0.1, list);
  };
  const Row right = judged({"here", "one entry", [&] { return two(2, 1); }, named_with({"first"})});
  CHECK(right.verdict == Verdict::verified);
  CHECK(right.controls.back().comparison.entries == 1);
  CHECK(right.controls.back().comparison.worst.name == "first");
  // refuted at another entry only: its own entry does not tell it from the claim
  CHECK_THROWS_AS(judged({"there", "says here", [&] { return two(1, 2); }, named_with({"first"})}), HypothesisError);
  CHECK(judged({"nothing", "no change", [&] { return two(1, 1); }, named_with({"first"})}).verdict == Verdict::undecided);
  CHECK_THROWS_AS(judged({"none", "concerns nothing", [&] { return two(2, 1); }, named_with({"third"})}), HypothesisError);
  // where the claim itself fails elsewhere, the control is not to blame
  CHECK(judged({"here", "one entry", [&] { return two(2, 9); }, named_with({"first"})}, 5).verdict == Verdict::refuted);
}
