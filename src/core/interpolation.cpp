#include "core/interpolation.hpp"

#include <string>

#include "core/errors.hpp"

namespace popgrad {

// With W(x) = prod_i (x - x_i), the Lagrange polynomial of node i is W(x)/(x - x_i), by synthetic division, over its own
// value at x_i.
std::vector<std::vector<Rational>> interpolation_weights(const std::vector<Rational>& nodes) {
  const std::size_t n = nodes.size();
  require(n > 0, "interpolation_weights", "nodes", "at least one", "none");
  std::vector<Rational> all = {Rational(1)};  // W, the constant term first
  for (const Rational& node : nodes) {
    all.insert(all.begin(), Rational(0));
    for (std::size_t k = 0; k + 1 < all.size(); ++k) all[k] -= node * all[k + 1];
  }
  std::vector<std::vector<Rational>> weights(n, std::vector<Rational>(n));
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<Rational> quotient(n);
    Rational carry(0), at_node(0);
    for (std::size_t k = n; k-- > 0;) {
      carry = all[k + 1] + nodes[i] * carry;
      quotient[k] = carry;
    }
    for (std::size_t k = n; k-- > 0;) at_node = at_node * nodes[i] + quotient[k];
    require(!at_node.is_zero(), "interpolation_weights", "nodes", "distinct", "two equal to " + to_string(nodes[i]));
    for (std::size_t k = 0; k < n; ++k) weights[k][i] = quotient[k] / at_node;
  }
  return weights;
}

}  // namespace popgrad
