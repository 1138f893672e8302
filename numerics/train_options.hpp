// Everything that decides a training run. Two runs with equal options have equal bits in weights and metrics.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

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
  std::int64_t tok = 0, pos = 0, out = 0;  // of embeddings that are learned
  std::int64_t at(Table table) const;      // 0 for tables that are never trained
  std::int64_t at(Map map) const;
};

enum class OptimizerKind { sgd, adamw };
const char* name(OptimizerKind kind);
OptimizerKind parse_optimizer(const std::string& text);  // throws InputError("optimizer", ...)

// A learning rate in force from update number `step` on.
struct RateFrom {
  std::int64_t step = 0;
  double rate = 0;
};

// Who computes gradients of minibatches and held-out predictions: float kernels (numerics/fast_batch.hpp), or the double model as
// docs/theory.md writes it.
enum class KernelKind { fast, reference };
const char* name(KernelKind kernel);
KernelKind parse_kernel(const std::string& text);  // throws InputError("kernel", ...)

// Embedding tables that are trained; the others stay at their draws.
struct Learned {
  bool tok = false, pos = false, out = false;
  bool any() const { return tok || pos || out; }
};

struct TrainOptions {
  TaskKind task = TaskKind::bigram;
  BigramTask bigram;    // used when task = bigram; its `loss` chooses head or full
  MinimalTask minimal;  // used when task = minimal; loss at the second trigger
  ModelOptions model;   // d, score_scale, feed_forward and the initialization of every map; N and T come from the task

  std::uint64_t seed = 1;  // of the data, the embeddings and the initialization
  std::int64_t steps = 400;
  int batch = 64;         // sequences a step, all fresh: step s uses samples s * batch .. (s + 1) * batch - 1
  OptimizerKind optimizer = OptimizerKind::sgd;
  double rate = 0.2;            // learning rate, from update 0 on
  std::vector<RateFrom> rates;  // later ones: piecewise constant, steps >= 1 and increasing
  double momentum = 0.9;        // sgd, PyTorch convention: v = m v + (g + weight_decay theta), theta -= rate v
  double weight_decay = 1e-4;   // sgd: part of the gradient; adamw: theta -= rate weight_decay theta
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;  // adamw (numerics/adamw.hpp)
  FreezeUntil freeze;
  Learned learn;
  KernelKind kernel = KernelKind::fast;

  std::int64_t eval_every = 10;        // steps between evaluations; step 0 and the last step are always evaluated
  int eval_sequences = 256;            // held-out sequences, the same ones at every evaluation
  std::int64_t checkpoint_every = 50;  // steps between checkpoints; the last step always gets one
  std::int64_t snapshot_every = 0;     // steps between states that are kept, step 0 and the last among them; 0: none is kept

  // Defaults: the published code's initialization at reduced size (T = 32, d = 96), chosen so that both layers form in about
  // a minute on two cores. Setting model.d alone leaves score_scale at 1/sqrt(96); published_options() has all that go with
  // a d.
  TrainOptions();

  int T() const { return task == TaskKind::bigram ? bigram.T : minimal.T; }
  int N(const BigramCounts& corpus) const { return task == TaskKind::bigram ? corpus.N() : minimal.N; }
  // Learned embeddings have no tables that stay: the reference trains them whatever `kernel` says.
  KernelKind kernel_in_force() const { return learn.any() ? KernelKind::reference : kernel; }
  double rate_at(std::int64_t step) const;  // of update number `step`
  // What the run trains, frozen at first or not: wk1, wk2, wo2, wf with the feed-forward layer, learned embeddings.
  std::vector<Table> trained() const;
  // ModelOptions with N and T filled in from the task.
  ModelOptions model_options(const BigramCounts& corpus) const;
  // Throws InputError naming the key, "train.rate: got -1, expected ...". Keys: data.*, model.*, train.*.
  void validate(const BigramCounts& corpus) const;
};

}  // namespace popgrad
