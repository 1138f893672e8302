// Sizes (N, T) and, where a quantity has them, positions t and s: the grid on which a conjecture or a fit is tried.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "theory/formulas/formula.hpp"

namespace popgrad {

struct Size {
  int N = 0, T = 0;
  std::optional<int> t, s;

  Bindings bindings() const;
  std::string describe() const;  // "N=4 T=6 t=3"
  std::optional<int> of(const std::string& symbol) const;
  bool operator==(const Size&) const = default;
};

// The values of one symbol: single ones and ranges, whose ends are formulas in the symbols before it (t: in N and T).
struct ValueRange {
  Formula first, last;  // equal for a single value
};
struct Values {
  std::string argument;  // for messages: "F.toml:5: N"
  std::string text;      // as typed
  std::vector<ValueRange> ranges;
};

// "2..40", "4", "2..T-1", or several with commas. `known`: the symbols that the ends may contain. InputError(argument, ...).
Values parse_values(const std::string& argument, const std::string& text, const std::vector<std::string>& known);

struct Grid {
  Values N, T;
  std::optional<Values> t, s;

  std::string describe() const;  // "N=2..12 T=4..9 t=2..T-1"
};

inline constexpr std::size_t largest_grid = 100'000;

// Every size, N slowest, s fastest, each once. A range is empty where its first value exceeds its last (t = 3..T-2 at T =
// 4). InputError if the grid is empty or has more than `largest_grid` sizes, for N outside 2..10^6, T outside 4..512, and t
// or s outside 1..T.
std::vector<Size> sizes_of(const Grid& grid);

}  // namespace popgrad
