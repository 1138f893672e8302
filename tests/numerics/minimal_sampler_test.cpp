#include "numerics/minimal_sampler.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/chi_square.hpp"

using namespace popgrad;

namespace {

MinimalTask task(int N, int T, Background background, Query query, std::vector<int> weights = {}) {
  MinimalTask t;
  t.N = N;
  t.T = T;
  t.background = background;
  t.query = query;
  t.output_weights = std::move(weights);
  return t;
}

constexpr std::size_t no_position = 1000;
std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

// Golden draws: computed in Python integers from the definition of philox and the rules of docs/theory.md.
TEST_CASE("golden draws of the minimal task: avoid and last, any and any, weighted outputs") {
  const MinimalSample a = draw_minimal(task(10, 8, Background::avoid, Query::last), 7, Purpose::minimal_task, 5);
  CHECK(a.example.tokens == std::vector<int>{8, 1, 2, 0, 0, 5, 4, 0});
  CHECK(a.trigger == 0);
  CHECK(a.output == 0);
  CHECK(a.tau == 3);
  const MinimalSample b = draw_minimal(task(10, 12, Background::any, Query::any), 7, Purpose::minimal_task, 6);
  CHECK(b.example.tokens == std::vector<int>{4, 8, 8, 1, 8});
  CHECK(b.tau == 2);
  const MinimalSample c =
      draw_minimal(task(4, 6, Background::avoid, Query::last, {1, 0, 2, 5}), 7, Purpose::minimal_task, 8);
  CHECK(c.example.tokens == std::vector<int>{1, 0, 3, 3, 3, 0});
  CHECK(c.output == 3);
}

TEST_CASE("structure: trigger at tau and at the end, output after tau, one target, backgrounds as asked") {
  for (const auto background : {Background::any, Background::avoid})
    for (const auto query : {Query::last, Query::any}) {
      const MinimalTask t = task(3, 7, background, query);
      std::set<std::size_t> lengths;
      int background_triggers = 0;
      for (std::uint64_t i = 0; i < 500; ++i) {
        const MinimalSample s = draw_minimal(t, 1, Purpose::minimal_task, i);
        const std::vector<int>& z = s.example.tokens;
        lengths.insert(z.size());
        REQUIRE(s.tau >= 0);
        REQUIRE(index(s.tau) + 2 < z.size());  // tau <= T' - 2, counted from 1
        CHECK(z[index(s.tau)] == s.trigger);
        CHECK(z[index(s.tau) + 1] == s.output);
        CHECK(z.back() == s.trigger);
        REQUIRE(s.example.targets.size() == 1);
        CHECK(index(s.example.targets[0].position) == z.size() - 1);
        CHECK(s.example.targets[0].token == s.output);
        CHECK(std::ranges::all_of(z, [](int k) { return 0 <= k && k < 3; }));
        for (std::size_t at = 0; at + 1 < z.size(); ++at)
          if (at != index(s.tau) && at != index(s.tau) + 1) background_triggers += z[at] == s.trigger;
      }
      CHECK(lengths == (query == Query::last ? std::set<std::size_t>{7} : std::set<std::size_t>{4, 5, 6, 7}));
      CHECK((background_triggers == 0) == (background == Background::avoid));
    }
}

TEST_CASE("samples against the law of the definition: chi-square over every (trigger, output, tau, tokens)") {
  using Cell = std::vector<int>;  // q, o, tau, tokens
  for (const MinimalTask& t :
       {task(3, 4, Background::avoid, Query::last), task(3, 4, Background::any, Query::last),
        task(3, 5, Background::avoid, Query::any), task(3, 5, Background::any, Query::any),
        task(3, 4, Background::any, Query::last, {1, 0, 3}), task(2, 5, Background::avoid, Query::any)}) {
    // The law written down from docs/theory.md: a sum over q, o, tau and background tokens.
    std::map<Cell, double> law;
    for (int length = t.shortest(); length <= t.T; ++length)
      for (int q = 0; q < t.N; ++q)
        for (int o = 0; o < t.N; ++o)
          for (int tau = 0; tau < length - 2; ++tau) {
            double p = 1.0 / (t.T - t.shortest() + 1) / t.N / (length - 2);
            p *= t.output_weights.empty() ? 1.0 / t.N : t.output_weights[index(o)] / 4.0;
            std::vector<std::pair<Cell, double>> partial = {{{q, o, tau}, p}};
            for (int at = 0; at < length; ++at) {
              std::vector<std::pair<Cell, double>> longer;
              for (const auto& [cell, weight] : partial)
                for (int k = 0; k < t.N; ++k) {
                  double factor = t.background == Background::any ? 1.0 / t.N : (k == q ? 0 : 1.0 / (t.N - 1));
                  if (at == tau || at == length - 1) factor = k == q;
                  if (at == tau + 1) factor = k == o;
                  if (factor == 0) continue;
                  longer.push_back({cell, weight * factor});
                  longer.back().first.push_back(k);
                }
              partial = std::move(longer);
            }
            for (const auto& [cell, weight] : partial) law[cell] += weight;
          }
    std::map<Cell, std::size_t> number;
    std::vector<double> probability;
    for (const auto& [cell, p] : law) {
      number[cell] = probability.size();
      probability.push_back(p);
    }
    std::vector<std::int64_t> observed(probability.size(), 0);
    std::size_t unknown = no_position;
    for (std::uint64_t i = 0; i < 40000; ++i) {
      const MinimalSample s = draw_minimal(t, 3, Purpose::minimal_task, i);
      Cell cell = {s.trigger, s.output, s.tau};
      cell.insert(cell.end(), s.example.tokens.begin(), s.example.tokens.end());
      const auto found = number.find(cell);
      if (found == number.end())
        unknown = static_cast<std::size_t>(i);
      else
        ++observed[found->second];
    }
    INFO(t.describe());
    CHECK(unknown == no_position);  // no sample outside the law's support
    ChiSquare test;
    test.add(observed, probability);
    INFO("statistic " << test.statistic << " on " << test.degrees << ", critical " << test.critical(1e-6));
    CHECK(test.accepts());
  }
}

TEST_CASE("tau is uniform on its T - 2 places, a wrong range of places is noticed") {
  const MinimalTask t = task(5, 9, Background::avoid, Query::last);
  std::vector<std::int64_t> observed(8, 0);
  for (std::uint64_t i = 0; i < 20000; ++i) ++observed.at(index(draw_minimal(t, 2, Purpose::minimal_task, i).tau));
  ChiSquare right, wrong;
  std::vector<double> seven(8, 1.0 / 7);
  seven[7] = 0;
  right.add(observed, seven);
  wrong.add(observed, std::vector<double>(8, 1.0 / 8));
  CHECK(right.accepts());
  CHECK_FALSE(wrong.accepts());
}

TEST_CASE("with query = any all lengths are equally likely, not all sequences") {
  const MinimalTask t = task(3, 10, Background::any, Query::any);
  std::vector<std::int64_t> observed(7, 0);
  for (std::uint64_t i = 0; i < 14000; ++i)
    ++observed.at(draw_minimal(t, 2, Purpose::minimal_task, i).example.tokens.size() - 4);
  ChiSquare test;
  test.add(observed, std::vector<double>(7, 1.0 / 7));
  CHECK(test.accepts());
}

TEST_CASE("sample 17 drawn alone is sample 17 in sequence, seeds, purposes and indices give other samples") {
  const MinimalTask t = task(50, 20, Background::any, Query::last);
  const auto alone = draw_minimal(t, 1, Purpose::minimal_task, 17).example.tokens;
  std::vector<int> in_sequence;
  for (std::uint64_t i = 0; i <= 17; ++i) in_sequence = draw_minimal(t, 1, Purpose::minimal_task, i).example.tokens;
  CHECK(alone == in_sequence);
  CHECK(draw_minimal(t, 2, Purpose::minimal_task, 17).example.tokens != alone);
  CHECK(draw_minimal(t, 1, Purpose::evaluation, 17).example.tokens != alone);
  CHECK(draw_minimal(t, 1, Purpose::minimal_task, 18).example.tokens != alone);
}

TEST_CASE("a task that is too small is refused") {
  CHECK_THROWS_AS(draw_minimal(task(1, 6, Background::any, Query::last), 1, Purpose::test, 0), InputError);
  CHECK_THROWS_AS(draw_minimal(task(4, 3, Background::any, Query::last), 1, Purpose::test, 0), InputError);
}
