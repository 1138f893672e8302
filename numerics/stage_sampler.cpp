#include "numerics/stage_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/errors.hpp"
#include "core/ordered_sum.hpp"
#include "core/stages.hpp"
#include "numerics/leading_pass.hpp"
#include "numerics/stage_numbers.hpp"
#include "numerics/stage_strata.hpp"

namespace popgrad {
namespace {

// Sums over the parts of a first and a second statistic of each number.
struct Estimate {
  std::vector<double> first, second;
  explicit Estimate(std::size_t entries) : first(entries, 0.0), second(entries, 0.0) {}
  Estimate& operator+=(const Estimate& other) {
    for (std::size_t i = 0; i < first.size(); ++i) {
      first[i] += other.first[i];
      second[i] += other.second[i];
    }
    return *this;
  }
};

// The numbers of one sample after another of the same law, and those of its leading order.
class Samples {
 public:
  Samples(int T, int stage)
      : sums_(T), leading_(T), numbers_(stage_numbers(sums_, stage)), leading_numbers_(stage_numbers(leading_, stage)) {}
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;

  OrbitSums<double>& sums() { return sums_; }
  OrbitSums<double>& leading() { return leading_; }
  // visit(i, number, number of the leading order) of what was added since the last call.
  template <class Visit>
  void take(const Visit& visit) {
    std::size_t i = 0;
    for (std::size_t span = 0; span < numbers_.size(); ++span)
      for (std::size_t j = 0; j < numbers_[span].size(); ++j, ++i) {
        visit(i, numbers_[span][j], leading_numbers_[span][j]);
        numbers_[span][j] = leading_numbers_[span][j] = 0;
      }
  }

 private:
  OrbitSums<double> sums_, leading_;
  std::vector<std::span<double>> numbers_, leading_numbers_;
};

// Welford's mean of x and sum of products of deviations of x and y: small variances of large numbers survive.
class Products {
 public:
  explicit Products(std::size_t entries) : mean_x_(entries, 0.0), mean_y_(entries, 0.0), products_(entries, 0.0) {}
  void next() { share_ = 1.0 / static_cast<double>(++count_); }
  void add(std::size_t i, double x, double y) {
    const double before = x - mean_x_[i];
    mean_x_[i] += share_ * before;
    mean_y_[i] += share_ * (y - mean_y_[i]);
    products_[i] += before * (y - mean_y_[i]);
  }
  double mean(std::size_t i) const { return mean_x_[i]; }
  // Of the means of x and y, for a part of this probability.
  double covariance(std::size_t i, double probability) const {
    const double n = static_cast<double>(count_);
    return probability * probability / (n * (n - 1)) * products_[i];
  }

