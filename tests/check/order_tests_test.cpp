#include "check/order_tests.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <functional>

#include "check/rank_sums.hpp"
#include "core/errors.hpp"
#include "core/philox.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

using Values = std::vector<double>;

// `shares` of `trials` is what Bin(trials, p) gives, at a two-sided level of 1e-4.
bool fits(int count, int trials, double p) {
  using boost::math::cdf;
  const boost::math::binomial law(trials, p);
  return cdf(law, count) > 5e-5 && (count == 0 || cdf(complement(law, count - 1)) > 5e-5);
}

// Values of a seed; `rounded` makes ties, `hazard` an earlier law: exponential times, -log(1 - u)/hazard.
Values draw(std::uint64_t trial, std::uint64_t side, int n, double hazard = 1, bool rounded = false) {
  Stream stream(3, Purpose::test, trial, side);
  Values values;
  for (int i = 0; i < n; ++i) {
    const double x = -std::log1p(-stream.uniform()) / hazard;
    values.push_back(rounded ? std::floor(4 * x) : x);
  }
  return values;
}

constexpr int trials = 4000;

int rejected(const std::function<double(std::uint64_t)>& p, double level) {
  int count = 0;
  for (std::uint64_t trial = 0; trial < trials; ++trial) count += p(trial) <= level ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("sign test: binomial tails, ties count against both orders") {
  const OrderTest all = sign_test({1, 2, 3, 4, 5}, {2, 3, 4, 5, never});
  CHECK(all.p == Approx(1.0 / 32));
  CHECK(all.p_opposite == 1);
  CHECK(all.superiority == 1);
  const OrderTest tie = sign_test({1, 2, never, 4}, {2, 3, never, 5});
  CHECK(tie.ties == 1);
  CHECK(tie.p == Approx(5.0 / 16));  // P(Bin(4, 1/2) >= 3)
  CHECK(tie.p_opposite == 1);
  CHECK(sign_test({2, 3}, {1, 2}).p_opposite == Approx(0.25));
  CHECK_THROWS_AS(sign_test({1}, {1, 2}), HypothesisError);
  CHECK_THROWS_AS(sign_test({}, {}), HypothesisError);
  CHECK_THROWS_AS(sign_test({NAN}, {1}), HypothesisError);
}

TEST_CASE("rank-sum test: full separation is one choice of all, both orders swap, the never-reached tie") {
  CHECK(rank_sum_test({1, 2, 3}, {4, 5, 6}).p == Approx(1.0 / 20));
  CHECK(rank_sum_test({1, 2, 3, 4, 5}, {6, 7, 8, 9, never}).p == Approx(1.0 / 252));
  CHECK(rank_sum_test({4, 5, 6}, {1, 2, 3}).p_opposite == Approx(1.0 / 20));
  CHECK(rank_sum_test({4, 5, 6}, {1, 2, 3}).p == Approx(1));
  // All tied: nothing is known.
  CHECK(rank_sum_test({never, never}, {never, never}).p == Approx(1));
  CHECK(rank_sum_test({never, never}, {never, never}).superiority == 0.5);
  // {1, 2} and {2, 3}: of the six choices two have a rank sum of 3.5, none less.
  CHECK(rank_sum_test({1, 2}, {2, 3}).p == Approx(2.0 / 6));
  CHECK_THROWS_AS(rank_sum_test({}, {1}), HypothesisError);
  CHECK_THROWS_AS(rank_sum_test({1}, {NAN}), HypothesisError);
}

TEST_CASE("under the null the sign test and the rank-sum test reject at the chance they state, not more and not less") {
  for (const double level : {0.05, 0.005}) {
    const int sign = rejected([](std::uint64_t t) { return sign_test(draw(t, 0, 8), draw(t, 1, 8)).p; }, level);
    CHECK(fits(sign, trials, sign_test_power(8, level).size));
    const int sum = rejected([](std::uint64_t t) { return rank_sum_test(draw(t, 0, 8), draw(t, 1, 8)).p; }, level);
    CHECK(fits(sum, trials, rank_sum_power(8, 8, level).size));
    CHECK(sign_test_power(8, level).size <= level);
    CHECK(rank_sum_power(8, 8, level).size <= level);
    // With ties at most the level.
    const int tied = rejected([](std::uint64_t t) { return rank_sum_test(draw(t, 0, 8, 1, true), draw(t, 1, 8, 1, true)).p; }, level);
    CHECK((tied < level * trials || fits(tied, trials, level)));
  }
}

TEST_CASE("poisoned tests are seen: every seed counted twice, the smaller of both orders, two tries without Holm") {
  const double level = 0.05;
  const auto twice = [](Values v) {
    const Values copy = v;
    v.insert(v.end(), copy.begin(), copy.end());
    return v;
  };
  const int doubled = rejected([&](std::uint64_t t) { return rank_sum_test(twice(draw(t, 0, 8)), twice(draw(t, 1, 8))).p; }, level);
  CHECK_FALSE(fits(doubled, trials, rank_sum_power(16, 16, level).size));
  CHECK(doubled > 1.5 * level * trials);
  const int either = rejected(
      [](std::uint64_t t) {
        const OrderTest test = rank_sum_test(draw(t, 0, 8), draw(t, 1, 8));
        return std::min(test.p, test.p_opposite);
      },
      level);
  CHECK(either > 1.5 * level * trials);
  const auto tests = [](std::uint64_t t) {
    return Values{rank_sum_test(draw(t, 0, 8), draw(t, 1, 8)).p, rank_sum_test(draw(t, 2, 8), draw(t, 3, 8)).p};
  };
  const int best = rejected([&](std::uint64_t t) { return std::min(tests(t)[0], tests(t)[1]); }, level);
  CHECK(best > 1.5 * level * trials);
  const int corrected = rejected([&](std::uint64_t t) { const Values p = holm(tests(t)); return std::min(p[0], p[1]); }, level);
  CHECK(corrected < 1.1 * level * trials);
}

TEST_CASE("power: what is stated is what simulations find, and the detectable order is found four times in five") {
  const double level = 0.01;
  for (const double theta : {0.8, 0.95}) {
    const double hazard = theta / (1 - theta);
    const int sum = rejected([&](std::uint64_t t) { return rank_sum_test(draw(t, 0, 6, hazard), draw(t, 1, 9)).p; }, level);
    CHECK(fits(sum, trials, rank_sum_power_at(6, 9, level, theta)));
    const int sign = rejected([&](std::uint64_t t) { return sign_test(draw(t, 0, 9, hazard), draw(t, 1, 9)).p; }, level);
    CHECK(fits(sign, trials, sign_test_power_at(9, level, theta)));
  }
  CHECK(rank_sum_power_at(6, 9, level, 0.5) == Approx(rank_sum_power(6, 9, level).size));
  CHECK(rank_sum_power_at(8, 8, level, rank_sum_power(8, 8, level).detectable) == Approx(0.8).epsilon(1e-3));
  CHECK(sign_test_power_at(8, level, sign_test_power(8, level).detectable) == Approx(0.8).epsilon(1e-3));
}

TEST_CASE("a test that cannot reject at its level says so before any run") {
  CHECK(sign_test_power(5, 0.01).smallest_p == Approx(1.0 / 32));
  CHECK(sign_test_power(5, 0.01).size == 0);
  CHECK(sign_test_power(5, 0.01).detectable == 1);
  CHECK(rank_sum_power(3, 3, 0.01).size == 0);
  CHECK(rank_sum_power(5, 5, 0.01).smallest_p == Approx(1.0 / 252));
  CHECK(fewest_pairs(0.01) == 7);
  CHECK(fewest_pairs(0.5) == 1);
  CHECK(fewest_pairs(1e-6) == 20);
  CHECK(fewest_on_each_side(0.01) == 5);
  CHECK(fewest_on_each_side(1e-6) == 12);  // C(24, 12) = 2,704,156, C(22, 11) = 705,432
  CHECK_THROWS_AS(fewest_pairs(0), HypothesisError);
  CHECK_THROWS_AS(rank_sum_power_at(5, 5, 0.01, 1), HypothesisError);
}

TEST_CASE("the rank-sum law is that of all choices counted one by one, with ties too") {
  const Values first = {1, 4, 4}, second = {2, 4, 7, never};
  const std::vector<int> ranks = twice_mid_ranks(first, second);
  CHECK(ranks == std::vector<int>{2, 8, 8, 4, 8, 12, 14});
  const RankSums law(ranks, 3);
  for (int sum = 0; sum <= 40; ++sum) {
    int below = 0, choices = 0;
    for (unsigned set = 0; set < 128; ++set) {
      if (__builtin_popcount(set) != 3) continue;
      int s = 0;
      for (unsigned i = 0; i < 7; ++i) s += set >> i & 1U ? ranks[i] : 0;
      ++choices;
      below += s <= sum ? 1 : 0;
    }
    CHECK(law.at_most(sum) == Approx(static_cast<double>(below) / choices).margin(1e-14));
    CHECK(law.at_least(sum + 1) == Approx(1 - static_cast<double>(below) / choices).margin(1e-14));
  }
  CHECK_THROWS_AS(RankSums(ranks, 7), HypothesisError);
  CHECK_THROWS_AS(RankSums(ranks, 0), HypothesisError);
}

TEST_CASE("Holm: adjusted p values of a worked example, monotone and at most 1") {
  const Values adjusted = holm({0.01, 0.04, 0.03, 0.005});
  CHECK(adjusted[3] == Approx(0.02));
  CHECK(adjusted[0] == Approx(0.03));
  CHECK(adjusted[2] == Approx(0.06));
  CHECK(adjusted[1] == Approx(0.06));
  CHECK(holm({0.9, 0.8}) == Values{1, 1});
  CHECK(holm({}).empty());
}
