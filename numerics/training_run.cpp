#include "numerics/training_run.hpp"

#include <chrono>

#include "core/errors.hpp"

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
    return true;
  };
  const auto stopped = [&] { return hooks.stop != nullptr && hooks.stop->load(); };

  // A state is evaluated before it is saved, except step 0.
  if (first == 0) {
    evaluate_if_due();
    report(true);
  }
  bool saved = resume;
  while (!trainer.finished() && !stopped()) {
    trainer.update();
    if (trainer.step() == 1) run.save(*trainer.first_gradient());
    const bool evaluated = evaluate_if_due();
    // After the evaluation: a checkpoint at step s promises that the line of step s is in the log.
    saved = trainer.checkpoint_due();
    if (saved) run.save(trainer.state());
    report(evaluated);
  }
  if (!saved) run.save(trainer.state());
  if (trainer.finished()) run.write_summary();
  return {trainer.step(), trainer.finished(), latest && latest->step == trainer.step() ? *latest : trainer.measure()};
}

}  // namespace popgrad
