// Coordinates of a finite-d matrix in the dictionaries of the associative memory: "the gradient as a sum of outer products".
#pragma once
#include <string>
#include <vector>

#include "core/residual_blocks.hpp"
#include "numerics/finite_model.hpp"

namespace popgrad {

// Left atoms u and right atoms v, one a row; a matrix of this map is read as sum_ij c_ij u_i v_j^T.
//   wo2: U (N atoms w_U)                against W_V2 {E, P, R, S}
//   wk2: {E, P, R, S} (queries)         against {E, P, R, S} (keys)
//   wk1: {E, P}                         against {E, P}
//   wf : U                              against {E, P, R, S}
// E = w_E, P = p, R = w_1 = W_O1 W_V1 w_E, S = W_O1 W_V1 p, in the order of core's Coordinates, so that a coefficient
// matrix has the layout of the ideal model's parameter of the same map.
Matrix left_dictionary(const FiniteModel& model, Map map);
Matrix right_dictionary(const FiniteModel& model, Map map);

// c_ij = u_i^T G v_j / (|u_i|^2 |v_j|^2), left count x right count. Exact for orthogonal dictionaries; otherwise cross-talk
// of the other atoms is included. A zero atom (a map that is zero) spans nothing: its coefficients are 0.
// HypothesisError unless G is d x d and the model's shapes fit.
Matrix coefficients(const FiniteModel& model, Map map, const Matrix& G);

// A block of the coefficient matrix: "U,E", "E,R", "P,P" ...; the first name is the query or output.
struct DictionaryBlock {
  std::string name;
  int first_row = 0, first_column = 0;
  int rows = 0, columns = 0;
};
// All blocks of a map, row-major in (query, key) order: 4 for wo2 and wf, 16 for wk2, 4 for wk1.
std::vector<DictionaryBlock> dictionary_blocks(Map map, const Coordinates& at);
// One of them by name; HypothesisError if the map has no such block.
DictionaryBlock dictionary_block(Map map, const Coordinates& at, const std::string& block);
// The entries of that block.
Matrix block_of(const Matrix& coefficients, const DictionaryBlock& block);

}  // namespace popgrad
