// Sums, products, quotients and powers of trees: constants folded, nested sums and products flattened, as tree.hpp asks.
// Equal terms are not collected: N + N stays as it is.
#pragma once
#include <vector>

#include "theory/formulas/tree.hpp"

namespace popgrad {

NodePtr added(const std::vector<NodePtr>& terms);
NodePtr multiplied(const std::vector<NodePtr>& factors);
// HypothesisError for the number 0.
NodePtr reciprocal(const NodePtr& node);
// base^exponent. HypothesisError for a literal exponent beyond largest_literal_exponent and for 0 to a negative literal
// power.
NodePtr raised(const NodePtr& base, const NodePtr& exponent);

}  // namespace popgrad
