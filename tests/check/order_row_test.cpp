#include "check/order_row.hpp"

#include "check/order_tests.hpp"
#include "core/philox.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

constexpr double level = 0.01;

// Eight seeds: early 10..17, late 50..57.
std::vector<double> times(double first, int n = 8) {
  std::vector<double> list;
  for (int i = 0; i < n; ++i) list.push_back(first + i);
  return list;
}
Order order(double a, double b, bool paired, int n = 8) { return {"a before b", times(a, n), times(b, n), paired}; }

Row judged(const std::vector<Order>& orders) {
  const auto says = [](std::vector<Order> wrong) { return [wrong] { return order_entries(wrong, level); }; };
  Order mixed = order(10, 50, false);
  for (std::size_t i = 0; i < 8; i += 2) std::swap(mixed.smaller[i], mixed.larger[i]);
  const std::vector<Control> controls = {
      {"reversed", "b before a", says({order(50, 10, false)})},
      {"reversed, paired", "b before a", says({order(50, 10, true)})},
      {"one of two", "the second of two is reversed", says({order(10, 50, false), order(50, 10, false)})},
      {"labels mixed", "every second seed has the other label", [mixed] { return found_entries({mixed}, level); }}};
  return judge_orders("C", "", "here", orders, level, controls, "raise verify.work");
}

}  // namespace

TEST_CASE("orders: verified, refuted and undecided, each by the tests and with their power") {
  const Row good = judged({order(10, 50, true), order(10, 50, false)});
  CHECK(good.verdict == Verdict::verified);
  CHECK(good.reason.find("sign test over 8 seeds (p = 0.0039 at best") != std::string::npos);
  CHECK(good.reason.find("rank-sum test, 8 and 8 seeds") != std::string::npos);
  CHECK(good.comparison.headline.budget.total() == level);
  CHECK(good.comparison.headline.measured == Approx(1.0 / 256));
  const Row bad = judged({order(10, 50, false), order(50, 10, false)});
  CHECK(bad.verdict == Verdict::refuted);
  CHECK(bad.comparison.outside == 1);
  CHECK(bad.reason.find("opposite order") != std::string::npos);
  const Row open = judged({order(10, 10, false)});
  CHECK(open.verdict == Verdict::undecided);
  CHECK(open.next == "raise verify.work");
  CHECK(open.reason.find("a before b (28 of 64 pairs of seeds, 8 ties)") != std::string::npos);
}

TEST_CASE("orders: with too few seeds every outcome is undecided, and the seeds needed are named") {
  for (const auto& [a, b] : {std::pair{10, 50}, {50, 10}}) {
    const Row row = judged({order(a, b, true, 5)});
    CHECK(row.verdict == Verdict::undecided);
    CHECK(row.next == "raise verify.work: 7 seeds at least");
    CHECK(row.reason.find("above 0.01") != std::string::npos);
  }
  CHECK(seeds_needed({order(1, 2, true), order(1, 2, true)}, level) == 8);
  CHECK(seeds_needed({order(1, 2, false)}, level) == 5);
}

TEST_CASE("orders: one of several that does not hold leaves the row undecided, not verified") {
  CHECK(judged({order(10, 50, true), order(10, 10, true)}).verdict == Verdict::undecided);
  // Holm: three sign tests over eight seeds, one of them at level / 3 first.
  CHECK(judged({order(10, 50, true), order(10, 50, true), order(10, 50, true)}).verdict == Verdict::undecided);
}

TEST_CASE("under the null a row of two orders is verified or refuted no more often than the level") {
  constexpr int trials = 2000;
  int verified = 0, refuted = 0;
  for (std::uint64_t t = 0; t < trials; ++t) {
    Stream stream(5, Purpose::test, t);
    std::vector<Order> orders(2);
    for (Order& o : orders)
      for (int i = 0; i < 8; ++i) {
        o.smaller.push_back(stream.uniform());
        o.larger.push_back(stream.uniform());
      }
    const Comparison found = compare(order_entries(orders, 0.05), 0.05);
    verified += found.verdict == Verdict::verified ? 1 : 0;
    refuted += found.verdict == Verdict::refuted ? 1 : 0;
  }
  CHECK(verified <= trials * 0.01);  // both orders at once
  CHECK(refuted > trials * 0.02);
  CHECK(refuted <= trials * 0.068);  // Bin(2000, 0.05): mean 100, standard deviation 9.7
}
