// Orders over seeds as entries and rows: what a table of verdicts shows of them.
#pragma once
#include <string>
#include <vector>

#include "check/row.hpp"

namespace popgrad {

// A statement that the values of `smaller` are below those of `larger`, one value a seed; times may be `never`.
struct Order {
  std::string name;  // "R(W_O2) rises before R(W_K2)"
  std::vector<double> smaller, larger;
  bool paired = false;  // entry i of both comes from one seed: sign test; otherwise seeds are disjoint: rank-sum test
};

// One entry an order. predicted: 0; measured: the p value of the order, adjusted by Holm over `orders`; budget: the level. So it is inside
// where the order is found at the level, and outside where the opposite order is. Where neither is found the budget is 1, wider than
// the effect, and the entry decides nothing; so it is with every test that cannot reach the level with its seeds.
std::vector<Entry> order_entries(const std::vector<Order>& orders, double level);

// For controls in which there is no order to find: the statement that the test finds it, true or false.
std::vector<Entry> found_entries(const std::vector<Order>& orders, double level);

// "sign test of 8 seeds (p = 0.0039 at best, sees P >= 0.97), ...": what the tests of a row can do at the strictest step of Holm,
// level / number of orders. P is the probability of the order in a seed (or a pair of seeds); seen: found with probability 0.8.
std::string power_text(const std::vector<Order>& orders, double level);

// The fewest seeds with which every test of such a row reaches that step at all.
int seeds_needed(const std::vector<Order>& orders, double level);

// judge() with the effect `level`; the reason states tests, level and power. A row whose tests cannot reach the level is undecided by
// construction, and `next` is `more` with the seeds needed.
Row judge_orders(std::string claim, std::string part, std::string configuration, const std::vector<Order>& orders, double level,
                 const std::vector<Control>& controls, const std::string& more);

}  // namespace popgrad
