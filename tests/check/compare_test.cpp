#include "check/compare.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {
std::vector<Entry> two(double measured, double budget) {
  return {entry("noise", 0, 0, {0, 0, budget}), entry("signal", 1, measured, {0, 0, budget}, true)};
}
}  // namespace

TEST_CASE("three outcomes: inside, outside, and too wide to tell") {
  CHECK(compare(two(1.01, 0.05), 0.1).verdict == Verdict::verified);
  CHECK(compare(two(1.2, 0.05), 0.1).verdict == Verdict::refuted);
  CHECK(compare(two(1.01, 0.5), 0.1).verdict == Verdict::undecided);
}

TEST_CASE("one wrong entry among many refutes, and is the one shown") {
  std::vector<Entry> entries;
  for (int i = 0; i < 1000; ++i) entries.push_back(entry("entry " + std::to_string(i), 1, 1, {1e-12, 0, 0}, true));
  entries[617].measured += 1e-6;
  entries[617].difference = 1e-6;
  const Comparison c = compare(entries, 0.1);
  CHECK(c.verdict == Verdict::refuted);
  CHECK(c.outside == 1);
  CHECK(c.worst.name == "entry 617");
}

TEST_CASE("the default effect is a tenth of the smallest signal entry") {
  const std::vector<Entry> entries = {entry("a", -0.5, 0, {}, true), entry("b", 2, 0, {}, true), entry("c", 1e-9, 0, {}, false)};
  CHECK(default_effect(entries) == Approx(0.05));
  CHECK(default_effect({entry("a", 0, 0, {}, true)}) == 0);
}

TEST_CASE("comparing nothing is an error, not a success") { CHECK_THROWS_AS(compare({}, 1), HypothesisError); }

TEST_CASE("the headline is the entry with the widest budget: what limits the check") {
  const Comparison c = compare({entry("large", 5, 5, {0, 0, 0.01}, true), entry("wide", 1, 1, {0, 0, 0.05}, true)}, 0.1);
  CHECK(c.headline.name == "wide");
  const Comparison exact = compare({entry("small", 1, 1, {}, true), entry("large", 5, 5, {}, true)}, 0.1);
  CHECK(exact.headline.name == "large");
}
