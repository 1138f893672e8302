// Golden values: brute force over every sequence in rational arithmetic, in a separate program: the loss value with
// softmaxes, expanded in nilpotent alpha, beta and a unit change of one entry of W_K1, not a formula for the gradient.
#include "theory/formulas/step3.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

constexpr Background backgrounds[] = {Background::any, Background::avoid};
constexpr Step3Row rows[] = {Step3Row::two, Step3Row::middle, Step3Row::before_last, Step3Row::last};

Rational parse(const char* text) { return Rational(std::string(text)); }

// Rows 2..T of (P,P), 1-based.
struct Golden {
  MinimalTask task;
  std::vector<std::vector<const char*>> rows;
};

void check(const Golden& golden) {
  for (int t = 0; t < golden.task.T; ++t)
    for (int s = 0; s < golden.task.T; ++s) {
      INFO(golden.task.describe() << " row " << t + 1 << " column " << s + 1);
      const auto row = static_cast<std::size_t>(t - 1);
      const Rational expected = t == 0 || s > t ? Rational(0) : parse(golden.rows[row][static_cast<std::size_t>(s)]);
      CHECK(step3_entry_exact(golden.task, t, s) == expected);
    }
}

}  // namespace

TEST_CASE("step 3, (P,P): enumerated values, both backgrounds, boundary row included") {
  const std::vector<Golden> golden = {
      {{2, 4, Background::any, Query::last, {}},
       {{"3/256", "-3/256"}, {"-1/1152", "5/1152", "-1/288"}, {"-1/512", "1/512", "1/256", "-1/256"}}},
      {{2, 4, Background::avoid, Query::last, {}},
       {{"3/256", "-3/256"}, {"-1/192", "0", "1/192"}, {"-1/512", "1/512", "3/512", "-3/512"}}},
      {{3, 5, Background::any, Query::last, {}},
       {{"2/225", "-2/225"},
        {"-4/2025", "4/675", "-8/2025"},
        {"-1/900", "-7/2700", "13/2700", "-1/900"},
        {"-14/16875", "16/16875", "16/16875", "4/1875", "-2/625"}}},
      {{3, 5, Background::avoid, Query::last, {}},
       {{"2/225", "-2/225"},
        {"-1/225", "4/675", "-1/675"},
        {"-1/450", "-1/180", "1/180", "1/450"},
        {"-4/5625", "2/1875", "2/1875", "16/5625", "-8/1875"}}},
      {{4, 6, Background::any, Query::last, {}},
       {{"5/768", "-5/768"},
        {"-7/3456", "17/3456", "-5/1728"},
        {"-1/1024", "-5/3072", "13/3072", "-5/3072"},
        {"-13/19200", "-23/19200", "-23/19200", "67/19200", "-1/2400"},
        {"-5/13824", "7/13824", "7/13824", "7/13824", "1/864", "-1/432"}}},
      {{4, 6, Background::avoid, Query::last, {}},
       {{"5/768", "-5/768"},
        {"-1/288", "1/192", "-1/576"},
        {"-5/3072", "-3/1024", "5/1024", "-1/3072"},
        {"-1/960", "-1/480", "-1/480", "1/240", "1/960"},
        {"-1/3456", "1/1728", "1/1728", "1/1728", "5/3456", "-5/1728"}}},
      {{3, 7, Background::any, Query::last, {}},
       {{"8/2205", "-8/2205"},
        {"-4/3969", "52/19845", "-32/19845"},
        {"-1/2205", "-2/2205", "1/441", "-2/2205"},
        {"-4/18375", "-32/55125", "-32/55125", "12/6125", "-32/55125"},
        {"-1/6615", "-1/2205", "-1/2205", "-1/2205", "11/6615", "-1/6615"},
        {"-38/108045", "32/108045", "32/108045", "32/108045", "32/108045", "4/7203", "-10/7203"}}},
      {{3, 7, Background::avoid, Query::last, {}},
       {{"1/294", "-1/294"},
        {"-1/441", "2/735", "-1/2205"},
        {"-1/980", "-1/490", "2/735", "1/2940"},
        {"-3/6125", "-8/6125", "-8/6125", "46/18375", "11/18375"},
        {"-2/6615", "-13/13230", "-13/13230", "-13/13230", "29/13230", "1/945"},
        {"-2/5145", "2/5145", "2/5145", "2/5145", "2/5145", "4/5145", "-2/1029"}}},
      {{5, 6, Background::any, Query::last, {}},
       {{"13/1800", "-13/1800"},
        {"-1/405", "23/4050", "-13/4050"},
        {"-1/800", "-13/7200", "7/1440", "-13/7200"},
        {"-1/1125", "-1/750", "-1/750", "1/250", "-1/2250"},
        {"-1/4050", "1/2025", "1/2025", "1/2025", "1/810", "-1/405"}}},
      {{5, 6, Background::avoid, Query::last, {}},
       {{"7/960", "-7/960"},
        {"-1/270", "13/2160", "-1/432"},
        {"-7/3840", "-11/3840", "7/1280", "-1/1280"},
        {"-11/9000", "-37/18000", "-37/18000", "83/18000", "13/18000"},
        {"-1/6480", "7/12960", "7/12960", "7/12960", "19/12960", "-19/6480"}}},
  };
  for (const auto& g : golden) check(g);
}

