// What is measured along a training run, on a fixed held-out stream.
#pragma once
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "numerics/batch_gradient.hpp"
#include "numerics/probes.hpp"
#include "numerics/training_gradient.hpp"

namespace popgrad {

// Totals of the training stream so far; part of a checkpoint, so that a resumed run reports the same.
struct StreamCounts {
  std::int64_t sequences = 0, loss_positions = 0, cycles = 0, empty_batches = 0;
};

// The last minibatch before an evaluation.
struct LastBatch {
  double loss = 0;
  std::int64_t loss_positions = 0;
  // Frobenius norm of the pooled gradient of everything that the run trains; nothing for what was frozen in that update,
  // whose gradient need not have been computed.
  std::map<Table, std::optional<double>> norms;
};

struct Metrics {
  std::int64_t step = 0;            // updates done
  double loss = 0;                  // held out, pooled over loss positions, in nats
  std::int64_t loss_positions = 0;  // held out; 0 flags that loss and accuracy mean nothing
  Probe accuracy;                   // in-context accuracy, over the positions where copying is possible, whatever the loss
  Probe wo2;                        // R(W_O2)
  Probe wk2;                        // R(W_K2), over the fixed triggers, else over all tokens
  Probe wk1_64, wk1;                // R(W_K1) with the causal mask, first 64 positions and all
  Probe wk1_64_unmasked, wk1_unmasked;  // without the mask, as in the published code
  std::optional<Probe> kl;              // only with the feed-forward layer on the bigram task
  StreamCounts stream;
  std::optional<LastBatch> batch;  // nothing before the first update
};

// Probes in a fixed order under the names they have in metrics.jsonl and summary.json, kl apart.
struct NamedProbe {
  const char* name;
  const Probe* probe;
};
std::array<NamedProbe, 7> probes(const Metrics& metrics);

// The held-out sequences 0 .. eval_sequences - 1 of Purpose::evaluation, and what is needed to judge them.
class HeldOut {
 public:
  HeldOut(const TrainOptions& options, const BigramCounts& corpus, const SequenceSource& source);
  // Everything in Metrics but step, stream and batch. Same bits for any number of threads.
  Metrics measure(const FiniteModel& model, const TrainingPass& pass) const;

 private:
  std::vector<Example> examples_;  // targets: loss positions
  std::vector<Example> heads_;     // targets: positions where copying is possible
  bool same_ = false;              // both have the same targets
  std::vector<int> triggers_;
  Matrix law_;  // 0 x 0 without a bigram law
};

// One line of metrics.jsonl, without the newline. Numbers in the shortest form that reads back to the same double. What was
// not measured or is not finite is null, and "reasons" says why: {"batch.gradient_norm.wo2": "frozen"}.
std::string metrics_line(const Metrics& metrics);

}  // namespace popgrad
