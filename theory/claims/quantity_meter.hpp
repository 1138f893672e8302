// The exact value of a quantity at a size, by an engine that knows no closed form.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/rational.hpp"
#include "numerics/invariant_maps.hpp"
#include "theory/claims/quantity.hpp"
#include "theory/claims/size_grid.hpp"

namespace popgrad {

// Joint laws of a few tokens (numerics/moment_terms.hpp, T <= 512; not stage 3 after full steps) or sums over orbits
// (numerics/stage_terms.hpp, T <= 9 here). Both give rationals and share nothing but the task.
enum class MeterEngine { moments, orbits };
const char* name(MeterEngine engine);

inline constexpr int longest_orbits_measured = 9;

class QuantityMeter {
 public:
  // monomial: one of monomials(); empty: the last of them. engine: empty: moments where it reaches. InputError(argument of
  // each, ...) for a monomial or an engine that does not exist there.
  QuantityMeter(const std::string& argument, Quantity quantity, const StageSwitches& switches, const std::string& monomial,
                std::optional<MeterEngine> engine);

  // InputError naming the size and the index unless it is in range, T within the engine's reach, and t and s set where an
  // index uses them. Computes nothing.
  void require_measurable(const Size& size) const;

  // About how long the gradient of a size takes, on two cores: good to a factor of three.
  double seconds(const Size& size) const;

  // The gradient of the last (N, T) is kept, so sizes are best asked for in grid order.
  Rational at(const Size& size);

  const Quantity& quantity() const { return quantity_; }
  const StageSwitches& switches() const { return switches_; }
  const std::string& monomial() const { return monomial_; }
  MeterEngine engine() const { return engine_; }
  // "stage3.wk1.PP[t,t-1], coefficient of alpha*beta, ideal hand-off, avoid, query=last"
  std::string describe() const;

 private:
  std::vector<int> indices(const Size& size) const;
  const InvariantBlock<Rational>& block(const Size& size);

  std::string argument_;
  Quantity quantity_;
  StageSwitches switches_;
  std::string monomial_;
  MeterEngine engine_;
  int N_ = 0, T_ = 0;
  InvariantMaps<Rational> maps_;
};

}  // namespace popgrad