TEST_CASE("step 3, query = any: enumerated mixture over lengths 4, 5 and 6 at N = 3") {
  const std::vector<Golden> golden = {
      {{3, 6, Background::any, Query::any, {}},
       {{"2051/194400", "-2051/194400"},
        {"-1163/437400", "691/109350", "-1601/437400"},
        {"-37/32400", "-143/194400", "431/97200", "-497/194400"},
        {"-1/2500", "-2/151875", "-2/151875", "491/303750", "-241/202500"},
        {"-1/5832", "1/5832", "1/5832", "1/5832", "1/2916", "-1/1458"}}},
      {{3, 6, Background::avoid, Query::any, {}},
       {{"931/86400", "-931/86400"},
        {"-34/6075", "1159/194400", "-71/194400"},
        {"-139/86400", "-7/2880", "23/4320", "-37/28800"},
        {"-49/101250", "-287/810000", "-287/810000", "1693/810000", "-727/810000"},
        {"-1/5832", "5/23328", "5/23328", "5/23328", "11/23328", "-11/11664"}}},
  };
  for (const auto& g : golden) check(g);
}

TEST_CASE("step 3, the figures of (4,6) without a trigger in the background") {
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  CHECK(step3_entry_exact(task, 1, 0) == Rational(5, 768));
  CHECK(step3_entry_exact(task, 1, 1) == Rational(-5, 768));
  CHECK(step3_entry_exact(task, 2, 0) == Rational(-1, 288));
  CHECK(step3_entry_exact(task, 2, 1) == Rational(1, 192));
  CHECK(step3_entry_exact(task, 2, 2) == Rational(-1, 576));
}

TEST_CASE("step 3, rows add up to zero over keys, and margins and signal are differences of entries") {
  for (const Background background : backgrounds)
    for (const auto& [N, T] : {std::pair{2, 4}, {3, 4}, {2, 5}, {4, 9}, {65, 12}}) {
      const MinimalTask task{N, T, background, Query::last, {}};
      for (int t = 1; t < T; ++t) {
        INFO(task.describe() << " row " << t + 1);
        Rational sum = 0, mean = 0;
        const Rational right = step3_entry_exact(task, t, t - 1);
        Rational other = step3_entry_exact(task, t, t);
        for (int s = 0; s < T; ++s) {
          const Rational value = step3_entry_exact(task, t, s);
          sum += value;
          if (s < t - 1) other = std::max(other, value);
          if (s >= 1 && s <= t - 2) mean += value / (t - 2);
        }
        CHECK(sum == 0);
        CHECK(step3_row_margin(N, T, background, t) == right - other);
        if (t >= 3 && t <= T - 2)
          CHECK(step3_signal(background).evaluate_exact({{"N", N}, {"T", T}, {"t", t + 1}}) == right - mean);
      }
    }
}

TEST_CASE("step 3, the boundary row T prefers T-1 too, by less") {
  for (const Background background : backgrounds)
    for (int N = 2; N <= 12; ++N)
      for (int T = 4; T <= 12; ++T) {
        CHECK(step3_row_margin(N, T, background, T - 1) ==
              step3_margin(background, Step3Row::last, Step3Key::inner).evaluate_exact({{"N", N}, {"T", T}}));
        CHECK(step3_row_margin(N, T, background, T - 1) > 0);
        CHECK(step3_row_margin(N, T, background, T - 1) < step3_row_margin(N, T, background, 1));
      }
}

TEST_CASE("step 3, the large-T margins: what is left out falls like 1/T") {
  // Over T -> 4T a relative remainder O(1/T) falls by 4, a wrong leading term by nothing: 2 tells them apart. Row 5.
  const auto remainder = [](Background background, Step3Row row, int N, int T, double factor) {
    const int t = row == Step3Row::two ? 2 : row == Step3Row::middle ? 5 : row == Step3Row::before_last ? T - 1 : T;
    const double exact = to_double(step3_row_margin(N, T, background, t - 1));
    const double leading = step3_margin_large_T(background, row).evaluate({{"N", N}, {"T", T}, {"t", t}});
    return std::abs(exact / (factor * leading) - 1);
  };
  for (const Background background : backgrounds)
    for (const Step3Row row : rows)
      for (const int N : {3, 5, 64}) {
        INFO(name(background) << " row kind " << static_cast<int>(row) << " N=" << N);
        for (const int T : {256, 1024, 4096}) {
          CHECK(remainder(background, row, N, 4 * T, 1) < remainder(background, row, N, T, 1) / 2);
          CHECK_FALSE(remainder(background, row, N, 4 * T, 1.1) < remainder(background, row, N, T, 1.1) / 2);
        }
      }
}

