// Everything that decides a training run. Two runs with equal options have equal bits in weights and metrics.
#pragma once
#include <cstdint>
#include <string>

#include "core/bigram_counts.hpp"
#include "core/minimal_task.hpp"
#include "numerics/bigram_task.hpp"
#include "numerics/finite_model.hpp"
#include "numerics/initialization.hpp"

namespace popgrad {

enum class TaskKind { bigram, minimal };
const char* name(TaskKind task);
TaskKind parse_task(const std::string& text);  // throws InputError("task", ...)

// A map is neither moved nor given momentum before its step: updates number 0, 1, ..., freeze - 1 skip it. 0: trained from
// the start; `steps` or more: never trained.
struct FreezeUntil {
  std::int64_t wk1 = 0, wk2 = 0, wo2 = 0, wf = 0;
  std::int64_t at(Map map) const;
};

struct TrainOptions {
  TaskKind task = TaskKind::bigram;
  BigramTask bigram;    // used when task = bigram; its `loss` chooses head or full
  MinimalTask minimal;  // used when task = minimal; loss at the second trigger
  ModelOptions model;   // d, score_scale, feed_forward and the initialization of every map; N and T come from the task

  std::uint64_t seed = 1;  // of the data, the embeddings and the initialization
  std::int64_t steps = 400;
  int batch = 64;         // sequences a step, all fresh: step s uses samples s * batch .. (s + 1) * batch - 1
  double rate = 0.2;      // learning rate
  double momentum = 0.9;  // PyTorch convention: v = m v + (g + weight_decay theta), theta -= rate v
  double weight_decay = 1e-4;
  FreezeUntil freeze;

  std::int64_t eval_every = 10;        // steps between evaluations; step 0 and the last step are always evaluated
  int eval_sequences = 256;            // held-out sequences, the same ones at every evaluation
  std::int64_t checkpoint_every = 50;  // steps between checkpoints; the last step always gets one

  // Defaults: the published code's initialization at reduced size (T = 32, d = 96), chosen so that both layers form in about
  // a minute on two cores. Setting model.d alone leaves score_scale at 1/sqrt(96); published_options() has all that go with
  // a d.
  TrainOptions();

  int T() const { return task == TaskKind::bigram ? bigram.T : minimal.T; }
  int N(const BigramCounts& corpus) const { return task == TaskKind::bigram ? corpus.N() : minimal.N; }
  // ModelOptions with N and T filled in from the task.
  ModelOptions model_options(const BigramCounts& corpus) const;
  // Throws InputError naming the key, "train.rate: got -1, expected ...". Keys: data.*, model.*, train.*.
  void validate(const BigramCounts& corpus) const;
};

}  // namespace popgrad
