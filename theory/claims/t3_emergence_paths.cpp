// T3.emergence: which path of the gradient of W_K1 the head needs, and what a head without W_K1 can do.
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "numerics/orbit_population.hpp"
#include "numerics/orbits.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_emergence_parts.hpp"

namespace popgrad {
namespace {

using Times = std::map<std::string, Emergence>;

Times measure(const MinimalTask& task) {
  std::vector<EmergenceRequest> requests;
  for (const char* word : {"nothing", "value", "key", "wk1"}) {
    EmergenceRequest request;
    request.task = task;
    request.without = word;
    request.rate = 4;
    request.longest = 250.0 * task.N;
    requests.push_back(request);
  }
  Times times;
  for (Emergence& e : measure_emergence(requests)) times.emplace(e.request.without, std::move(e));
  return times;
}

// time(later)/time(earlier) lies between `low` and `high`.
struct Order {
  std::string earlier, later;
  double low, high;
};
struct Statement {
  std::vector<Order> orders;
  bool key_needed = false;  // without the key path the loss does not fall, nor does accuracy reach 0.9
};

std::string left_out(const std::string& word) { return word == "nothing" ? "with all paths" : "without " + word; }

std::vector<Entry> entries(const Times& times, const Statement& says) {
  std::vector<Entry> list;
  for (const char* word : {"nothing", "value", "key", "wk1"}) {
    const Emergence& e = times.at(word);
    const double forms = std::string(word) == "key" && says.key_needed ? 0 : 1;
    list.push_back(entry("emerges " + left_out(word), forms, e.emergence.reached ? 1 : 0, {}, true));
    list.push_back(entry("accuracy 0.9 " + left_out(word), forms, e.t90.reached ? 1 : 0, {}, true));
  }
  for (const Order& order : says.orders) {
    const EmergenceTime &a = times.at(order.earlier).emergence, &b = times.at(order.later).emergence;
    const std::string what = fmt::format("time {} / time {}", left_out(order.later), left_out(order.earlier));
    const bool known = a.reached && b.reached && a.error < a.value;
    const double ratio = known ? b.value / a.value : NAN;
    const double error = known ? (b.error + ratio * a.error) / (a.value - a.error) : NAN;
    list.push_back(above(what, ratio, error, order.low, true));
    list.push_back(above(what, ratio, error, order.high, false));
  }
  return list;
}

// A head over a uniform first attention: the key of position s shows the share of the trigger among z_1..z_s, (E,R) = beta looks for the largest,
// and (E,E) = -gamma turns away from the trigger itself.
struct UniformHead {
  double beta_factor = 40, gamma = 1, value = 1;  // beta = factor T^2; gamma in units of beta
  InvariantMaps<double> maps(const MinimalTask& task) const {
    InvariantMaps<double> maps(task.N, task.T);
    const double beta = beta_factor * task.T * task.T;
    maps.u(Block::E).diag = value;
    maps.k2(Block::E, Block::R).diag = beta;
    maps.k2(Block::E, Block::E).diag = -gamma * beta;
    return maps;
  }
};

}  // namespace

Row emergence_paths(const MinimalTask& task) {
  const Times times = measure(task);
  const Statement right{{{"value", "nothing", 1, 1.1}, {"nothing", "key", 1.05, 1.25}, {"key", "wk1", 1.05, 2}}, false};
  Times swapped = times;
  std::swap(swapped.at("value"), swapped.at("key"));
  Times shifted = times;
  std::swap(shifted.at("nothing"), shifted.at("wk1"));
  const auto says = [&](Statement wrong) { return [&, wrong] { return entries(times, wrong); }; };
  const std::vector<Control> controls = {
      {"key path needed", "without it the head does not form", says({right.orders, true})},
      {"value path builds it", "without the value path later, by a twentieth or more", says({{{"nothing", "value", 1.05, 10}}, false})},
      {"key path idle", "without the key path within two per cent of the same time", says({{{"nothing", "key", 0.98, 1.02}}, false})},
      {"W_K1 idle", "with W_K1 at zero within five per cent of the same time", says({{{"nothing", "wk1", 0.95, 1.05}}, false})},
      {"W_K1 all", "with W_K1 at zero ten times the time", says({{{"nothing", "wk1", 10, 1000}}, false})},
      {"paths swapped", "the times without value and without key path exchanged", [&] { return entries(swapped, right); }},
      {"full and W_K1 at zero swapped", "the times of these two exchanged", [&] { return entries(shifted, right); }}};
  return judge(emergence_id, "paths", task.describe(), Grade::enumerated, entries(times, right), 0.5, controls,
               "choose a size at which the times are known better");
}

Row uniform_head(const std::vector<MinimalTask>& tasks) {
  std::string configuration;
  for (const MinimalTask& task : tasks) configuration += fmt::format("{}N={} T={}", configuration.empty() ? "" : "; ", task.N, task.T);
  configuration += fmt::format(" {} query={}", name(tasks.front().background), name(tasks.front().query));
  const auto against = [&](const UniformHead& head, const std::function<double(int N)>& accuracy, std::optional<Background> other = {}) {
    std::vector<Entry> list;
    for (MinimalTask task : tasks) {
      task.background = other.value_or(task.background);
      double orbits = 0;
      for (int length = task.shortest(); length <= task.T; ++length) orbits += partition_count(length, task.N);
      // A sum of probabilities, each a product of fewer than 3 T roundings.
      list.push_back(entry(fmt::format("accuracy at N={} T={}", task.N, task.T), accuracy(task.N), orbit_loss(task, head.maps(task)).accuracy,
                           Budget{roundoff_bound(orbits + 3.0 * task.T, 1), 0, 0}, true));
    }
    return list;
  };
  const auto right = [](int N) { return 1 - 1.0 / N; };
  const auto with = [&](const UniformHead& head) { return [&, head] { return against(head, right); }; };
  const std::vector<Control> controls = {
      {"always right", "accuracy 1", [&] { return against({}, [](int) { return 1.0; }); }},
      {"1 - 2/N", "as if two outputs in N were lost", [&] { return against({}, [](int N) { return 1 - 2.0 / N; }); }},
      {"chance", "accuracy 1/N", [&] { return against({}, [](int N) { return 1.0 / N; }); }},
      {"other background", "the same head where the trigger can stand in the background",
       [&] { return against({}, right, tasks.front().background == Background::any ? Background::avoid : Background::any); }},
      {"without (E,E)", "the trigger itself is not turned away from", with({40, 0, 1})},
      {"(E,R) reversed", "the smallest share looked for", with({-40, -1, 1})},
      {"soft", "beta = T^2/4, which leaves weight on other places", with({0.01, 1, 1})}};
  const std::vector<Entry> list = against({}, right);
  return judge(emergence_id, "uniform first attention", configuration, Grade::enumerated, list, default_effect(list), controls);
}

}  // namespace popgrad
