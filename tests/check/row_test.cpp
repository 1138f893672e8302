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
