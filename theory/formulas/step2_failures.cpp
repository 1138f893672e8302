#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/step2.hpp"

namespace popgrad {

std::vector<SizeValue> step2_map(Background background, Handoff handoff, Blocks blocks, int largest_N, int largest_T) {
  const Formula diag = step2_diag_outline(background, handoff, blocks);
  const std::vector<std::pair<std::string, Formula>> parts = {{"h_T", step1_h()},        {"X", step2_x()},
                                                              {"Y", step2_y()},          {"Z", step2_z()},
                                                              {"X_R", step2_x_shared()}, {"Z_R", step2_z_shared()}};
  std::vector<SizeValue> map;
  for (int T = 4; T <= largest_T; ++T) {
    Bindings at = {{"T", T}};  // the harmonic numbers once a length
    for (const auto& [name, formula] : parts) at.insert_or_assign(name, formula.evaluate_exact({{"T", T}}));
    for (int N = 2; N <= largest_N; ++N) {
      at.insert_or_assign("N", N);
      map.push_back({N, T, diag.evaluate_exact(at)});
    }
  }
  std::sort(map.begin(), map.end(), [](const SizeValue& a, const SizeValue& b) { return std::pair(a.N, a.T) < std::pair(b.N, b.T); });
  return map;
}

std::vector<std::pair<int, int>> step2_failures(Background background, Handoff handoff, Blocks blocks, int largest_N,
                                                int largest_T) {
  std::vector<std::pair<int, int>> failures;
  for (const SizeValue& diag : step2_map(background, handoff, blocks, largest_N, largest_T))
    if (diag.value <= 0) failures.emplace_back(diag.N, diag.T);
  return failures;
}

bool step2_fails(int N, int T, Background background, Handoff handoff, Blocks blocks) {
  require(N >= 2, "step2_fails", "N", "at least 2", std::to_string(N));
  require(T >= 4, "step2_fails", "T", "at least 4", std::to_string(T));
  const bool full = handoff == Handoff::actual && blocks == Blocks::full;
  if (background == Background::avoid) return T == 4 && (!full || N >= 3);
  if (T == 4) return true;
  if (T == 5) return N <= (full ? 11 : 5);
  return T <= 7 && N == 2;
}

bool step2_fails_any_length(int N, int T, Background background, Handoff handoff, Blocks blocks) {
  require(N >= 2, "step2_fails_any_length", "N", "at least 2", std::to_string(N));
  require(T >= 4 && T <= 40, "step2_fails_any_length", "T", "4 to 40", std::to_string(T));
  const bool full = handoff == Handoff::actual && blocks == Blocks::full;
  if (background == Background::avoid) {
    if (T == 4) return !full || N >= 3;
    if (T == 5) return N >= (full ? 4 : 7);
    return full && T == 6 && N >= 10;
  }
  // By T, from the first length that does not fail at every N: the largest N that fails. After the list it is 2.
  const std::vector<int> largest = full ? std::vector<int>{24, 8, 5, 4, 3, 3, 3} : std::vector<int>{14, 6, 4, 4, 3, 3, 3};
  const int first = full ? 7 : 6, place = T - first;
  if (place < 0) return true;
  if (place < static_cast<int>(largest.size())) return N <= largest[static_cast<std::size_t>(place)];
  return N == 2 && (!full || T <= 30);
}

}  // namespace popgrad
