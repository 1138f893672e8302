#include "numerics/rational_solve.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

Rational q(int above, int below = 1) { return Rational(above, below); }

}  // namespace

TEST_CASE("a solution in rationals is exact and takes no more equations than needed") {
  // x = 2/3, y = -5/7
  const std::vector<Equation> equations = {
      {{q(1), q(1)}, q(-1, 21)}, {{q(2), q(2)}, q(-2, 21)}, {{q(3), q(7)}, q(-3)}, {{q(1), q(0)}, q(99)}};
  const RationalSolution solution = solve_in_order(equations, 2);
  REQUIRE(solution.kind == RationalSolution::Kind::unique);
  CHECK(solution.values == std::vector<Rational>{q(2, 3), q(-5, 7)});
  CHECK(solution.used == 3);
  CHECK(solution.rank == 2);
}

TEST_CASE("Hilbert's matrix of order 20 is inverted exactly, with numbers beyond one prime") {
  constexpr int n = 20;
  std::vector<Equation> equations;
  for (int i = 0; i < n; ++i) {
    Equation equation;
    Rational right = 0;
    for (int j = 0; j < n; ++j) {
      equation.coefficients.push_back(q(1, i + j + 1));
      right += q(1, i + j + 1) * (Rational("1234567890123456789012345678901234567890") + j) / 7;
    }
    equation.right = right;
    equations.push_back(equation);
  }
  const RationalSolution solution = solve_in_order(equations, n);
  REQUIRE(solution.kind == RationalSolution::Kind::unique);
  for (int j = 0; j < n; ++j)
    CHECK(solution.values[static_cast<std::size_t>(j)] == (Rational("1234567890123456789012345678901234567890") + j) / 7);
}

TEST_CASE("a contradiction and a missing rank are told apart and located") {
  const RationalSolution contradiction =
      solve_in_order({{{q(1), q(2)}, q(3)}, {{q(2), q(4)}, q(6)}, {{q(3), q(6)}, q(8)}}, 2);
  CHECK(contradiction.kind == RationalSolution::Kind::inconsistent);
  CHECK(contradiction.contradiction == 2);
  const RationalSolution missing = solve_in_order({{{q(1), q(2), q(0)}, q(3)}, {{q(2), q(4), q(1)}, q(6)}}, 3);
  CHECK(missing.kind == RationalSolution::Kind::underdetermined);
  CHECK(missing.rank == 2);
  CHECK(missing.free == std::vector<std::size_t>{1});
  CHECK(solve_in_order({}, 1).kind == RationalSolution::Kind::underdetermined);
}

TEST_CASE("equations of another size are refused") {
  CHECK_THROWS_AS(solve_in_order({{{q(1)}, q(1)}}, 2), HypothesisError);
  CHECK_THROWS_AS(solve_in_order({}, 0), HypothesisError);
}
