// MC.variance, unbiased: every entry of the Monte Carlo estimate against the exact gradient, where sums over orbits give it.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "check/statistics.hpp"
#include "core/moments.hpp"
#include "numerics/orbit_population.hpp"
#include "numerics/orbit_repeated.hpp"
#include "theory/claims/mc_parts.hpp"
#include "theory/claims/support.hpp"

namespace popgrad {
namespace {

struct NamedEntry {
  std::string block, name;
  double value = 0;
};

std::vector<NamedEntry> entries_of(const InvariantMaps<double>& maps, int stage) {
  std::vector<NamedEntry> list;
  const auto add = [&](Block query, Block key, const InvariantBlock<double>& block) {
    const std::string name_of = std::string("(") + name(query) + "," + name(key) + ")";
    if (is_token(query) && is_token(key)) list.push_back({name_of, name_of + " diag", block.diag});
    const bool matrix = !is_token(query) && !is_token(key);
    for (std::size_t i = 0; i < block.entries.size(); ++i) {
      const auto t = i / static_cast<std::size_t>(maps.T), s = i % static_cast<std::size_t>(maps.T);
      list.push_back({name_of, name_of + (matrix ? " " + std::to_string(t + 1) : std::string()) + " " + std::to_string(s + 1), block.entries[i]});
    }
  };
  const std::vector<Block> all = stage == 2 ? std::vector<Block>(all_blocks.begin(), all_blocks.end()) : std::vector<Block>{Block::E, Block::P};
  for (const Block query : all)
    for (const Block key : all) add(query, key, stage == 2 ? maps.k2(query, key) : maps.k1(query, key));
  return list;
}

using Estimates = std::vector<std::vector<NamedEntry>>;  // replicate by replicate

Estimates estimates_of(const McRun& run) {
  Estimates list;
  for (const SampledDescent& estimate : run.replicates) list.push_back(entries_of(estimate.mean, run.stage));
  return list;
}

}  // namespace

Row mc_unbiased(const ClaimContext& context, const MinimalTask& task, int stage) {
  constexpr double size = 1;  // the leading order is ten per cent off
  const std::string part = "unbiased, step " + std::to_string(stage);
  const std::string configuration = task.describe() + " alpha=beta=1";
  if (auto refused = too_many_orbits("MC.variance", part, task)) return *refused;
  const McStart start = mc_start(task, stage, size);
  const auto samples = static_cast<std::int64_t>(std::llround(800 * context.work));
  const auto sampled = [&](const LeadingControl& control) { return estimates_of(mc_run(start, samples, context.seed, true, control)); };
  const Estimates right = sampled(start.control);
  const auto exact_of = [&](const MinimalTask& of) { return orbit_descent(of, start.maps, {false, stage == 2, stage == 3}); };
  const InvariantMaps<double> exact = exact_of(task), repeated = repeated_output_descent(task, start.maps, stage);

  // Blocks differ by orders of magnitude: each entry in units of the largest of its block. Blocks of zeros as they are.
  std::map<std::string, double> largest;
  for (const NamedEntry& at : entries_of(exact, stage)) largest[at.block] = std::max(largest[at.block], std::abs(at.value));
  for (auto& [block, value] : largest)
    if (value == 0) value = 1;
  const auto against = [&](const Estimates& estimates, const std::vector<NamedEntry>& predicted) {
    const double t = family_t(context.level, static_cast<double>(predicted.size()), mc_replicates - 1);
    std::vector<Entry> list;
    for (std::size_t i = 0; i < predicted.size(); ++i) {
      Moments mean;
      const double unit = largest.at(predicted[i].block);
      for (const auto& estimate : estimates) mean.add(estimate[i].value / unit);
      // Sums of at most this many terms, none above 2 alpha max(1, beta) times a token's N.
      const double terms = static_cast<double>(samples) * mc_replicates + 1e4;
      const Budget budget{roundoff_bound(terms, 4 * size * size * task.N / unit), 0, t * mean.standard_error()};
      list.push_back(entry(predicted[i].name + ", over the largest of its block", predicted[i].value / unit, mean.mean, budget));
    }
    return list;
  };
  const auto scaled = [&](double factor) {
    InvariantMaps<double> maps(task.N, task.T);
    return entries_of(maps.add(factor, exact), stage);
  };
  MinimalTask other = task;
  other.background = task.background == Background::any ? Background::avoid : Background::any;
  const std::vector<Entry> list = against(right, scaled(1));
  const std::vector<Control> controls = {
      {"mean of the control + 10 %", "the mean of the leading order a tenth too large",
       [&] {
         LeadingControl wrong = start.control;
         wrong.mean.add(0.1, start.control.mean);
         return against(sampled(wrong), scaled(1));
       }},
      {"weights of the strata swapped", "o = q given the probability of o != q",
       [&] {
         InvariantMaps<double> maps(task.N, task.T);
         maps.add(1.0 / (task.N - 1), exact).add(task.N - 1 - 1.0 / (task.N - 1), repeated);
         return against(right, entries_of(maps, stage));
       }},
      {"leading order", "the mean of the control variate in place of the gradient", [&] { return against(right, entries_of(start.control.mean, stage)); }},
      {"other background", "avoid for any, or any for avoid", [&] { return against(right, entries_of(exact_of(other), stage)); }},
      {"factor 1.1", "ten per cent too large", [&] { return against(right, scaled(1.1)); }},
      {"sign", "the gradient instead of the descent direction", [&] { return against(right, scaled(-1)); }}};
  return judge("MC.variance", part, configuration, Grade::sampled, list, 0.1, controls, "raise verify.work");
}

}  // namespace popgrad
