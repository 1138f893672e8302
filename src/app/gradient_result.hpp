// A population gradient block by block, as popgrad gradient shows it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/grade.hpp"
#include "core/rational.hpp"
#include "core/rational_function.hpp"
#include "numerics/block_summary.hpp"

namespace popgrad {

// A value with what is known of its error; what is empty does not apply.
struct Number {
  double value = 0;
  std::optional<Rational> exact;
  std::optional<RationalFunction> formula;  // of N; then value and exact are those at one N, or exact is empty and value 0
  std::optional<double> roundoff;           // |value - exact| <= roundoff
  std::optional<double> lower, upper;       // enclosure
  std::optional<double> se;                 // standard error of a sampled value
  std::optional<double> spread;             // standard deviation over embedding draws
};

// a - b, exact, enclosed or bounded where both are. The standard error is the sum of the two,
// which it cannot exceed however they are correlated.
Number difference(const Number& a, const Number& b);
bool is_zero(const Number& x);  // exactly, bounds included

struct GradientBlock {
  std::string name;  // "E,R": query or output first
  BlockKind kind = BlockKind::token_token;
  Number diag, off, contrast;   // token-token; contrast = diag - off
  std::vector<Number> entries;  // token-position: T, one a position; position-position: T x T, row-major, query first
};

bool is_zero(const GradientBlock& block);  // every number of it

struct GradientTerm {
  std::string monomial;  // "full" at full order
  std::vector<GradientBlock> blocks;
};

struct GradientResult {
  std::string engine;
  Grade grade = Grade::exact;
  std::string work;        // what was added up: "203 orbits", "1728 sequences"
  std::int64_t draws = 0;  // of whatever was drawn
  std::vector<GradientTerm> terms;
};

}  // namespace popgrad