 private:
  std::vector<double> mean_x_, mean_y_, products_;
  double share_ = 0;
  std::int64_t count_ = 0;
};

void check(const char* argument, const MinimalTask& task, const InvariantMaps<double>& maps) {
  require(maps.N == task.N && maps.T == task.T, "sample_descent", argument,
          "N = " + std::to_string(task.N) + ", T = " + std::to_string(task.T),
          "N = " + std::to_string(maps.N) + ", T = " + std::to_string(maps.T));
}

void check(const MinimalTask& task, const InvariantMaps<double>& maps, int stage, const LeadingControl* control) {
  require(stage >= 1 && stage <= stages, "sample_descent", "stage", "1, 2 or 3", std::to_string(stage));
  check("maps", task, maps);
  if (control == nullptr) return;
  check("control.at", task, control->at);
  check("control.mean", task, control->mean);
  const std::size_t entries = count_stage_numbers(task.T, stage);
  require(control->factors.empty() || control->factors.size() == entries, "sample_descent", "control.factors",
          "none or " + std::to_string(entries), std::to_string(control->factors.size()));
}

// visit(samples) after each sample of part `number`.
template <class Visit>
void draw_part(const SampleStrata& strata, std::int64_t number, const MinimalTask& task, const InvariantMaps<double>& maps,
               int stage, const SamplingOptions& options, const LeadingControl* control, const Visit& visit) {
  const SamplePart& part = strata.parts()[static_cast<std::size_t>(number)];
  const Wanted wanted{stage == 1, stage == 2, stage == 3};
  Samples samples(task.T, stage);
  OrbitPass<double> pass(maps);
  std::optional<LeadingPass<double>> leading;
  if (control) leading.emplace(control->at, stage);
  std::vector<int> labels;
  Orbit sequence;
  for (std::int64_t i = 0; i < part.count; ++i) {
    Stream stream(options.seed, Purpose::stage_gradient, static_cast<std::uint64_t>(part.first + i), options.substream);
    strata.draw(part, stream, labels, sequence);
    pass.add_descent(sequence, 1.0, wanted, samples.sums());
    if (leading) leading->add_descent(sequence, 1.0, samples.leading());
    visit(samples);
  }
}

// Blocks of 4 T^2 numbers: a short wave keeps the memory bounded, and does not change the order of the sum.
template <class Body>
Estimate over_parts(const SampleStrata& strata, std::size_t entries, const Body& body) {
  return ordered_sum(static_cast<std::int64_t>(strata.parts().size()), 1, Estimate(entries), body,
                     std::clamp<std::int64_t>((std::int64_t{1} << 22) / static_cast<std::int64_t>(entries), 8, 64));
}

SampleStrata pilot_strata(const MinimalTask& task, const SamplingOptions& options) {
  return SampleStrata(task, std::max<std::int64_t>(200, options.samples / 20), options.stratified, options.samples);
}

}  // namespace

SampledDescent sample_descent(const MinimalTask& task, const InvariantMaps<double>& maps, int stage,
                              const SamplingOptions& options, const std::optional<LeadingControl>& control) {
  const LeadingControl* with = control ? &*control : nullptr;
  check(task, maps, stage, with);
  const SampleStrata strata(task, options.samples, options.stratified);
  const std::size_t entries = count_stage_numbers(task.T, stage);
  std::vector<double> factors(entries, control ? 1.0 : 0.0);
  if (control && !control->factors.empty()) factors = control->factors;
  Estimate total = over_parts(strata, entries, [&](std::int64_t number, Estimate& estimate) {
    const double probability = strata.parts()[static_cast<std::size_t>(number)].probability;
    Products moments(entries);
    draw_part(strata, number, task, maps, stage, options, with, [&](Samples& samples) {
      moments.next();
      samples.take([&](std::size_t i, double x, double leading) {
        const double rest = x - factors[i] * leading;
        moments.add(i, rest, rest);
      });
    });
    for (std::size_t i = 0; i < entries; ++i) {
      estimate.first[i] += probability * moments.mean(i);
      estimate.second[i] += moments.covariance(i, probability);
    }
  });
  if (control) {
    const std::vector<double> mean = numbers_of_maps(control->mean, stage);
    for (std::size_t i = 0; i < entries; ++i) total.first[i] += factors[i] * mean[i];
  }
  for (double& variance : total.second) variance = std::sqrt(variance);
  SampledDescent result{maps_of_numbers(total.first, task.N, task.T, stage),
                        maps_of_numbers(total.second, task.N, task.T, stage), strata.samples()};
  for (auto* list : {&result.error.wo, &result.error.wk1})
    for (InvariantBlock<double>& block : *list) block.off = std::abs(block.off);
  for (InvariantBlock<double>& block : result.error.wk2) block.off = std::abs(block.off);
  return result;
}

std::int64_t pilot_samples(const MinimalTask& task, const SamplingOptions& options) { return pilot_strata(task, options).samples(); }

std::vector<double> fitted_factors(const MinimalTask& task, const InvariantMaps<double>& maps, int stage,
                                   const SamplingOptions& options, const LeadingControl& control) {
  check(task, maps, stage, &control);
  SamplingOptions pilot = options;
  pilot.substream = 1;
  const SampleStrata strata = pilot_strata(task, options);
  const std::size_t entries = count_stage_numbers(task.T, stage);
  const Estimate total = over_parts(strata, entries, [&](std::int64_t number, Estimate& estimate) {
    const double probability = strata.parts()[static_cast<std::size_t>(number)].probability;
    Products both(entries), squares(entries);
    draw_part(strata, number, task, maps, stage, pilot, &control, [&](Samples& samples) {
      both.next();
      squares.next();
      samples.take([&](std::size_t i, double x, double leading) {
        both.add(i, x, leading);
        squares.add(i, leading, leading);
      });
    });
    for (std::size_t i = 0; i < entries; ++i) {
      estimate.first[i] += both.covariance(i, probability);
      estimate.second[i] += squares.covariance(i, probability);
    }
  });
  std::vector<double> factors;
  for (std::size_t i = 0; i < entries; ++i)
    factors.push_back(total.second[i] > 0 ? std::clamp(total.first[i] / total.second[i], 0.0, 1.0) : 1.0);
  return factors;
}

}  // namespace popgrad
