// Small finite-d models with an example each, for comparison with the oracle.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/numerics/oracle_comparison.hpp"
#include "tests/numerics/oracle_instances.hpp"

namespace popgrad::against_oracle {

struct Instance {
  std::string name;
  FiniteModel model;
  Example example;
};

// N, T and d all different. Targets: several, out of order, one position twice, the first position among them.
inline std::vector<Instance> instances() {
  std::vector<Instance> list;
  Stream stream(1, Purpose::test, 100);
  list.push_back({"kappa 1", random_finite(stream, 3, 5, 4, 1, false), {{0, 2, 1, 1, 0}, {{4, 2}}}});
  list.push_back({"kappa 0.6, feed-forward, several targets",
                  random_finite(stream, 3, 5, 4, 0.6, true),
                  {{2, 0, 2, 1, 2}, {{4, 0}, {1, 2}, {3, 1}, {1, 0}, {0, 1}}}});
  list.push_back({"shorter than T", random_finite(stream, 3, 5, 4, 1.7, true), {{1, 0, 2}, {{2, 2}, {1, 1}}}});
  list.push_back({"one token", random_finite(stream, 3, 5, 4, 1.7, false), {{1}, {{0, 2}}}});
  list.push_back({"N larger than d", random_finite(stream, 7, 4, 2, 0.8, true), {{6, 0, 3, 6}, {{3, 5}, {2, 0}}}});
  list.push_back({"no target", random_finite(stream, 3, 5, 4, 1, true), {{1, 2, 0}, {}}});
  list.push_back({"N = 2", random_finite(stream, 2, 4, 3, 1, false), {{0, 1, 1, 0}, {{3, 1}}}});
  Instance twins{"duplicate embeddings", random_finite(stream, 3, 5, 4, 1, true), {{0, 1, 0, 1, 2}, {{4, 1}, {3, 0}}}};
  twins.model.frozen.tok.row(1) = twins.model.frozen.tok.row(0);
  twins.model.frozen.pos.row(2) = twins.model.frozen.pos.row(1);
  twins.model.frozen.out.row(2) = twins.model.frozen.out.row(0);
  list.push_back(twins);
  return list;
}

// `found` against the oracle's numbers, entry by entry; three per cent on the largest must be noticed.
template <class Bounded>
void check_gradient(const Instance& instance, const std::vector<Bounded>& expected, std::vector<double> found) {
  const double K = longest_sum(instance.model);
  const Difference right = compare(expected, found, K);
  CHECK(right.outside == 0);
  CHECK(right.widest <= 1e-4 * right.largest);
  if (instance.example.targets.empty()) {
    CHECK(dot(found, found) == 0);
    return;
  }
  CHECK(right.largest > 0.01);
  std::size_t signal = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (std::abs(expected[i].value) > std::abs(expected[signal].value)) signal = i;
  found[signal] *= 1.03;
  CHECK(compare(expected, found, K).outside == 1);
}

}  // namespace popgrad::against_oracle
