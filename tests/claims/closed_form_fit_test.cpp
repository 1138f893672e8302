#include "theory/claims/closed_form_fit.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "theory/claims/fit_basis.hpp"
#include "theory/formulas/parse.hpp"
#include "theory/formulas/step2.hpp"

using namespace popgrad;

namespace {

QuantityMeter meter_of(const std::string& quantity, Background background, const StageSwitches& others = {}) {
  StageSwitches switches = others;
  switches.background = background;
  return {"quantity", parse_quantity("quantity", quantity), switches, "", {}};
}

std::vector<Size> grid_of(const std::string& N, const std::string& T, const std::string& t = "") {
  Grid grid{parse_values("N", N, {}), parse_values("T", T, {}), {}, {}};
  if (!t.empty()) grid.t = parse_values("t", t, {"T"});
  return sizes_of(grid);
}

FitBasis basis_of(const std::vector<std::string>& functions, const std::string& denominator = "1") {
  const Grammar grammar{size_symbols(), true};
  FitBasis basis{{}, parse_formula("denominator", denominator, grammar)};
  for (const std::string& f : functions) basis.functions.push_back(parse_formula("basis", f, grammar));
  return basis;
}

Fitted fit(const std::string& quantity, Background background, const std::vector<Size>& sizes, const FitBasis& basis) {
  QuantityMeter meter = meter_of(quantity, background);
  return fit_closed_form("basis", sample(meter, sizes, [](const Size&) {}), basis);
}

using Outcome = Fitted::Outcome;

}  // namespace

TEST_CASE("h_T is found from values of the first step, and what is held out has the largest N and T") {
  const Fitted found =
      fit("stage1.wo2.UR.diag", Background::avoid, grid_of("2..5", "4..12"),
          basis_of({"1", "T", "T^2", "H(T-1)", "T*H(T-1)", "N", "N*T", "N*T^2", "N*H(T-1)", "N*T*H(T-1)"}, "N^2*T^2*(T-2)"));
  REQUIRE(found.outcome == Outcome::found);
  CHECK(found.rank == 10);
  CHECK(found.formula->text() == "(N - 1)*(T^2 - T*H(T - 1) - 2)/(N^2*T^2*(T - 2))");
  CHECK(found.fitted.size() + found.held_out.size() == 36);
  for (const Size& size : found.fitted) {
    CHECK(size.N < 5);
    CHECK(size.T < 12);
  }
}

TEST_CASE("a basis that is too small is not reported as a closed form") {
  const std::vector<Size> sizes = grid_of("2..5", "4..12");
  const Fitted without =
      fit("stage1.wo2.UR.diag", Background::avoid, sizes, basis_of({"1", "T", "T^2", "N", "N*T", "N*T^2"}, "N^2*T^2*(T-2)"));
  CHECK(without.outcome == Outcome::none);
  CHECK_FALSE(without.formula.has_value());
  CHECK(without.contradiction.has_value());
  CHECK(fit("stage2.wk2.ER.diag", Background::avoid, sizes, basis_of({"1", "H(T-1)"}, "N*T*(T-2)")).outcome ==
        Outcome::none);
}

TEST_CASE("as many functions as sizes fit anything, and are reported as undetermined") {
  // A polynomial of degree 5 in T through six values: nothing is left to predict.
  const Fitted exact =
      fit("stage1.wo2.UR.diag", Background::avoid, grid_of("4", "4..9"), basis_of({"1", "T", "T^2", "T^3", "T^4", "T^5"}));
  CHECK(exact.outcome == Outcome::underdetermined);
  CHECK(exact.rank == 6);
  CHECK(exact.held_out.empty());
  // One more size is predicted, wrongly.
  CHECK(fit("stage1.wo2.UR.diag", Background::avoid, grid_of("4", "4..10"), basis_of({"1", "T", "T^2", "T^3", "T^4", "T^5"}))
            .outcome == Outcome::none);
}

TEST_CASE("functions that the sizes cannot tell apart are named") {
  const Fitted one_N = fit("stage1.wo2.UE.diag", Background::avoid, grid_of("4", "4..9"), basis_of({"1/T", "1/(N*T)", "1"}));
  CHECK(one_N.outcome == Outcome::underdetermined);
  CHECK(one_N.rank == 2);
  CHECK(one_N.dependent == std::vector<std::size_t>{1});
}

TEST_CASE("the entries of the third step are found with t as a symbol") {
  const Fitted found = fit(
      "stage3.wk1.PP[t,t-1]", Background::any, grid_of("2..6", "7..13", "3..T-2"),
      basis_of({"1", "N", "N^2", "t", "N*t", "N^2*t", "T", "N*T", "N^2*T", "t*T", "N*t*T", "N^2*t*T"}, "N^2*t^2*T^2*(T-2)"));
  REQUIRE(found.outcome == Outcome::found);
  CHECK(found.formula->evaluate_exact({{"N", 9}, {"T", 20}, {"t", 11}}) ==
        meter_of("stage3.wk1.PP[t,t-1]", Background::any).at({9, 20, 11, {}}));
}

TEST_CASE("a basis that the values suggest finds the second step for both backgrounds") {
  for (const Background background : {Background::any, Background::avoid}) {
    QuantityMeter meter = meter_of("stage2.wk2.ER.diag", background);
    bool found = false;
    for (const ProposedBasis& proposed : propose_bases("basis", meter, {4, 6, {}, {}}, {"N", "T"})) {
      INFO(proposed.description);
      const Fitted fitted =
          fit_closed_form("basis", sample(meter, grid_of("2..6", "4..21"), [](const Size&) {}), proposed.basis);
      if (fitted.outcome != Outcome::found) continue;
      found = true;
      const Formula right = step2_diag(background, Handoff::ideal, Blocks::full);
      for (int N = 2; N <= 9; ++N)
        for (int T = 4; T <= 30; T += 2)
          CHECK(fitted.formula->evaluate_exact({{"N", N}, {"T", T}}) == right.evaluate_exact({{"N", N}, {"T", T}}));
      break;
    }
    CHECK(found);
  }
}

TEST_CASE("a basis without a value at a size is refused with the size") {
  const std::vector<Size> sizes = grid_of("2..5", "4..12");
  CHECK_THROWS_AS(fit("stage1.wo2.UE.diag", Background::avoid, sizes, basis_of({"1/(N-3)"})), InputError);
  CHECK_THROWS_AS(fit("stage1.wo2.UE.diag", Background::avoid, sizes, basis_of({"1"}, "T-5")), InputError);
  CHECK_THROWS_AS(fit("stage1.wo2.UE.diag", Background::avoid, sizes, basis_of({})), InputError);
}
