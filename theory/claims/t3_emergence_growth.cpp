// T3.emergence: how the time at which the head emerges grows with the length and the vocabulary.
#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <tuple>

#include "check/power_law_series.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_emergence_parts.hpp"

namespace popgrad {
namespace {

struct Line {
  std::string name;  // "T" or "N"
  std::vector<double> size, time, error;
  bool complete = true;  // every size emerged
  std::optional<PowerLaw> law;
};

Line measure(MinimalTask task, bool over_T, const std::vector<int>& sizes, const std::string& without, int rates) {
  std::vector<EmergenceRequest> requests;
  for (const int size : sizes) {
    (over_T ? task.T : task.N) = size;
    EmergenceRequest request;
    request.task = task;
    request.without = without;
    request.rate = 4;
    request.rates = rates;
    request.longest = 200.0 * task.N;
    requests.push_back(request);
  }
  Line line{over_T ? "T" : "N", {}, {}, {}, true, {}};
  for (const Emergence& e : measure_emergence(requests)) {
    line.size.push_back(over_T ? e.request.task.T : e.request.task.N);
    line.time.push_back(e.emergence.value);
    line.error.push_back(e.emergence.error);
    line.complete = line.complete && e.emergence.reached && e.emergence.error < e.emergence.value;
  }
  if (line.complete && sizes.size() >= 4) line.law = fit_power_law(line.size, line.time, line.error);
  return line;
}

// Local exponents between neighbours whose smaller size is at least `from` lie between `low` and `high`; falling: each is below the one
// before (1), above it (-1), or nothing is said (0).
struct Statement {
  double from, low, high;
  int falling;
};

std::vector<Entry> entries(const Line& line, const Statement& says) {
  std::vector<Entry> list;
  list.push_back(entry("sizes that emerged", static_cast<double>(line.size.size()), line.complete ? static_cast<double>(line.size.size()) : 0, {}));
  if (!line.complete) return list;
  std::optional<Exponent> before;
  for (std::size_t i = 0; i + 1 < line.size.size(); ++i) {
    const double step = std::log(line.size[i + 1] / line.size[i]);
    const Exponent p{std::log(line.time[i + 1] / line.time[i]) / step,
                     -(std::log1p(-line.error[i] / line.time[i]) + std::log1p(-line.error[i + 1] / line.time[i + 1])) / step};
    const std::string what = fmt::format("exponent {}={:g}..{:g}", line.name, line.size[i], line.size[i + 1]);
    if (line.size[i] >= says.from) {
      list.push_back(above(what, p.value, p.error, says.low, true));
      list.push_back(above(what, p.value, p.error, says.high, false));
    }
    if (before && says.falling != 0) list.push_back(above(what + " minus the one before", p.value - before->value, p.error + before->error, 0, says.falling < 0));
    before = p;
  }
  return list;
}

Row judge_growth(const Line& line, const std::string& part, const std::string& configuration, const Statement& right,
                 const std::vector<std::tuple<const char*, const char*, Statement>>& wrong, std::vector<Control> controls,
                 const std::string& series, const std::string& title) {
  for (const auto& [name, changes, says] : wrong) controls.push_back({name, changes, [&, says = says] { return entries(line, says); }});
  Row row = judge(emergence_id, part, configuration, Grade::enumerated, entries(line, right), 0.5, controls,
                  "choose sizes at which the times are known better");
  if (line.complete) row.series.push_back(power_law_series(series, line.name, {{title, line.size, line.time, line.error, line.law}}));
  return row;
}

std::string list_of(const std::vector<int>& sizes) {
  std::string text;
  for (const int size : sizes) text += (text.empty() ? "" : ",") + std::to_string(size);
  return text;
}

}  // namespace

Entry above(const std::string& what, double x, double error, double bound, bool claimed) {
  const std::string name = fmt::format("{} {} {:g}: {:.5g} +- {:.1g}", what, claimed ? "above" : "below", bound, x, error);
  const double predicted = claimed ? 1 : 0;
  if (std::abs(x - bound) <= error || std::isnan(x)) return entry(name, predicted, 0.5, Budget{0, 1, 0}, true);
  return entry(name, predicted, x > bound ? 1 : 0, Budget{}, true);
}

Row emergence_growth_T(const MinimalTask& task, const std::vector<int>& lengths) {
  const Line line = measure(task, true, lengths, "nothing", 3);
  const std::vector<int> few(lengths.begin(), lengths.end() - 1);
  const Statement right{6, 1, 2, 1};
  return judge_growth(line, "growth in T", fmt::format("N={} T={} {} query={}", task.N, list_of(lengths), name(task.background), name(task.query)),
                      right,
                      {{"T^2", "exponents within 0.1 of 2", Statement{6, 1.9, 2.1, 0}},
                       {"linear", "exponents within 0.1 of 1", Statement{6, 0.9, 1.1, 0}},
                       {"above 2", "exponents between 2 and 3", Statement{6, 2, 3, 1}},
                       {"below 2 from the start", "T = 5 to 6 as well", Statement{4, 1, 2, 1}},
                       {"rising", "each local exponent above the one before", Statement{6, 1, 2, -1}}},
                      {{"W_K1 at zero", "the same of the flow whose first attention stays uniform",
                        [&, few] { return entries(measure(task, true, few, "wk1", 2), right); }}},
                      "emergence_T", "full flow");
}

Row emergence_growth_N(const MinimalTask& task, const std::vector<int>& vocabularies) {
  const Line line = measure(task, false, vocabularies, "nothing", 3);
  const Statement right{2, 0.5, 1, 0};
  return judge_growth(line, "growth in N", fmt::format("N={} T={} {} query={}", list_of(vocabularies), task.T, name(task.background), name(task.query)),
                      right,
                      {{"N^(1/2)", "exponents within 0.1 of 1/2", Statement{2, 0.4, 0.6, 0}},
                       {"linear", "exponents within 0.1 of 1", Statement{2, 0.9, 1.1, 0}},
                       {"faster than N", "exponents between 1 and 2", Statement{2, 1, 2, 0}},
                       {"no growth", "exponents within 0.1 of 0", Statement{2, -0.1, 0.1, 0}},
                       {"falling", "each local exponent below the one before", Statement{2, 0.5, 1, 1}}},
                      {}, "emergence_N", "full flow");
}

}  // namespace popgrad
