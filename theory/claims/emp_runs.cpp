#include "theory/claims/emp_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <set>

#include "numerics/train_options_toml.hpp"

namespace popgrad {
namespace {

bool head_loss(EmpSetting setting) { return setting == EmpSetting::head || setting == EmpSetting::frozen; }

std::vector<BigramTask> test_laws(const TrainOptions& options) {
  if (options.bigram.loss == LossKind::head) return {};
  std::vector<BigramTask> laws(2, options.bigram);
  laws[0].outputs = Outputs::uniform;
  laws[1].outputs = Outputs::bigram;
  return laws;
}

// Everything that decides a curve.
std::string key_of(const RunRequest& request, const BigramCounts& corpus) {
  std::string key = to_toml(request.options, "");
  for (const BigramTask& law : request.tests) key += law.describe() + "\n";
  for (const auto* counts : {&corpus.unigram, &corpus.bigram})
    for (const std::int64_t n : *counts) key += std::to_string(n) + " ";
  return key;
}

// Several claims speak of the same runs.
struct Made {
  std::mutex mutex;
  std::map<std::string, RunCurve> curves;
};
Made& made() {
  static Made all;
  return all;
}

}  // namespace

const char* name(EmpSetting setting) {
  constexpr const char* names[] = {"head", "frozen", "full", "few", "rare", "random", "bigram"};
  return names[static_cast<std::size_t>(setting)];
}

EmpSizes::EmpSizes(const ClaimContext& context) : paper(context.full) {
  if (paper) {
    T = 256;
    batch = 512;
    release = 300;
    head_eval = 5;
    eval_sequences = 64;
  }
  T = context.T.value_or(T);
  d = context.d.value_or(d);
  seeds = static_cast<int>(std::clamp(std::llround(seeds * std::min(context.work, 40.0)), 2LL, 40LL));
}

std::string EmpSizes::describe() const {
  return fmt::format("T={} d={} batch={}, {} seeds a setting", T, d, batch, seeds);
}

TrainOptions emp_options(const EmpSizes& sizes, EmpSetting setting, std::uint64_t seed) {
  TrainOptions options;
  options.bigram.T = sizes.T;
  options.bigram.K = sizes.K;
  options.model = published_options(65, sizes.T, sizes.d);  // N is the corpus'
  options.seed = seed;
  options.batch = sizes.batch;
  options.eval_sequences = sizes.eval_sequences;
  if (head_loss(setting)) {
    options.eval_every = sizes.head_eval;
    options.steps = sizes.head_steps;
    if (setting == EmpSetting::frozen) {
      options.steps = sizes.frozen_steps;
      options.freeze.wo2 = sizes.release;
    }
    return options;
  }
  options.eval_every = sizes.full_eval;
  options.steps = sizes.full_steps;
  options.bigram.loss = LossKind::full;
  options.bigram.distinct = true;
  options.model.feed_forward = true;
  if (setting == EmpSetting::few) options.bigram.K = sizes.few;
  if (setting == EmpSetting::rare) options.bigram.offset = sizes.rare_offset;
  if (setting == EmpSetting::random) options.bigram.triggers = Triggers::random;
  if (setting == EmpSetting::bigram) options.bigram.outputs = Outputs::bigram;
  return options;
}

std::uint64_t emp_seed(const ClaimContext& context, EmpSetting setting, int run) {
  return 1'000'000 * context.seed + 1000 * static_cast<std::uint64_t>(setting) + static_cast<std::uint64_t>(run) + 1;
}

EmpRuns emp_runs(const ClaimContext& context, const EmpSizes& sizes, const std::vector<EmpSetting>& settings) {
  std::vector<RunRequest> wanted, missing;
  std::vector<std::string> keys, missing_keys;
  for (const EmpSetting setting : settings)
    for (int run = 0; run < sizes.seeds; ++run) {
      const TrainOptions options = emp_options(sizes, setting, emp_seed(context, setting, run));
      wanted.push_back({options, test_laws(options)});
      keys.push_back(key_of(wanted.back(), context.corpus));
    }
  const std::scoped_lock lock(made().mutex);
  std::map<std::string, RunCurve>& curves = made().curves;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!curves.contains(keys[i])) {
      missing.push_back(wanted[i]);
      missing_keys.push_back(keys[i]);
    }
  const auto show = [&](std::size_t done) { context.progress(fmt::format("run {} of {}", done, missing.size())); };
  if (!missing.empty()) show(0);
  std::vector<RunCurve> found = train_runs(missing, context.corpus, show);
  for (std::size_t i = 0; i < found.size(); ++i) curves[missing_keys[i]] = std::move(found[i]);
  EmpRuns runs;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    runs[settings[i / static_cast<std::size_t>(sizes.seeds)]].push_back(curves.at(keys[i]));
  return runs;
}

EmpCost emp_cost(const EmpSizes& sizes, EmpSetting setting, const ClaimContext& context) {
  TrainOptions options = emp_options(sizes, setting, emp_seed(context, setting, 0));
  const double all = static_cast<double>(options.steps) * options.batch * sizes.seeds;
  // Enough sequences for a rate, the first update to warm up. All threads share a batch here; in train_runs each has its own run.
  constexpr int updates = 4;
  options.batch = std::min(options.batch, 64);
  options.steps = updates + 1;
  options.freeze = {};
  options.eval_sequences = 1;
  Trainer trainer(options, context.corpus);
  trainer.update();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < updates; ++i) trainer.update();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return {all, all * seconds / (updates * options.batch)};
}

}  // namespace popgrad
