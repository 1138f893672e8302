// Golden values: every sequence in turn, in a separate program in rationals: the votes of the rows of the second layer in either limit
// for the head, the posterior of the output for the best answer. No formula of end.cpp is used there.
#include "theory/formulas/end.hpp"

#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

MinimalTask task_of(int N, int T, Background background, Query query = Query::last) { return {N, T, background, query, {}}; }

Rational parse(const char* text) { return Rational(std::string(text)); }

}  // namespace

TEST_CASE("end: the perfect head at enumerated sizes, both limits") {
  struct Golden {
    int N, T;
    const char *avoid_first, *avoid_second, *any_second, *any_best;
  };
  const std::vector<Golden> golden = {{2, 4, "7/8", "3/4", "5/8", "7/8"},
                                      {3, 4, "3/4", "2/3", "5/9", "8/9"},
                                      {2, 5, "1", "5/6", "7/12", "19/24"},
                                      {3, 5, "8/9", "7/9", "43/81", "65/81"},
                                      {4, 5, "5/6", "3/4", "17/32", "53/64"},
                                      {3, 6, "89/96", "5/6", "44/81", "121/162"},
                                      {2, 8, "2/3", "11/12", "37/64", "277/384"},
                                      {4, 6, "43/48", "13/16", "281/512", "787/1024"},
                                      {3, 7, "73/80", "13/15", "649/1215", "857/1215"}};
  for (const Golden& g : golden) {
    INFO(g.N << ", " << g.T);
    CHECK(perfect_head_exact(task_of(g.N, g.T, Background::avoid), SharperLayer::first_layer) == parse(g.avoid_first));
    CHECK(perfect_head_exact(task_of(g.N, g.T, Background::avoid), SharperLayer::second_layer) == parse(g.avoid_second));
    CHECK(perfect_head_exact(task_of(g.N, g.T, Background::any), SharperLayer::second_layer) == parse(g.any_second));
    CHECK(best_accuracy(task_of(g.N, g.T, Background::any)) == parse(g.any_best));
    CHECK(best_accuracy(task_of(g.N, g.T, Background::avoid)) == 1);
  }
}

TEST_CASE("end: the printed forms are the exact values, from the length on that they are stated for") {
  for (const int N : {2, 3, 7, 16})
    for (const int T : {4, 5, 6, 9, 24}) {
      const Bindings at = {{"N", N}, {"T", T}};
      INFO(N << ", " << T);
      const auto exact = [&](Background background, SharperLayer layer) { return perfect_head_exact(task_of(N, T, background), layer); };
      CHECK(perfect_head(Background::avoid, SharperLayer::second_layer).evaluate_exact(at) ==
            exact(Background::avoid, SharperLayer::second_layer));
      if (T >= 5)
        CHECK(perfect_head(Background::any, SharperLayer::second_layer).evaluate_exact(at) ==
              exact(Background::any, SharperLayer::second_layer));
      if (T >= 6)
        CHECK(perfect_head(Background::avoid, SharperLayer::first_layer).evaluate_exact(at) ==
              exact(Background::avoid, SharperLayer::first_layer));
      CHECK(exact(Background::avoid, SharperLayer::first_layer) <= 1);  // 1 at (2,5)
      CHECK(one_vote_share().evaluate_exact(at) <= best_accuracy(task_of(N, T, Background::any)));
      CHECK(exact(Background::any, SharperLayer::second_layer) < best_accuracy(task_of(N, T, Background::any)));
    }
}

TEST_CASE("end: long sequences, and the mean over lengths") {
  for (const Background background : {Background::any, Background::avoid}) {
    const auto gap = [&](int T) {
      return T * std::abs(to_double(perfect_head_exact(task_of(5, T, background), SharperLayer::second_layer)) -
                          perfect_head_large_T(background).evaluate({{"N", 5}, {"T", T}}));
    };
    CHECK(gap(400) < 0.05);
    CHECK(gap(800) < 0.6 * gap(400));
    Rational sum = 0;
    for (int T = 4; T <= 7; ++T) sum += perfect_head_exact(task_of(3, T, background), SharperLayer::second_layer);
    CHECK(perfect_head_exact(task_of(3, 7, background, Query::any), SharperLayer::second_layer) == sum / 4);
  }
  CHECK(std::abs(to_double(best_accuracy(task_of(16, 24, Background::any))) - 0.590281928383867) < 1e-14);
}

TEST_CASE("end: the vote of earlier triggers has no short form, weighted labels and long sums are refused") {
  CHECK_THROWS_AS(perfect_head(Background::any, SharperLayer::first_layer), HypothesisError);
  CHECK_THROWS_AS(perfect_head_exact(task_of(4, 6, Background::any), SharperLayer::first_layer), HypothesisError);
  CHECK_THROWS_AS(perfect_head_exact({2, 6, Background::avoid, Query::last, {1, 2}}, SharperLayer::second_layer), HypothesisError);
  CHECK_THROWS_AS(best_accuracy(task_of(4, 1000, Background::any)), InputError);
  CHECK_THROWS_AS(best_accuracy(task_of(4, 3, Background::any)), InputError);
}
