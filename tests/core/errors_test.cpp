#include "core/errors.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("an input error is one line with argument, value and what was expected, and exits with 2") {
  const InputError error("N", "1", "at least 2 tokens");
  CHECK(std::string(error.what()) == "N: got 1, expected at least 2 tokens");
  CHECK(static_cast<int>(error.code()) == 2);
}

TEST_CASE("an environment error exits with 5") {
  CHECK(static_cast<int>(EnvironmentError("disk full").code()) == 5);
  CHECK(std::string(EnvironmentError("disk full").what()) == "disk full");
}

TEST_CASE("the exit codes are the documented numbers") {
  CHECK(static_cast<int>(ExitCode::ok) == 0);
  CHECK(static_cast<int>(ExitCode::refuted) == 1);
  CHECK(static_cast<int>(ExitCode::usage) == 2);
  CHECK(static_cast<int>(ExitCode::undecided) == 3);
  CHECK(static_cast<int>(ExitCode::changed) == 4);
  CHECK(static_cast<int>(ExitCode::environment) == 5);
}

TEST_CASE("require throws only when the hypothesis fails, and names function, argument, expected and got") {
  CHECK_NOTHROW(require(true, "f", "x", "positive", "1"));
  CHECK_THROWS_AS(require(false, "f", "x", "positive", "-1"), HypothesisError);
  CHECK_THROWS_WITH(require(false, "f", "x", "positive", "-1"), "f: x must be positive, got -1");
  // A failed hypothesis is not a user's mistake: it must not be caught as one.
  CHECK_THROWS_AS(require(false, "f", "x", "positive", "-1"), std::domain_error);
}
