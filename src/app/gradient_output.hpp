// A population gradient as text and as JSON.
#pragma once
#include <string>

#include "app/gradient_request.hpp"
#include "app/gradient_result.hpp"
#include "app/terminal.hpp"

namespace popgrad {

// The JSON of docs/formats.md, one line.
std::string gradient_json(const GradientRequest& request, const GradientResult& result);

// Tables: for each monomial the token-token blocks with diag, off and contrast, the others entry by entry, and the memory
// signal.
std::string gradient_table(const GradientRequest& request, const GradientResult& result, const TableStyle& style);

// The blocks of a term whose numbers are functions of N, one entry a line; with values where the user gave N.
std::string formula_table(const GradientTerm& term, const GradientRequest& request, const TableStyle& style);

// At which N the memory signal of such a term is positive: a statement about every N >= 2.
std::string function_signal(const GradientTerm& term, const GradientRequest& request, const TableStyle& style);

// The memory signal of the stage's map: diag - off of (U,E) or (E,R); for (P,P) row by row W[t,t-1] against the other keys.
std::string memory_signal(const GradientTerm& term, int map, const TableStyle& style);

// "25/9216", or six digits where the rational is longer than `longest` characters or there is none.
std::string shown(const Number& x, std::size_t longest = 24);
// "exact", "roundoff 1e-17", "se 0.0001, spread 0.0004", "in [0.1, 0.2]", "enclosure 1e-16 wide".
std::string shown_error(const Number& x);

}  // namespace popgrad
