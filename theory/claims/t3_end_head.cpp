// T3.end: the head made of the memories themselves, and the best possible answer.
#include <fmt/format.h>

#include <cmath>

#include "check/statistics.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_end_parts.hpp"

namespace popgrad {
namespace {

// first_layer: e^-c is below a rounding error and e^b far above T. second_layer: e^c > T^2, so that shares of q order as in the limit,
// and b times the smallest difference of two shares, about e^-2c, is 40.
InvariantMaps<double> head(const MinimalTask& task, SharperLayer layer, const InvariantMaps<double>& first_keys) {
  const double c = layer == SharperLayer::first_layer ? 80 : std::log(4.0 * task.T * task.T);
  const double b = layer == SharperLayer::first_layer ? 12 + std::log(task.T) : 40 * std::exp(2 * c);
  const InvariantMaps<double> memories = invariant_memories<double>(task.N, task.T);
  InvariantMaps<double> maps = isolate(memories, 1);
  maps.add(b, isolate(memories, 2));
  maps.add(c, first_keys);
  return maps;
}

InvariantMaps<double> previous(const MinimalTask& task) { return isolate(invariant_memories<double>(task.N, task.T), 3); }

// W_K1 = sum_t p_t p_t^T: every position recalls itself.
InvariantMaps<double> shifted(const MinimalTask& task) {
  InvariantMaps<double> maps(task.N, task.T);
  for (int t = 0; t < task.T; ++t) maps.k1(Block::P, Block::P).entries[static_cast<std::size_t>(t * task.T + t)] = 1;
  return maps;
}

// One number with probability a mean of numbers in 0..1: roundoff of a sum of weights that add up to 1, or the sampling error.
Budget budget(const Answer& answer, double level) {
  Budget parts;
  parts.roundoff = roundoff_bound(static_cast<double>(answer.samples) + 100, 1);
  if (!answer.exact) parts.sampling = family_z(level, 1) * answer.error;
  return parts;
}

constexpr const char* more = "raise verify.work";

}  // namespace

ConstructionOptions end_options(const ClaimContext& context, std::int64_t samples, std::int64_t gradient_samples) {
  ConstructionOptions options;
  const auto scaled = [&](std::int64_t n) { return std::max<std::int64_t>(1000, std::llround(context.work * static_cast<double>(n))); };
  options.samples = scaled(samples);
  options.gradient_samples = scaled(gradient_samples);
  options.seed = context.seed;
  return options;
}

Row end_perfect_head(const MinimalTask& task, SharperLayer layer, const ClaimContext& context) {
  const std::string part = std::string("perfect head, ") + name(layer);
  constexpr int longest = 128;
  if (layer == SharperLayer::second_layer && task.T > longest)
    return undecided("T3.end", part, task.describe(), "b that reaches the limit is so large that rounding errors of the scores hide it",
                     fmt::format("choose T up to {}", longest));
  AnswerOptions options;
  options.seed = context.seed;
  options.samples = end_options(context, 100'000, 0).samples;
  const auto measure = [&](const InvariantMaps<double>& keys) { return answer(task, head(task, layer, keys), options); };
  const Answer measured = measure(previous(task));
  const double wrong = to_double(1 - perfect_head_exact(task, layer));
  const auto against = [&](double predicted, const Answer& found) {
    return std::vector<Entry>{entry("share of wrong answers", predicted, 1 - found.accuracy, budget(found, context.level), true)};
  };
  MinimalTask twice = task, avoid = task;
  twice.T = 2 * task.T;
  const bool first = layer == SharperLayer::first_layer;
  // Where c >> b the share hardly depends on T at some sizes: there equal votes are shared instead, g = h = 1/2.
  double shared = 0;
  for (int T = task.shortest(); T <= task.T; ++T)
    shared += ((1 - 1.0 / task.N) + (T - 4.0) / task.N) / 2 / (T - 2) / (task.T - task.shortest() + 1);
  const double changed = first ? shared : to_double(1 - perfect_head_exact(twice, layer));
  avoid.background = Background::avoid;
  const double other = task.background == Background::any
                           ? to_double(1 - perfect_head_exact(avoid, layer))
                           : to_double(1 - perfect_head_exact(task, layer == SharperLayer::first_layer ? SharperLayer::second_layer
                                                                                                       : SharperLayer::first_layer));
  const std::vector<Control> controls = {
      {"always right", "no wrong answer", [&] { return against(0, measured); }},
      {"half", "half of the wrong answers", [&] { return against(wrong / 2, measured); }},
      {first ? "equal votes shared" : "2 T", first ? "counts do not decide between equal votes" : "the formula at twice the length",
       [&] { return against(changed, measured); }},
      {task.background == Background::any ? "background avoid" : "other limit",
       task.background == Background::any ? "the formula of the other background" : "b and c in the other order",
       [&] { return against(other, measured); }},
      {"position shifted", "W_K1 recalls t in row t instead of t - 1", [&] { return against(wrong, measure(shifted(task))); }},
      {"no W_K1", "W_K1 = 0", [&] { return against(wrong, measure(InvariantMaps<double>(task.N, task.T))); }}};
  const std::vector<Entry> list = against(wrong, measured);
  return judge("T3.end", part, task.describe(), measured.exact ? Grade::enumerated : Grade::sampled, list, default_effect(list), controls, more);
}

Row end_best_possible(const MinimalTask& task, const ClaimContext& context) {
  if (task.T > longest_best_accuracy)
    return undecided("T3.end", "best possible", task.describe(), "the formula is a sum of rationals that takes too long",
                     fmt::format("choose T up to {}", longest_best_accuracy));
  AnswerOptions options;
  options.seed = context.seed;
  options.samples = end_options(context, 100'000, 0).samples;
  const Answer measured = best_possible(task, options);
  const auto against = [&](double predicted) {
    return std::vector<Entry>{entry("accuracy", predicted, measured.accuracy, budget(measured, context.level), true)};
  };
  const auto at = [&](int N, int T) {
    MinimalTask other = task;
    other.N = N;
    other.T = T;
    return other;
  };
  const auto mean = [&](const Formula& form) {
    double sum = 0;
    for (int T = task.shortest(); T <= task.T; ++T) sum += form.evaluate({{"N", task.N}, {"T", T}});
    return sum / (task.T - task.shortest() + 1);
  };
  const std::vector<Control> controls = {
      {"always right", "accuracy 1, as with background avoid", [&] { return against(1); }},
      {"one vote", "E[1/number of earlier triggers]: all successors different", [&] { return against(mean(one_vote_share())); }},
      {"head", "the perfect head with b >> e^c", [&] { return against(to_double(perfect_head_exact(task, SharperLayer::second_layer))); }},
      {"2 T", "twice the length", [&] { return against(to_double(best_accuracy(at(task.N, 2 * task.T)))); }},
      {"2 N", "twice the vocabulary", [&] { return against(to_double(best_accuracy(at(2 * task.N, task.T)))); }}};
  const std::vector<Entry> list = against(to_double(best_accuracy(task)));
  return judge("T3.end", "best possible", task.describe(), measured.exact ? Grade::enumerated : Grade::sampled, list, default_effect(list),
               controls, more);
}

}  // namespace popgrad
