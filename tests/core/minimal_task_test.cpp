#include "core/minimal_task.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

MinimalTask task(int N, int T) {
  MinimalTask t;
  t.N = N;
  t.T = T;
  return t;
}

}  // namespace

TEST_CASE("the smallest minimal task is N = 2, T = 4, below it the wrong parameter is named") {
  CHECK_NOTHROW(task(2, 4).validate());
  CHECK_THROWS_AS(task(1, 4).validate(), InputError);
  CHECK_THROWS_WITH(task(1, 4).validate(), "N: got 1, expected at least 2 tokens");
  CHECK_THROWS_AS(task(2, 3).validate(), InputError);
  CHECK_THROWS_WITH(task(2, 3).validate(),
                    "T: got 3, expected at least 4 positions (trigger, output, one other, second trigger)");
}

TEST_CASE("output weights: N of them, none negative, not all zero") {
  MinimalTask t = task(3, 4);
  t.output_weights = {0, 0, 1};
  CHECK_NOTHROW(t.validate());
  for (const std::vector<int>& bad : {std::vector<int>{1, 1}, {1, 1, 1, 1}, {1, -1, 1}, {0, 0, 0}}) {
    t.output_weights = bad;
    CHECK_THROWS_AS(t.validate(), InputError);
  }
}

TEST_CASE("the shortest sequence is T with query = last and 4 with query = any") {
  MinimalTask t = task(4, 9);
  CHECK(t.shortest() == 9);
  t.query = Query::any;
  CHECK(t.shortest() == 4);
}

TEST_CASE("names of the switches parse to themselves, anything else is refused") {
  for (const auto background : {Background::any, Background::avoid}) CHECK(parse_background(name(background)) == background);
  for (const auto query : {Query::last, Query::any}) CHECK(parse_query(name(query)) == query);
  CHECK_THROWS_AS(parse_background("Any"), InputError);
  CHECK_THROWS_AS(parse_query(""), InputError);
}

TEST_CASE("tasks that differ in any parameter have different descriptions") {
  const MinimalTask base = task(4, 6);
  MinimalTask background = base, query = base, weights = base;
  background.background = Background::any;
  query.query = Query::any;
  weights.output_weights = {1, 2, 3, 4};
  for (const MinimalTask& other : {background, query, weights, task(5, 6), task(4, 7)})
    CHECK(other.describe() != base.describe());
}
