// A statement about a quantity that the user wrote down, judged size by size on exact values.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "theory/claims/quantity_meter.hpp"
#include "theory/claims/size_grid.hpp"

namespace popgrad {

enum class Relation { equals, above, at_least, below, at_most, grows_like };
const char* name(Relation relation);    // "equals", as in the file
const char* symbol(Relation relation);  // "=", ">", ">=", "<", "<=", "~"

struct Conjecture {
  std::string name;      // of letters, digits, '.', '_' and '-'
  std::string argument;  // for messages: "F.toml:3: conjecture 'name'"
  QuantityMeter meter;
  Relation relation;
  Formula formula;
  std::string variable;  // of grows_like: "N", "T", "t" or "s"
  Grid grid;
  std::vector<Size> sizes;

  std::string statement() const;      // "stage2.wk2.ER.diag > 0"
  std::string configuration() const;  // statement, switches and grid: what identifies the row
};

// What one size said. grows_like: predicted is the formula, measured the quantity, and holds is not meant.
struct SizeAnswer {
  Size size;
  Rational predicted, measured;
  bool holds = false;
};

struct ConjectureAnswer {
  std::vector<SizeAnswer> sizes;  // in grid order
  Row row;
};

// Everything that can be wrong without measuring: a size that the quantity or the engine does not have, a formula without a
// value at a size (a division by zero, H of no whole number), a work of more than about half an hour, and for grows_like
// fewer than six values of the variable or values that span less than a factor of 8. InputError naming the conjecture and
// the size.
void require_answerable(const Conjecture& conjecture);

// equals: predicted and measured rationals must be the same at every size. Negative controls on the same grid: the sign,
// factors 1.1, 0.9 and 2, every symbol x of the formula replaced by x + 1, and by its first value. A grid with one value of
// x cannot refute the last, and the row is undecided.
//
// Inequalities: the entry of a size is 1 where it holds. Controls: the opposite at every size; the quantity mirrored at the
// bound (on it everywhere: its sign); all sizes but the first; the bound moved just beyond the closest size (by a tenth).
// They are negations, false wherever the row holds, and show only that the check can fail: "above -1000" passes them. How
// near the bound is, is said by the closest size and its slack in the reason of a verified row.
//
// grows_like f in x: quantity = c f (1 + O(log x/x)), c not 0, judged by the exponent of x left over in quantity/f, for each
// combination of the other symbols. Controls: f times x^{+-1/4}, x^{+-1/2}, (H(x) + c)^{+-1} for c = 0, 1, 10. That is
// evidence at these sizes and no proof. docs/theory.md, section 6.
//
// Verified means: on this grid.
ConjectureAnswer judge_conjecture(Conjecture& conjecture, const std::function<void(const std::string&)>& progress);

// Internal to theory/claims: the rows of the three kinds from measured answers.
Row judge_equality(const Conjecture& conjecture, const std::vector<SizeAnswer>& answers);
Row judge_inequality(const Conjecture& conjecture, const std::vector<SizeAnswer>& answers);
Row judge_growth(const Conjecture& conjecture, const std::vector<SizeAnswer>& answers);

}  // namespace popgrad
