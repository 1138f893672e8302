#include "check/order_row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "check/order_tests.hpp"

namespace popgrad {
namespace {

OrderTest test_of(const Order& order) {
  return order.paired ? sign_test(order.smaller, order.larger) : rank_sum_test(order.smaller, order.larger);
}

std::string named(const Order& order, const OrderTest& test) {
  return fmt::format("{} ({} of {} {}{})", order.name, test.smaller, test.comparisons, order.paired ? "seeds" : "pairs of seeds",
                     test.ties > 0 ? fmt::format(", {} ties", test.ties) : "");
}

double strictest(const std::vector<Order>& orders, double level) { return level / static_cast<double>(orders.size()); }

struct Tests {
  std::vector<OrderTest> tests;
  std::vector<double> p, opposite;  // adjusted
  explicit Tests(const std::vector<Order>& orders) {
    for (const Order& order : orders) {
      tests.push_back(test_of(order));
      p.push_back(tests.back().p);
      opposite.push_back(tests.back().p_opposite);
    }
    p = holm(p);
    opposite = holm(opposite);
  }
};

// Holm may give a test that cannot reach the strictest step a wider one, if others came out; which is not known beforehand.
bool can_decide(const std::vector<Order>& orders, double level) {
  return std::ranges::all_of(orders, [&](const Order& order) {
    const auto seeds = static_cast<int>(std::min(order.smaller.size(), order.larger.size()));
    return seeds >= (order.paired ? fewest_pairs(level) : fewest_on_each_side(level));
  });
}

}  // namespace

std::vector<Entry> order_entries(const std::vector<Order>& orders, double level) {
  const Tests found(orders);
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    Entry e = entry(named(orders[i], found.tests[i]), 0, found.p[i], {0, 0, level}, true);
    if (found.p[i] > level && found.opposite[i] > level) e.budget.sampling = 1;
    entries.push_back(std::move(e));
  }
  return entries;
}

std::vector<Entry> found_entries(const std::vector<Order>& orders, double level) {
  std::vector<Entry> entries = order_entries(orders, level);
  for (Entry& e : entries) e.budget.sampling = level;
  return entries;
}

std::string power_text(const std::vector<Order>& orders, double level) {
  std::set<std::tuple<bool, std::size_t, std::size_t>> kinds;
  for (const Order& order : orders) kinds.insert({order.paired, order.smaller.size(), order.larger.size()});
  std::string text;
  for (const auto& [paired, first, second] : kinds) {
    const double at = strictest(orders, level);
    const auto n = static_cast<int>(first), m = static_cast<int>(second);
    const TestPower power = paired ? sign_test_power(n, at) : rank_sum_power(n, m, at);
    text += text.empty() ? "" : "; ";
    text += paired ? fmt::format("sign test over {} seeds", n) : fmt::format("rank-sum test, {} and {} seeds", n, m);
    text += fmt::format(" (p = {:.2g} at best, ", power.smallest_p);
    text += power.detectable < 1 ? fmt::format("finds an order of probability {:.3f} with power 0.8)", power.detectable)
                                 : fmt::format("above {:.2g}, so only at a later step of Holm if at all)", at);
  }
  return text;
}

int seeds_needed(const std::vector<Order>& orders, double level) {
  const double at = strictest(orders, level);
  int most = 0;
  for (const Order& order : orders) most = std::max(most, order.paired ? fewest_pairs(at) : fewest_on_each_side(at));
  return most;
}

Row judge_orders(std::string claim, std::string part, std::string configuration, const std::vector<Order>& orders, double level,
                 const std::vector<Control>& controls, const std::string& more) {
  Row row = judge(std::move(claim), std::move(part), std::move(configuration), Grade::sampled, order_entries(orders, level), level, controls);
  const std::string tests = fmt::format("level {:g} over {} order{} (Holm): {}", level, orders.size(), orders.size() == 1 ? "" : "s",
                                        power_text(orders, level));
  const Tests found(orders);
  if (row.verdict == Verdict::verified) {
    row.reason = fmt::format("every order found, adjusted p at most {:.2g}, {} negative controls refuted; {}", *std::ranges::max_element(found.p),
                             row.controls.size(), tests);
  } else if (row.verdict == Verdict::refuted) {
    row.reason = fmt::format("the opposite order found: {}, adjusted p {:.2g}; {}", row.comparison.worst.name,
                             *std::ranges::min_element(found.opposite), tests);
    row.next = "look at the times over seeds; the statement is false at this configuration";
  } else if (row.comparison.verdict == Verdict::undecided) {
    std::string open;
    for (std::size_t i = 0; i < orders.size(); ++i)
      if (found.p[i] > level)
        open += fmt::format("{}{}, adjusted p {:.2g}", open.empty() ? "" : "; ", named(orders[i], found.tests[i]), found.p[i]);
    row.reason = fmt::format("neither order found: {}; {}", open, tests);
    row.next = can_decide(orders, level) ? more : fmt::format("{}: {} seeds at least", more, seeds_needed(orders, level));
  } else {
    row.reason += "; " + tests;
    row.next = more;
  }
  return row;
}

}  // namespace popgrad
