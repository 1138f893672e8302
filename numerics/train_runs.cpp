#include "numerics/train_runs.hpp"

#include <exception>

#include "core/errors.hpp"
#include "numerics/run_summary.hpp"

namespace popgrad {
namespace {

// Held-out sequences of another law; only positions where copying is possible.
HeldOut held_out_of(TrainOptions options, const BigramTask& law, const BigramCounts& corpus) {
  options.bigram = law;
  options.bigram.loss = LossKind::head;
  options.model.feed_forward = false;  // no KL, which does not depend on the test law
  return {options, corpus, SequenceSource(options, corpus)};
}

RunCurve train_one(const RunRequest& request, const BigramCounts& corpus) {
  Trainer trainer(request.options, corpus);
  std::vector<HeldOut> tests;
  for (const BigramTask& law : request.tests) tests.push_back(held_out_of(request.options, law, corpus));
  RunCurve curve;
  curve.tests.resize(tests.size());
  const auto measure = [&] {
    if (!trainer.evaluation_due()) return;
    curve.metrics.push_back(trainer.measure());
    for (std::size_t i = 0; i < tests.size(); ++i) curve.tests[i].push_back(trainer.accuracy(tests[i]));
  };
  measure();
  try {
    while (!trainer.finished()) {
      trainer.update();
      measure();
    }
  } catch (const Error& error) {
    if (error.code() != ExitCode::refuted) throw;
    curve.diverged = error.what();
  }
  return curve;
}

}  // namespace

std::vector<RunCurve> train_runs(const std::vector<RunRequest>& requests, const BigramCounts& corpus,
                                 const std::function<void(std::size_t done)>& done) {
  for (const RunRequest& request : requests) {
    request.options.validate(corpus);
    for (const BigramTask& law : request.tests) law.validate(corpus);
  }
  std::vector<RunCurve> curves(requests.size());
  std::vector<std::exception_ptr> failed(requests.size());
  std::size_t finished = 0;
  // Parallel regions inside a run get one thread each: regions do not nest unless somebody asks for it.
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < requests.size(); ++i) {
    try {
      curves[i] = train_one(requests[i], corpus);
    } catch (...) {
      failed[i] = std::current_exception();
    }
#pragma omp critical(train_runs_done)
    done(++finished);
  }
  for (const std::exception_ptr& error : failed)
    if (error) std::rethrow_exception(error);
  return curves;
}

std::optional<std::int64_t> rise_of(const std::vector<Metrics>& metrics, const std::function<const Probe&(const Metrics&)>& probe) {
  std::vector<Evaluated> evaluations;
  for (const Metrics& m : metrics) {
    const Probe& p = probe(m);
    evaluations.push_back({m.step, p.value, p.chance, p.empty()});
  }
  return rise(evaluations);
}

}  // namespace popgrad
