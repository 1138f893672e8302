#include "numerics/fast_batch.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/recall.hpp"

namespace popgrad {
namespace {

using kernels::PassSums;
using kernels::FloatMatrix;

// Blocks that are added up at once: as many as a quarter of a gigabyte holds (a block is 0.6 MB at T = 256 and grows as T^2), so
// that the memory of a batch does not grow with its size. Blocks are added in order whatever their number.
std::int64_t wave_of(const PassSums& zero) {
  const std::size_t floats = zero.dscores1.size() + zero.dwk2.size() + zero.dout.size() + zero.dread.size();
  return std::clamp<std::int64_t>((std::int64_t{1} << 28) / static_cast<std::int64_t>(sizeof(float) * floats + 1), 1, 32);
}

// Sequences that share one sum in float. Part of the results: another size gives other bits. Few, so that 7 threads share a
// batch of 64; more in a large batch, where adding a block costs as much as a tenth of a sequence.
std::int64_t block_size(std::int64_t count) { return std::clamp<std::int64_t>(count / 32, 2, 16); }

std::array<FloatMatrix*, 4> tables_of(PassSums& sums) { return {&sums.dscores1, &sums.dwk2, &sums.dout, &sums.dread}; }

// The blocks' sums in double: a long sum of floats would lose what a small batch keeps.
struct Totals {
  std::array<std::vector<double>, 4> entries;

  explicit Totals(PassSums& zero) {
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i].resize(tables_of(zero)[i]->size(), 0.0);
  }

  // Adds blocks in order, entry by entry; threads share the entries.
  void add(std::vector<PassSums>& blocks, std::int64_t count) {
    constexpr std::size_t chunk = 4096;
    std::vector<std::pair<std::size_t, std::size_t>> chunks;  // table, first entry
    for (std::size_t i = 0; i < entries.size(); ++i)
      for (std::size_t first = 0; first < entries[i].size(); first += chunk) chunks.emplace_back(i, first);
#pragma omp parallel for schedule(static)
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      const auto [i, first] = chunks[c];
      const std::size_t end = std::min(first + chunk, entries[i].size());
      double* to = entries[i].data();
      for (std::int64_t b = 0; b < count; ++b) {
        const float* from = tables_of(blocks[static_cast<std::size_t>(b)])[i]->data();
        for (std::size_t e = first; e < end; ++e) to[e] += static_cast<double>(from[e]);
      }
    }
  }

  void store(PassSums& sums) const {
    for (std::size_t i = 0; i < entries.size(); ++i)
      std::ranges::transform(entries[i], tables_of(sums)[i]->data(), [](double x) { return static_cast<float>(x); });
  }
};

struct BlockCounts {
  double loss = 0;
  std::int64_t loss_positions = 0, cycles = 0;
};

}  // namespace

FastBatch::FastBatch(const FiniteModel& model) : model_(model) {}
FastBatch::~FastBatch() = default;

void FastBatch::make_passes() {
  while (passes_.size() < static_cast<std::size_t>(omp_get_max_threads()))
    passes_.push_back(std::make_unique<kernels::SequencePass>(model_.tables()));
}

BatchGradient FastBatch::gradient(const SequenceSource& source, Purpose purpose, std::uint64_t first, std::int64_t count,
                                  const std::vector<Map>& maps) {
  require(count >= 1, "FastBatch::gradient", "count", "at least 1", std::to_string(count));
  const std::int64_t block = block_size(count), blocks = (count + block - 1) / block;
  make_passes();
  if (maps != maps_) sums_.clear();
  maps_ = maps;
  if (sums_.empty()) sums_.push_back(model_.zero_sums(maps));
  const std::int64_t wave = wave_of(sums_.front());
  while (static_cast<std::int64_t>(sums_.size()) < std::min(blocks, wave)) sums_.push_back(model_.zero_sums(maps));

  Totals totals(sums_.front());
  BatchGradient result;
  for (std::int64_t begin = 0; begin < blocks; begin += wave) {
    const std::int64_t here = std::min(wave, blocks - begin);
    std::vector<BlockCounts> counts(static_cast<std::size_t>(here));
    std::vector<std::exception_ptr> failed(static_cast<std::size_t>(here));
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t b = 0; b < here; ++b) {
      const auto slot = static_cast<std::size_t>(b);
      try {
        kernels::SequencePass& pass = *passes_[static_cast<std::size_t>(omp_get_thread_num())];
        PassSums& sums = sums_[slot];
        sums.clear();
        Sequence sequence;
        for (std::int64_t i = (begin + b) * block; i < std::min(count, (begin + b + 1) * block); ++i) {
          source.draw(purpose, first + static_cast<std::uint64_t>(i), sequence);
          counts[slot].cycles += sequence.cycle ? 1 : 0;
          counts[slot].loss_positions += static_cast<std::int64_t>(sequence.example.targets.size());
          counts[slot].loss += pass.forward(sequence.example);
          pass.backward(sums);
        }
      } catch (...) {
        failed[slot] = std::current_exception();
      }
    }
    for (const std::exception_ptr& problem : failed)
      if (problem) std::rethrow_exception(problem);
    for (const BlockCounts& c : counts) {
      result.loss_sum += c.loss;
      result.loss_positions += c.loss_positions;
      result.cycles += c.cycles;
    }
    totals.add(sums_, here);
  }
  result.sequences = count;
  totals.store(sums_.front());
  result.sum = model_.gradient(sums_.front(), maps);
  return result;
}

Evaluation FastBatch::evaluate(const std::vector<Example>& examples) {
  struct Sums {
    RecallSums recall;
    double loss = 0;
    Sums& operator+=(const Sums& other) {
      recall += other.recall;
      loss += other.loss;
      return *this;
    }
  };
  make_passes();
  const int N = model_.tables().N;
  // 2 d products and additions from zero make a logit.
  const double terms = 2.0 * model_.tables().d, unit = 0x1p-24, gamma = terms * unit / (1 - terms * unit);
  const Sums sums = ordered_sum(static_cast<std::int64_t>(examples.size()), 8, Sums{}, [&](std::int64_t e, Sums& partial) {
    const Example& example = examples[static_cast<std::size_t>(e)];
    if (example.targets.empty()) return;
    kernels::SequencePass& pass = *passes_[static_cast<std::size_t>(omp_get_thread_num())];
    partial.loss += pass.forward(example);
    FloatMatrix magnitudes(static_cast<int>(example.targets.size()), N);
    pass.logit_magnitudes(magnitudes);
    std::vector<double> logits(static_cast<std::size_t>(N)), roundoff(logits);
    for (int i = 0; i < magnitudes.rows(); ++i) {
      for (int k = 0; k < N; ++k) {
        logits[static_cast<std::size_t>(k)] = static_cast<double>(pass.logits().row(i)[k]);
        roundoff[static_cast<std::size_t>(k)] = gamma * static_cast<double>(magnitudes.row(i)[k]);
      }
      partial.recall.add(logits.data(), roundoff.data(), N, example.targets[static_cast<std::size_t>(i)].token);
    }
  });
  return {sums.recall.finish(), sums.loss};
}

BatchGradient fast_batch_gradient(const FiniteModel& model, const SequenceSource& source, Purpose purpose, std::uint64_t first,
                                  std::int64_t count, const std::vector<Map>& maps) {
  return FastBatch(model).gradient(source, purpose, first, count, maps);
}

Evaluation fast_evaluate(const FiniteModel& model, const std::vector<Example>& examples) {
  return FastBatch(model).evaluate(examples);
}

}  // namespace popgrad
