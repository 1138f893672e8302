#include "theory/claims/conjecture.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "theory/formulas/parse.hpp"

using namespace popgrad;

namespace {

Conjecture made(const std::string& quantity, Relation relation, const std::string& formula, const std::string& N,
                const std::string& T, const StageSwitches& switches = {}, const std::string& t = "",
                const std::string& variable = "T") {
  Grid grid{parse_values("N", N, {}), parse_values("T", T, {"N"}), {}, {}};
  if (!t.empty()) grid.t = parse_values("t", t, {"N", "T"});
  Conjecture conjecture{"test",
                        "conjecture 'test'",
                        QuantityMeter("quantity", parse_quantity("quantity", quantity), switches, "", {}),
                        relation,
                        parse_formula("formula", formula, {size_symbols(), true}),
                        variable,
                        grid,
                        sizes_of(grid)};
  require_answerable(conjecture);
  return conjecture;
}

ConjectureAnswer answer(Conjecture conjecture) {
  return judge_conjecture(conjecture, [](const std::string&) {});
}

const ControlOutcome& control(const Row& row, const std::string& name) {
  for (const ControlOutcome& outcome : row.controls)
    if (outcome.name == name) return outcome;
  throw std::runtime_error("no control " + name);
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

constexpr StageSwitches any_ideal{Handoff::ideal, Blocks::full, Background::any, Query::last};
const std::string remapped = "(T - H(T-1) - 2/T)/((T-2)*N*T)";

}  // namespace

TEST_CASE("a true equality is verified on its grid, size by size, and all its controls are refuted") {
  const ConjectureAnswer found = answer(made("stage1.wo2.UR.signal", Relation::equals, remapped, "2..4", "4..8"));
  CHECK(found.row.verdict == Verdict::verified);
  CHECK(found.row.grade == Grade::exact);
  CHECK(found.sizes.size() == 15);
  for (const SizeAnswer& at : found.sizes) CHECK(at.holds);
  CHECK(found.row.controls.size() == 8);  // sign, three factors, two for each of N and T
  CHECK(says(found.row.reason, "all 15 sizes of the grid"));
}

TEST_CASE("a wrong equality is refuted with its first counterexample") {
  // Right at T = 4 by chance of the constant: 2 is not T - 2.
  const ConjectureAnswer found =
      answer(made("stage1.wo2.UR.signal", Relation::equals, "(T - H(T-1) - 2/T)/(2*N*T)", "3", "4..6"));
  CHECK(found.row.verdict == Verdict::refuted);
  CHECK(found.sizes[0].holds);
  CHECK_FALSE(found.sizes[1].holds);
  CHECK(says(found.row.reason, "fails at 2 of 3 sizes; first counterexample: N=3 T=5"));
  CHECK(found.row.comparison.worst.name == "N=3 T=5");
}

TEST_CASE("a grid with one value of a symbol cannot tell the symbol from the number, and the row is undecided") {
  const ConjectureAnswer one_N = answer(made("stage1.wo2.UR.signal", Relation::equals, remapped, "4", "4..8"));
  CHECK(one_N.row.verdict == Verdict::undecided);
  CHECK(says(one_N.row.reason, "'N = 4'"));
  // Without N in the formula there is nothing to tell.
  const ConjectureAnswer number =
      answer(made("stage1.wo2.UR.signal", Relation::equals, "(T - H(T-1) - 2/T)/((T-2)*4*T)", "4", "4..8"));
  CHECK(number.row.verdict == Verdict::verified);
  const ConjectureAnswer single = answer(made("stage2.wk2.ER.diag", Relation::equals, "25/9216", "4", "6"));
  CHECK(single.row.verdict == Verdict::verified);
  CHECK(single.row.controls.size() == 4);
}

TEST_CASE("an equality with zero has controls that are not zero") {
  const ConjectureAnswer found = answer(made("stage1.wo2.UP[1]", Relation::equals, "0", "2..4", "4..6"));
  CHECK(found.row.verdict == Verdict::verified);
  CHECK(found.row.controls.size() == 4);
  CHECK(answer(made("stage1.wo2.UE.diag", Relation::equals, "0", "2..4", "4..6")).row.verdict == Verdict::refuted);
}

TEST_CASE("an inequality is refuted at the known sizes where the second step fails") {
  const ConjectureAnswer found = answer(made("stage2.wk2.ER.diag", Relation::above, "0", "2..20", "5..8", any_ideal));
  CHECK(found.row.verdict == Verdict::refuted);
  std::vector<std::string> failing;
  for (const SizeAnswer& at : found.sizes)
    if (!at.holds) failing.push_back(at.size.describe());
  // docs/theory.md: T = 5 up to N = 5, T = 6 and 7 at N = 2.
  CHECK(failing == std::vector<std::string>{"N=2 T=5", "N=2 T=6", "N=2 T=7", "N=3 T=5", "N=4 T=5", "N=5 T=5"});
  CHECK(says(found.row.reason, "stage2.wk2.ER.diag = -47/18000, not > 0"));
  CHECK(says(found.row.comparison.worst.name, "N=2 T=5"));
}

TEST_CASE("a true inequality is verified, and a tie is not strictly above") {
  CHECK(answer(made("stage2.wk2.ER.diag", Relation::above, "0", "6..12", "5..12", any_ideal)).row.verdict ==
        Verdict::verified);
  CHECK(answer(made("stage2.wk2.ER.diag", Relation::below, "1/(N*T)", "2..6", "4..9", any_ideal)).row.verdict ==
        Verdict::verified);
  // avoid, N = 2, T = 4: diag = 0.
  CHECK(answer(made("stage2.wk2.ER.diag", Relation::above, "0", "2", "4")).row.verdict == Verdict::refuted);
  CHECK(answer(made("stage2.wk2.ER.diag", Relation::at_least, "0", "2", "4..6")).row.verdict == Verdict::verified);
  CHECK(answer(made("stage2.wk2.ER.diag", Relation::at_most, "0", "2", "4")).row.verdict ==
        Verdict::undecided);  // nothing but a tie at 0
  // On the bound everywhere: the smallest margin of background avoid.
  const ConjectureAnswer bound =
      answer(made("stage3.wk1.PP.margin[t]", Relation::at_least, "(1 - 2/N)/(t*T*(T-2))", "3..5", "6..8", {}, "3..T-2"));
  CHECK(bound.row.verdict == Verdict::verified);
}

TEST_CASE("an order of growth is verified with its logarithm, and refuted without it or with another power") {
  const std::string lengths = "16,24,32,48,64,96,128";
  const auto grows = [&](const std::string& formula, const std::string& T = "16,32,64,96,128,192,256") {
    return answer(made("stage2.wk2.ER.signal", Relation::grows_like, formula, "4", T, any_ideal)).row;
  };
  const std::string stated = "((1 - 1/N)*(H(T-1) - 1) - 1)/T^2";
  const Row right = grows(stated);
  CHECK(right.verdict == Verdict::verified);
  CHECK(right.controls.size() == 10);
  CHECK(control(right, "times H(x)").refuted());
  CHECK(control(right, "times (H(x) + 10)").refuted());
  CHECK(control(right, "over (H(x) + 10)").refuted());
  // Shorter sequences leave a budget in which such a logarithm hides.
  const Row shorter = grows(stated, lengths);
  CHECK(shorter.verdict == Verdict::undecided);
  CHECK_FALSE(control(shorter, "over (H(x) + 10)").refuted());
  CHECK(control(right, "times x^(1/4)").refuted());
  CHECK(grows("1/T^2").verdict == Verdict::refuted);
  CHECK(grows("H(T-1)/T").verdict == Verdict::refuted);
  CHECK(grows("((1 - 1/N)*(H(T-1) - 1) - 1)^2/T^2").verdict == Verdict::refuted);
  // Exactly a power: nothing is left over but rounding.
  CHECK(answer(made("stage1.wo2.UE.diag", Relation::grows_like, "5/T", "4", lengths)).row.verdict == Verdict::verified);
  CHECK(
      answer(made("stage1.wo2.UE.signal", Relation::grows_like, "1/N", "4,8,16,32,64,128", "6", {}, "", "N")).row.verdict ==
      Verdict::verified);
}

TEST_CASE("a logarithm beside a large constant is not seen, and a verified row says so") {
  const auto grows = [](const std::string& formula) {
    return answer(made("stage1.wo2.UR.signal", Relation::grows_like, formula, "2,5", "16,32,64,96,128,192,256")).row;
  };
  CHECK(grows("(H(T) + 10)/T").verdict == Verdict::refuted);
  const Row hidden = grows("(H(T) + 100)/T");
  CHECK(hidden.verdict == Verdict::verified);
  CHECK(says(hidden.reason, "a logarithm beside a large constant, H(T) + 100, would not be seen"));
}

TEST_CASE("a verified inequality says how far its bound is, because its controls do not") {
  const Row empty = answer(made("stage2.wk2.ER.diag", Relation::above, "-1000", "6..9", "5..9", any_ideal)).row;
  CHECK(empty.verdict == Verdict::verified);
  for (const ControlOutcome& outcome : empty.controls) CHECK(outcome.name.starts_with("negation: "));
  const Row near = answer(made("stage2.wk2.ER.diag", Relation::above, "0", "6", "5", any_ideal)).row;
  CHECK(says(near.reason, "closest to its bound at N=6 T=5: the quantity is 1/10800, the slack 1/10800"));
  CHECK(says(empty.reason, "the quantity is 1/10800, the slack 10800001/10800"));
}

TEST_CASE("an order of growth has one entry for each value of the other symbols") {
  const Row row = answer(made("stage1.wo2.UR.signal", Relation::grows_like, "1/(N*T)", "2,5", "16,24,32,64,96,128")).row;
  CHECK(row.comparison.entries == 2);
  CHECK(row.verdict == Verdict::verified);
}

TEST_CASE("a ratio that changes sign has no exponent") {
  const Row row = answer(made("stage2.wk2.ER.diag", Relation::grows_like, "1/T^2", "2", "4,5,6,8,16,24,32", any_ideal)).row;
  CHECK(row.verdict == Verdict::undecided);
  CHECK(says(row.reason, "changes sign"));
}

TEST_CASE("a formula without a value at a size of the grid is refused with the size") {
  try {
    made("stage2.wk2.ER.diag", Relation::equals, "1/(N-4)", "2..6", "5");
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(says(error.what(), "conjecture 'test': got 1/(N - 4) at N=4 T=5, expected a formula with a value there"));
  }
  CHECK_THROWS_AS(made("stage2.wk2.ER.diag", Relation::equals, "H(N/2)", "2..3", "5"), InputError);
  CHECK_THROWS_AS(made("stage2.wk2.ER.diag", Relation::equals, "t", "2..3", "5"), InputError);
  CHECK_THROWS_AS(made("stage2.wk2.ER.diag", Relation::grows_like, "1/T^2", "4", "16,17,18,19,20,21"), InputError);
  CHECK_THROWS_AS(made("stage2.wk2.ER.diag", Relation::equals, "0", "2..1000", "430..512"), InputError);  // hours
}
