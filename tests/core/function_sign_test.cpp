#include "core/function_sign.hpp"

#include "tests/catch.hpp"

using namespace popgrad;

namespace {

Signs signs(const std::vector<Rational>& numerator) { return signs_of(RationalFunction(numerator, 3, 1)); }

}  // namespace

TEST_CASE("the sign of a rational function is known at every N >= 2 at once") {
  CHECK(where(signs({1}), 1) == "every N >= 2");
  CHECK(where(signs({-7}), 1) == "no N");
  CHECK(where(signs({-7}), -1) == "every N >= 2");
  CHECK(where(signs({}), 0) == "every N >= 2");
  CHECK(where(signs({-11, 2}), 1) == "N >= 6");
  CHECK(where(signs({-11, 2}), -1) == "N = 2..5");
  CHECK(where(signs({-10, 2}), 0) == "N = 5");
  CHECK(where(signs({-10, 2}), 1) == "N >= 6");
  CHECK(where(signs({11, -2}), 1) == "N = 2..5");
  CHECK(where(signs({20, -9, 1}), 1) == "N = 2..3 and N >= 6");  // roots 4 and 5
  CHECK(where(signs({20, -9, 1}), 0) == "N = 4..5");
  CHECK(where(signs({20, -9, 1}), -1) == "no N");
  CHECK(where(signs({-1000, 1}), 1) == "N >= 1001");
  CHECK(where(signs({5, -4, 1}), 1) == "every N >= 2");  // complex roots 2 +- i
  CHECK(where(signs({-2, 1}), 0) == "N = 2");
}

TEST_CASE("signs found for all N are those of the values, far out too") {
  const RationalFunction f({Rational(-30), 31, Rational(-21, 2), 1}, 1, 2);
  const Signs all = signs_of(f);
  for (int N = 2; N <= 200; ++N) {
    const Rational value = f.at(Rational(N));
    CHECK(all.at(N) == (value.is_zero() ? 0 : value > 0 ? 1 : -1));
  }
}

TEST_CASE("the least of several signs is positive where all are") {
  const Signs all = least({signs({-11, 2}), signs({-4, 1}), signs({8, -1})});
  CHECK(where(all, 1) == "N = 6..7");
  CHECK(where(all, 0) == "N = 8");
  CHECK(where(all, -1) == "N = 2..5 and N >= 9");
  CHECK(where(least({signs({1})}), 1) == "every N >= 2");
}