TEST_CASE("step 3, the large-N margins: what is left out falls like 1/N^2 or is nothing") {
  // Over N -> 4N it falls by 16 up to higher orders, with a wrong second term by 4: 8 tells them apart.
  for (const Background background : backgrounds)
    for (const Step3Row row : rows)
      for (const int T : {8, 40}) {
        const int t = row == Step3Row::two ? 2 : row == Step3Row::middle ? 5 : row == Step3Row::before_last ? T - 1 : T;
        const auto remainder = [&](int N, const Rational& poison) {
          const Rational expanded = step3_margin_large_N(background, row).evaluate_exact({{"N", N}, {"T", T}, {"t", t}});
          return Rational(abs(Rational(expanded * (1 + poison / N) / step3_row_margin(N, T, background, t - 1) - 1)));
        };
        INFO(name(background) << " row kind " << static_cast<int>(row) << " T=" << T);
        CHECK((remainder(4000, 0) == 0 || remainder(4000, 0) < remainder(1000, 0) / 8));
        CHECK_FALSE(remainder(40000, 1) < remainder(10000, 1) / 8);
      }
}

TEST_CASE("step 3, the sets of N, T <= 40 in which some row does not recall its predecessor") {
  CHECK(step3_failures(Background::any, 40, 40).empty());
  std::vector<std::pair<int, int>> two;
  for (int T = 4; T <= 40; ++T) two.emplace_back(2, T);
  CHECK(step3_failures(Background::avoid, 40, 40) == two);
  for (int N = 2; N <= 12; ++N)
    for (int T = 4; T <= 12; ++T)
      for (const Background background : backgrounds)
        CHECK(step3_failing_rows(N, T, background).empty() == !step3_fails(N, T, background));
}

TEST_CASE("step 3, N = 2 without a trigger in the background: rows 3..T-2 tie with P_t, row T-1 loses to it") {
  for (int T = 4; T <= 10; ++T) {
    std::vector<int> failing;
    for (int t = 2; t <= T - 2; ++t) failing.push_back(t);
    CHECK(step3_failing_rows(2, T, Background::avoid) == failing);
    const MinimalTask task{2, T, Background::avoid, Query::last, {}};
    for (const int t : failing) {
      if (t < T - 2)
        CHECK(step3_entry_exact(task, t, t) == step3_entry_exact(task, t, t - 1));
      else
        CHECK(step3_entry_exact(task, t, t) > step3_entry_exact(task, t, t - 1));
    }
  }
}

TEST_CASE("step 3, query = any: without a trigger in the background N = 2 fails in row 3 alone") {
  for (const Background background : backgrounds)
    for (const int N : {2, 3, 7})
      for (const int T : {4, 7, 12})
        for (int t = 1; t <= T - 2; ++t) {
          const MinimalTask task{N, T, background, Query::any, {}};
          bool recalled = true;
          for (int s = 0; s <= t; ++s)
            if (s != t - 1) recalled = recalled && step3_entry_exact(task, t, s) < step3_entry_exact(task, t, t - 1);
          INFO(task.describe() << " row " << t + 1);
          CHECK(recalled == !(background == Background::avoid && N == 2 && t == 2));
        }
}

TEST_CASE("step 3 refuses what it does not describe") {
  const MinimalTask task{4, 6, Background::avoid, Query::last, {}};
  CHECK_THROWS_AS(step3_entry_exact(task, 6, 0), HypothesisError);
  CHECK_THROWS_AS(step3_entry_exact(task, 0, -1), HypothesisError);
  CHECK_THROWS_AS(step3_entry_exact({4, 6, Background::avoid, Query::last, {1, 2, 3, 4}}, 1, 0), HypothesisError);
  CHECK_THROWS_AS(step3_entry_exact({1, 6, Background::avoid, Query::last, {}}, 1, 0), InputError);
  CHECK_THROWS_AS(step3_entry(Background::any, Step3Row::two, Step3Key::first), HypothesisError);
  CHECK_THROWS_AS(step3_margin(Background::any, Step3Row::middle, Step3Key::previous), HypothesisError);
  CHECK_THROWS_AS(step3_row_margin(4, 6, Background::any, 0), HypothesisError);
  CHECK_THROWS_AS(step3_fails(1, 6, Background::any), HypothesisError);
}

TEST_CASE("step 3, the map over sizes is the smallest margin of all rows, each in its own units") {
  for (const Background background : backgrounds)
    for (const SizeValue& cell : step3_map(background, 6, 11)) {
      Rational smallest = 2;
      for (int t = 2; t <= cell.T - 1; ++t)
        smallest = std::min(smallest, Rational(t * cell.T * (cell.T - 2) * step3_row_margin(cell.N, cell.T, background, t - 1)));
      INFO(name(background) << " N=" << cell.N << " T=" << cell.T);
      CHECK(cell.value == smallest);
    }
}
