// Conjectures of a file among the claims of verify: rows, an answer a size, and a file with all of them.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/terminal.hpp"
#include "theory/claims/claim.hpp"
#include "theory/claims/conjecture.hpp"

namespace popgrad {

class ConjectureRun {
 public:
  explicit ConjectureRun(std::vector<Conjecture> conjectures);

  // One claim a conjecture, id "conjecture NAME". They keep the conjectures alive; run at most once.
  std::vector<Claim> claims() const;

  // After the run. Statement, verdict and sizes of each; all sizes, or the first few (of a refuted one those that fail).
  std::string text(bool all_sizes, const TableStyle& style) const;
  // conjectures.tsv: one line a size with both rationals.
  std::string tsv() const;

 private:
  struct Entry {
    Conjecture conjecture;
    std::optional<ConjectureAnswer> answer;
  };
  std::shared_ptr<std::vector<Entry>> entries_;
};

}  // namespace popgrad
