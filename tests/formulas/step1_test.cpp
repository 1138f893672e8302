// Golden values: exact enumeration of all sequences of the minimal task in rational arithmetic, in a separate program.
#include "theory/formulas/step1.hpp"

#include <algorithm>
#include <vector>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("step 1, (U,E) and (U,R): enumerated values at (3,5) and (4,6), the same for both backgrounds") {
  struct Golden {
    int N, T;
    Rational ue_diag, ue_off, ur_diag, ur_off;
  };
  const std::vector<Golden> golden = {{3, 5, Rational(2, 45), Rational(-1, 45), Rational(151, 4050), Rational(-151, 8100)},
                                      {4, 6, Rational(1, 32), Rational(-1, 96), Rational(203, 7680), Rational(-203, 23040)}};
  for (const auto& g : golden) {
    const Bindings at = {{"N", g.N}, {"T", g.T}};
    CHECK(step1_ue_diag().evaluate_exact(at) == g.ue_diag);
    CHECK(step1_ue_off().evaluate_exact(at) == g.ue_off);
    CHECK(step1_ur_diag().evaluate_exact(at) == g.ur_diag);
    CHECK(step1_ur_off().evaluate_exact(at) == g.ur_off);
    CHECK(step1_position().evaluate_exact(at) == 0);
  }
}

TEST_CASE("h_T is the mean over the output's position of sum_{t >= s} 1/t") {
  for (int T = 4; T <= 30; ++T) {
    Rational total = 0;
    for (int s = 2; s <= T - 1; ++s)
      for (int t = s; t <= T; ++t) total += Rational(1, t);
    CHECK(step1_h().evaluate_exact({{"T", T}}) == total / (T - 2));
  }
  // poisoned: attention that does not look at the last position, so that t stops at T - 1
  Rational short_sum = 0;
  for (int s = 2; s <= 5; ++s)
    for (int t = s; t <= 5; ++t) short_sum += Rational(1, t);
  CHECK(step1_h().evaluate_exact({{"T", 6}}) != short_sum / 4);
}

TEST_CASE("step 1, rows add up to zero over outputs") {
  const Bindings at = {{"N", 65}, {"T", 256}};
  CHECK(step1_ue_diag().evaluate_exact(at) + 64 * step1_ue_off().evaluate_exact(at) == 0);
  CHECK(step1_ur_diag().evaluate_exact(at) + 64 * step1_ur_off().evaluate_exact(at) == 0);
}

TEST_CASE("step 1 with labels (1/6, 2/6, 3/6): enumerated values at (3,5), the same for both backgrounds") {
  const std::vector<std::vector<Rational>> ue = {{Rational(-1, 45), Rational(-1, 15), Rational(-7, 90)},
                                                 {Rational(-1, 90), Rational(2, 45), Rational(-1, 30)},
                                                 {Rational(1, 30), Rational(1, 45), Rational(1, 9)}};
  const std::vector<std::vector<Rational>> ur = {{Rational(-149, 5400), Rational(-1051, 16200), Rational(-601, 8100)},
                                                 {Rational(-151, 16200), Rational(151, 4050), Rational(-151, 5400)},
                                                 {Rational(299, 8100), Rational(149, 5400), Rational(331, 3240)}};
  const std::vector<Rational> us = {Rational(137, 1800), Rational(77, 1800), Rational(47, 1800), Rational(3, 200),
                                    Rational(1, 150)};
  for (int k = 0; k < 3; ++k) {
    Bindings at = {{"N", 3}, {"T", 5}, {"p_k", Rational(k + 1, 6)}};
    for (int j = 0; j < 3; ++j) {
      at.insert_or_assign("p_j", Rational(j + 1, 6));
      at.insert_or_assign("delta_kj", k == j ? 1 : 0);
      CHECK(step1_ue_labels().evaluate_exact(at) == ue[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)]);
      CHECK(step1_ur_labels().evaluate_exact(at) == ur[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)]);
    }
    CHECK(step1_up_labels().evaluate_exact(at) == Rational(k - 1, 30));
    for (int s = 1; s <= 5; ++s) {
      at.insert_or_assign("s", s);
      CHECK(step1_us_labels().evaluate_exact(at) == (k - 1) * us[static_cast<std::size_t>(s - 1)]);
    }
  }
}

TEST_CASE("step 1 with uniform labels is the special case of the formulas for labels p") {
  for (const int delta : {0, 1}) {
    const Bindings at = {{"N", 7}, {"T", 9}, {"p_k", Rational(1, 7)}, {"p_j", Rational(1, 7)}, {"delta_kj", delta},
                         {"s", 3}};
    CHECK(step1_ue_labels().evaluate_exact(at) == (delta == 1 ? step1_ue_diag() : step1_ue_off()).evaluate_exact(at));
    CHECK(step1_ur_labels().evaluate_exact(at) == (delta == 1 ? step1_ur_diag() : step1_ur_off()).evaluate_exact(at));
    CHECK(step1_up_labels().evaluate_exact(at) == 0);
    CHECK(step1_us_labels().evaluate_exact(at) == 0);
  }
}

TEST_CASE("step 1, query = any: enumerated mixture over T' in {4,5,6} at N = 3") {
  const Bindings at = {{"N", 3}};
  CHECK(step1_any(step1_ue_diag(), 6, at) == Rational(37, 810));
  CHECK(step1_any(step1_ue_off(), 6, at) == Rational(-37, 1620));
  CHECK(step1_any(step1_ur_diag(), 6, at) == Rational(1241, 32400));
  CHECK(step1_any(step1_ur_off(), 6, at) == Rational(-1241, 64800));
  CHECK(step1_any(step1_ue_diag(), 4, at) == step1_ue_diag().evaluate_exact({{"N", 3}, {"T", 4}}));
  CHECK(step1_any(step1_ue_diag(), 6, at) != step1_ue_diag().evaluate_exact({{"N", 3}, {"T", 5}}));  // not the mean length
}

TEST_CASE("step 1, query = any with labels: late positions occur in long sequences only") {
  const Bindings at = {{"N", 3}, {"p_k", Rational(1, 2)}};
  const std::vector<Rational> up = {Rational(37, 1080), Rational(37, 1080), Rational(37, 1080),
                                    Rational(37, 1080), Rational(11, 540),  Rational(1, 108)};
  const std::vector<Rational> us = {Rational(1663, 21600), Rational(923, 21600), Rational(553, 21600),
                                    Rational(919, 64800),  Rational(91, 16200),  Rational(1, 648)};
  for (int s = 1; s <= 6; ++s) {
    Bindings here = at;
    here.insert_or_assign("s", s);
    CHECK(step1_any(step1_up_labels(), 6, here, std::max(4, s)) == up[static_cast<std::size_t>(s - 1)]);
    CHECK(step1_any(step1_us_labels(), 6, here, std::max(4, s)) == us[static_cast<std::size_t>(s - 1)]);
  }
}

TEST_CASE("step 1, query = any refuses T below 4") {
  CHECK_THROWS_AS(step1_any(step1_ue_diag(), 3, {{"N", 3}}), HypothesisError);
  CHECK_THROWS_AS(step1_any(step1_ue_diag(), 6, {{"N", 3}}, 3), HypothesisError);
}
