// Batches of every option of the model, and two evaluations of one compared within the bound of
// tests/oracle/bounded_pass.hpp.
#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "numerics/batch_gradient.hpp"
#include "tests/numerics/oracle_instances.hpp"
#include "tests/oracle/bounded_faults.hpp"
#include "tests/oracle/bounded_pass.hpp"

namespace popgrad::agreement {

constexpr double u_float = 0x1.0p-24, u_double = 0x1.0p-53;
constexpr Map all_maps[] = {Map::wk1, Map::wk2, Map::wo2, Map::wf};

struct Batch {
  std::string name;
  FiniteModel model;
  SequenceSource source;
  std::uint64_t first = 0;
  std::int64_t count = 1;

  std::vector<Example> examples() const;
};
// Sizes that are multiples of nothing, every loss, task, embedding law and scale of the scores; `seed` draws the parameters.
std::vector<Batch> batches(std::uint64_t seed);

// Plain loops in float, right or with a fault.
BatchGradient plain_float(const Batch& batch, oracle::Fault fault = oracle::Fault::none);

struct Agreement {
  int entries = 0, outside = 0;
  double worst = 0;   // largest |difference| / bound
  double width = 0;   // median over entries of bound / root mean square of the map's entries: how much the bound leaves open
  std::string where;  // of the worst
};
std::string describe(const Agreement& agreement);

// The oracle's pass over a batch at unit roundoff u: the sum of the units of the two evaluations that are compared.
class Judge {
 public:
  Judge(const Batch& batch, double u);
  // Gradients of `maps`, loss and counts; a map that was not asked for must be exactly zero.
  Agreement compare(const BatchGradient& found, const std::vector<Map>& maps) const;
  const oracle::BoundedPass& pass() const { return pass_; }

 private:
  oracle::BoundedPass pass_;
};

}  // namespace popgrad::agreement
