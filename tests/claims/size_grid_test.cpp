#include "theory/claims/size_grid.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

Grid grid_of(const std::string& N, const std::string& T, const std::string& t = "", const std::string& s = "") {
  Grid grid{parse_values("N", N, {}), parse_values("T", T, {"N"}), {}, {}};
  if (!t.empty()) grid.t = parse_values("t", t, {"N", "T"});
  if (!s.empty()) grid.s = parse_values("s", s, {"N", "T", "t"});
  return grid;
}

std::string refusal(const std::string& N, const std::string& T, const std::string& t = "") {
  try {
    sizes_of(grid_of(N, T, t));
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a grid runs over its symbols in order, each size once") {
  const std::vector<Size> sizes = sizes_of(grid_of("3, 2, 3", "5..6", "2..T-3"));
  REQUIRE(sizes.size() == 6);
  CHECK(sizes[0] == Size{2, 5, 2, {}});
  CHECK(sizes[2] == Size{2, 6, 3, {}});
  CHECK(sizes[5].describe() == "N=3 T=6 t=3");
  CHECK(sizes_of(grid_of("4", "6", "3..4", "2..t-1")).size() == 3);
  CHECK(sizes_of(grid_of("4", "2*N")).front().T == 8);
}

TEST_CASE("a range that is empty at some sizes leaves those out") {
  CHECK(sizes_of(grid_of("4", "4..6", "3..T-2")).size() == 3);
}

TEST_CASE("empty, enormous and impossible grids are refused in one line") {
  CHECK(says(refusal("", "6"), "N: got nothing"));
  CHECK(says(refusal("5..4", "6"), "an empty grid (N=5..4 T=6)"));
  CHECK(says(refusal("4", "4..6", "9..T"), "an empty grid"));
  CHECK(says(refusal("1", "6"), "with 1, expected values in 2..1000000"));
  CHECK(says(refusal("4", "3..6"), "with 3, expected values in 4..512"));
  CHECK(says(refusal("4", "6", "1..T+1"), "values in 1..6"));
  CHECK(says(refusal("2..1000000", "4..512"), "more than 100000 sizes"));
  CHECK(says(refusal("2..10^60", "6"), "expected whole numbers"));
  CHECK(says(refusal("7/2", "6"), "with the end 7/2, expected whole numbers"));
  CHECK(says(refusal("2,,3", "6"), "'2,,3'"));
  CHECK(says(refusal("2..", "6"), "empty text"));
  CHECK(says(refusal("a..b", "6"), "unknown symbol 'a'"));
  CHECK(says(refusal("4", "6", "1/(T-6)..3"), "ends that have a value"));
}
