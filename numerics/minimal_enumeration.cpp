#include "numerics/minimal_enumeration.hpp"

#include <numeric>
#include <string>

#include "core/errors.hpp"

namespace popgrad {
namespace {

int background_size(const MinimalTask& task) { return task.background == Background::any ? task.N : task.N - 1; }

// N^2 (T' - 2) b^(T'-3), or limit + 1 if it is larger than limit.
std::int64_t sequences(const MinimalTask& task, int length, std::int64_t limit) {
  std::int64_t product = 1;
  const auto multiply = [&](std::int64_t factor) { product = product > limit / factor ? limit + 1 : product * factor; };
  multiply(task.N);
  multiply(task.N);
  multiply(length - 2);
  for (int i = 0; i < length - 3 && product <= limit; ++i) multiply(background_size(task));
  return product;
}

}  // namespace

MinimalEnumeration::MinimalEnumeration(const MinimalTask& task, std::int64_t limit) : task_(task) {
  task.validate();
  require(limit >= 1 && limit < INT64_MAX / 4, "MinimalEnumeration", "limit", "positive and below 2^61",
          std::to_string(limit));
  for (int length = task.shortest(); length <= task.T; ++length) {
    first_.push_back(size_);
    size_ += sequences(task, length, limit);
    if (size_ > limit)
      throw InputError("N, T", task.describe() + " (more sequences to enumerate than " + std::to_string(limit) + ")",
                       "a smaller N or T");
  }
}

void MinimalEnumeration::build(std::int64_t index, Example& example, std::int64_t& numerator) const {
  require(0 <= index && index < size_, "MinimalEnumeration::build", "index", "in 0.." + std::to_string(size_ - 1),
          std::to_string(index));
  std::size_t which = first_.size() - 1;
  while (first_[which] > index) --which;
  const int length = task_.shortest() + static_cast<int>(which);

  // Mixed radix, least significant digit first: o, q, tau, then the background tokens from left to right.
  std::int64_t rest = index - first_[which];
  const auto digit = [&](int radix) {
    const int value = static_cast<int>(rest % radix);
    rest /= radix;
    return value;
  };
  const int o = digit(task_.N);
  const int q = digit(task_.N);
  const int tau = digit(length - 2);
  example.tokens.resize(static_cast<std::size_t>(length));
  for (int t = 0; t < length; ++t) {
    int& z = example.tokens[static_cast<std::size_t>(t)];
    if (t == tau || t == length - 1) {
      z = q;
    } else if (t == tau + 1) {
      z = o;
    } else {
      z = digit(background_size(task_));
      if (task_.background == Background::avoid && z >= q) ++z;
    }
  }
  example.targets.assign(1, Target{length - 1, o});
  numerator = task_.output_weights.empty() ? 1 : task_.output_weights[static_cast<std::size_t>(o)];
}

std::vector<std::int64_t> MinimalEnumeration::denominator_factors(int length) const {
  require(task_.shortest() <= length && length <= task_.T, "MinimalEnumeration::denominator_factors", "length",
          "between " + std::to_string(task_.shortest()) + " and " + std::to_string(task_.T), std::to_string(length));
  const std::int64_t weights = task_.output_weights.empty() ? task_.N
                                                            : std::accumulate(task_.output_weights.begin(),
                                                                              task_.output_weights.end(), std::int64_t{0});
  std::vector<std::int64_t> factors = {static_cast<std::int64_t>(first_.size()), task_.N, weights, length - 2};
  factors.insert(factors.end(), static_cast<std::size_t>(length - 3), background_size(task_));
  return factors;
}

}  // namespace popgrad
