// Bases to try when the user names none: denominators and degrees read off the values themselves.
#pragma once
#include <string>
#include <vector>

#include "theory/claims/closed_form_fit.hpp"

namespace popgrad {

struct ProposedBasis {
  std::string description;  // "N^i T^j h / (N^2 T^3 (T-1) (T-2)), i <= 1, j <= 5, h in {1, H(T-1)}"
  FitBasis basis;
  std::vector<std::pair<std::string, std::size_t>> values_needed;  // of each variable: "T", 14
};

inline constexpr std::size_t largest_basis = 240;

// `base`: a size with the fixed symbols at their values, and t = 5 where the quantity has t; variables: the symbols that
// vary.
//
// Denominator: the power of N is that of the prime 101 in the denominator of the value at N = 101; likewise N-1 at N = 102;
// T, T-1 and T-2 at T = 29, 30, 31; t at t = 11. Harmonic numbers H(T-1) have 29 in their denominator from T = 30 on, so
// T = 32 tells to which power they enter: the weight. T-1 and T-2 are tried without and with it.
// Numerators: powers of N, T and t up to the degree of the denominator, less what the values at N = 10^6, 10^7 and T = 64,
// 128 decay by, times products of H(T-1), H(T-1,2), H(T-1,3) of at most the weight.
//
// In the order of their sizes, none twice. A guess: what is found is judged by what it predicts, and nothing is said of
// other bases. InputError(argument, ...) if every one of them has more than `largest_basis` functions, or the engine does
// not reach these sizes.
std::vector<ProposedBasis> propose_bases(const std::string& argument, QuantityMeter& meter, const Size& base,
                                         const std::vector<std::string>& variables);

}  // namespace popgrad
