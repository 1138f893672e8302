// verify --lattice: the stages of Theorem 3 under each combination of assumptions, as one table.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/terminal.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/lattice.hpp"

namespace popgrad {

// "ETA1,ETA2,ETA3"; InputError("--steps", ..) unless three positive finite numbers.
StageSizes parse_steps(const std::string& text);

class LatticeRun {
 public:
  explicit LatticeRun(std::optional<StageSizes> steps) : steps_(steps) {}
  // Its rows are those of the cells; running it fills the table. Sizes: N = 4, T = 6 unless the context says otherwise.
  Claim claim() const;
  // Table, legend, and for each failing cell what stands in the way.
  std::string text(const TableStyle& style) const;

 private:
  std::optional<StageSizes> steps_;
  std::shared_ptr<std::vector<LatticeRow>> rows_ = std::make_shared<std::vector<LatticeRow>>();
};

}  // namespace popgrad
