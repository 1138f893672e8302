#include "numerics/training_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/errors.hpp"
#include "numerics/run_files.hpp"

namespace popgrad {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A corpus given on resume must be the one that the run was made with.
void require_same_corpus(const RunFolder& run, const BigramCounts& corpus) {
  if (run.options().task == TaskKind::bigram &&
      (run.corpus().bytes != corpus.bytes || run.corpus().unigram != corpus.unigram || run.corpus().bigram != corpus.bigram))
    throw InputError("data.corpus", "'" + corpus.source + "'", "the counts of the run, '" + run.corpus().source + "'");
}

// Checkpoints of states whose loss is known to be finite. What is due before that is known waits for the next minibatch.
class Checkpoints {
 public:
  explicit Checkpoints(const RunFolder& run) : run_(run) {}

  void put(const Trainer& trainer, bool latest, bool good) {
    if (!latest && !trainer.snapshot_due()) return;
    waiting_ = {trainer.state(), latest, trainer.snapshot_due()};
    if (good) write();
  }
  void write() {
    if (!waiting_) return;
    if (waiting_->snapshot) run_.save_snapshot(waiting_->state);
    if (waiting_->latest) run_.save(waiting_->state);
    waiting_.reset();
  }

 private:
  struct Due {
    TrainState state;
    bool latest = false, snapshot = false;
  };
  const RunFolder& run_;
  std::optional<Due> waiting_;
};

void require_finite_loss(const Metrics& metrics, const TrainOptions& options) {
  if (metrics.loss_positions == 0 || std::isfinite(metrics.loss)) return;
  if (metrics.step == 0)
    throw InputError("init", "weights whose held-out loss is not finite before any update", "smaller scales of the initialization");
  throw Diverged("the held-out loss", metrics.step - 1, options, false);
}

void require_some_loss_position(const Trainer& trainer) {
  const std::int64_t done = trainer.step();
  if (trainer.stream().loss_positions > 0 || done < std::min(patience, trainer.options().steps)) return;
  throw InputError("train.batch", fmt::format("{} updates, of {} sequences each, without a single loss position", done, trainer.options().batch),
                   "a task and a batch that have some");
}

[[noreturn]] void stop_diverged(const RunFolder& run, const Diverged& error) {
  throw Error(error.code(), fmt::format("{}; the last good checkpoint is that of step {}, {}", error.what(), run.latest().step,
                                        (run.path() / latest_name).string()));
}

}  // namespace

TrainResult train(const TrainOptions& options, const BigramCounts& corpus, const std::filesystem::path& folder, bool resume,
                  const TrainHooks& hooks) {
  Trainer trainer(options, corpus);
  const RunFolder run = [&] {
    if (!resume) return RunFolder::create(folder, trainer, corpus, hooks.program);
    RunFolder old = RunFolder::open(folder);
    require_same_corpus(old, corpus);
    old.prepare_resume(options);
    trainer.restore(old.latest());
    return old;
  }();

  const auto start = std::chrono::steady_clock::now();
  const std::int64_t first = trainer.step();
  std::optional<Metrics> latest;
  const auto report = [&](bool evaluated) {
    const double seconds = seconds_since(start);
    const double sequences = static_cast<double>((trainer.step() - first) * options.batch);
    hooks.progress(
        {trainer.step(), options.steps, seconds > 0 ? sequences / seconds : 0, latest ? &*latest : nullptr, evaluated});
  };
  const auto evaluate_if_due = [&] {
    if (!trainer.evaluation_due()) return false;
    latest = trainer.measure();
    run.append(*latest);
    require_finite_loss(*latest, options);
    return true;
  };
  const auto stopped = [&] { return hooks.stop != nullptr && hooks.stop->load(); };

  Checkpoints checkpoints(run);
  TrainResult result;
  try {
    // A state is evaluated before it is saved, except step 0.
    if (first == 0) {
      evaluate_if_due();
      checkpoints.put(trainer, false, true);
      report(true);
    }
    std::int64_t saved = first;
    while (!trainer.finished() && !stopped()) {
      trainer.update();
      checkpoints.write();  // the minibatch had a finite loss at the state that waited
      if (trainer.step() == 1) run.save(*trainer.first_gradient());
      require_some_loss_position(trainer);
      const bool evaluated = evaluate_if_due();
      // After the evaluation: a checkpoint at step s promises that the line of step s is in the log.
      checkpoints.put(trainer, trainer.checkpoint_due(), evaluated);
      if (trainer.checkpoint_due()) saved = trainer.step();
      report(evaluated);
    }
    result = {trainer.step(), trainer.finished(),
              latest && latest->step == trainer.step() ? *latest : trainer.measure()};
    require_finite_loss(result.final, options);
    checkpoints.write();
    if (saved != trainer.step()) run.save(trainer.state());
  } catch (const Diverged& error) {
    if (error.before_is_good()) checkpoints.write();
    stop_diverged(run, error);
  }
  if (trainer.finished()) run.write_summary();
  return result;
}

}  // namespace popgrad
