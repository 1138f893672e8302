#include "numerics/stage_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "core/stages.hpp"
#include "numerics/leading_pass.hpp"
#include "numerics/orbit_sum.hpp"
#include "numerics/stage_strata.hpp"

namespace popgrad {
namespace {

// The numbers of OrbitSums that the map of a stage is averaged from.
std::vector<std::span<double>> numbers(OrbitSums<double>& sums, int stage) {
  if (stage == 1) return {{&sums.ue, 1}, {&sums.ur, 1}};
  if (stage == 2)
    return {{&sums.ee, 1}, {&sums.er, 1}, {&sums.re, 1}, {&sums.rr, 1}, sums.ep,
            sums.es,       sums.pp,       sums.ps,       sums.sp,       sums.ss};
  return {{&sums.first_ee, 1}, sums.first_ep, sums.first_pp};
}

// Sums over the parts of probability x mean, and of the variance of that.
struct Estimate {
  std::vector<double> mean, variance;
  explicit Estimate(std::size_t entries) : mean(entries, 0.0), variance(entries, 0.0) {}
  Estimate& operator+=(const Estimate& other) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += other.mean[i];
      variance[i] += other.variance[i];
    }
    return *this;
  }
};

// One sample after another of the same law; Welford's mean and sum of squares, which keep small variances of large numbers.
class PartEstimator {
 public:
  PartEstimator(int T, int stage)
      : sums_(T), leading_(T), numbers_(numbers(sums_, stage)), leading_numbers_(numbers(leading_, stage)) {
    std::size_t entries = 0;
    for (const auto& span : numbers_) entries += span.size();
    mean_.assign(entries, 0.0);
    squares_.assign(entries, 0.0);
  }
  PartEstimator(const PartEstimator&) = delete;
  PartEstimator& operator=(const PartEstimator&) = delete;

  // The sample is what was added to sums() minus what was added to leading() since the last call.
  OrbitSums<double>& sums() { return sums_; }
  OrbitSums<double>& leading() { return leading_; }
  void take() {
    ++count_;
    const double share = 1.0 / static_cast<double>(count_);
    std::size_t i = 0;
    for (std::size_t span = 0; span < numbers_.size(); ++span)
      for (std::size_t j = 0; j < numbers_[span].size(); ++j, ++i) {
        const double x = numbers_[span][j] - leading_numbers_[span][j], before = x - mean_[i];
        mean_[i] += share * before;
        squares_[i] += before * (x - mean_[i]);
        numbers_[span][j] = leading_numbers_[span][j] = 0;
      }
  }
  void add_to(Estimate& estimate, double probability) const {
    const double n = static_cast<double>(count_), factor = probability * probability / (n * (n - 1));
    for (std::size_t i = 0; i < mean_.size(); ++i) {
      estimate.mean[i] += probability * mean_[i];
      estimate.variance[i] += factor * squares_[i];
    }
  }

 private:
  OrbitSums<double> sums_, leading_;
  std::vector<std::span<double>> numbers_, leading_numbers_;
  std::vector<double> mean_, squares_;
  std::int64_t count_ = 0;
};

InvariantMaps<double> blocks(const std::vector<double>& entries, const MinimalTask& task, int stage) {
  OrbitSums<double> sums(task.T);
  std::size_t i = 0;
  for (const auto& span : numbers(sums, stage))
    for (double& x : span) x = entries[i++];
  return averaged(sums, task.N, task.T, {stage == 1, stage == 2, stage == 3});
}

void check(const char* argument, const MinimalTask& task, const InvariantMaps<double>& maps) {
  require(maps.N == task.N && maps.T == task.T, "sample_descent", argument,
          "N = " + std::to_string(task.N) + ", T = " + std::to_string(task.T),
          "N = " + std::to_string(maps.N) + ", T = " + std::to_string(maps.T));
}

}  // namespace

SampledDescent sample_descent(const MinimalTask& task, const InvariantMaps<double>& maps, int stage,
                              const SamplingOptions& options, const std::optional<LeadingControl>& control) {
  require(stage >= 1 && stage <= stages, "sample_descent", "stage", "1, 2 or 3", std::to_string(stage));
  const SampleStrata strata(task, options.samples, options.stratified);
  check("maps", task, maps);
  if (control) {
    check("control.at", task, control->at);
    check("control.mean", task, control->mean);
  }
  const Wanted wanted{stage == 1, stage == 2, stage == 3};
  std::size_t entries = 0;
  OrbitSums<double> shape(task.T);
  for (const auto& span : numbers(shape, stage)) entries += span.size();
  const auto body = [&](std::int64_t number, Estimate& estimate) {
    const SamplePart& part = strata.parts()[static_cast<std::size_t>(number)];
    PartEstimator samples(task.T, stage);
    OrbitPass<double> pass(maps);
    std::optional<LeadingPass<double>> leading;
    if (control) leading.emplace(control->at, stage);
    std::vector<int> labels;
    Orbit sequence;
    for (std::int64_t i = 0; i < part.count; ++i) {
      Stream stream(options.seed, Purpose::stage_gradient, static_cast<std::uint64_t>(part.first + i), options.substream);
      strata.draw(part, stream, labels, sequence);
      pass.add_descent(sequence, 1.0, wanted, samples.sums());
      if (leading) leading->add_descent(sequence, control->factor, samples.leading());
      samples.take();
    }
    samples.add_to(estimate, part.probability);
  };
  // Blocks of 4 T^2 numbers: a short wave keeps the memory bounded, and does not change the order of the sum.
  const Estimate total =
      ordered_sum(static_cast<std::int64_t>(strata.parts().size()), 1, Estimate(entries), body,
                  std::clamp<std::int64_t>((std::int64_t{1} << 22) / static_cast<std::int64_t>(entries), 8, 64));
  SampledDescent result{blocks(total.mean, task, stage), {}, strata.samples()};
  if (control) result.mean.add(control->factor, control->mean);
  std::vector<double> deviation;
  for (const double variance : total.variance) deviation.push_back(std::sqrt(variance));
  result.error = blocks(deviation, task, stage);
  for (auto* list : {&result.error.wo, &result.error.wk1})
    for (InvariantBlock<double>& block : *list) block.off = std::abs(block.off);
  for (InvariantBlock<double>& block : result.error.wk2) block.off = std::abs(block.off);
  return result;
}

// The variance is a quadratic in the factor: three of its values, from the same samples, give its minimum.
double fitted_factor(const MinimalTask& task, const InvariantMaps<double>& maps, int stage, const SamplingOptions& options,
                     const LeadingControl& control) {
  SamplingOptions pilot = options;
  pilot.samples = std::max<std::int64_t>(200, options.samples / 20);
  pilot.substream = 1;
  const auto variance = [&](double factor) {
    LeadingControl tried = control;
    tried.factor = factor;
    const SampledDescent estimate = sample_descent(task, maps, stage, pilot, tried);
    double sum = 0;
    const auto add = [&sum](const auto& list) {
      for (const InvariantBlock<double>& block : list) {
        sum += block.diag * block.diag;
        for (const double error : block.entries) sum += error * error;
      }
    };
    add(estimate.error.wo);
    add(estimate.error.wk2);
    add(estimate.error.wk1);
    return sum;
  };
  const double without = variance(0), minus = variance(-1), plus = variance(1);
  const double of_leading = (plus + minus) / 2 - without, covariance = (minus - plus) / 4;
  return of_leading > 0 ? std::clamp(covariance / of_leading, 0.0, 1.0) : 1;
}

}  // namespace popgrad
