// What the tests of agreement between engines share: every combination of switches, and comparisons that are counted.
#pragma once
#include <cstddef>
#include <vector>

#include "core/minimal_task.hpp"
#include "core/stages.hpp"
#include "numerics/ideal_model.hpp"

namespace popgrad::agreement {

struct Switches {
  MinimalTask task;
  Handoff handoff = Handoff::ideal;
  Blocks blocks = Blocks::full;
  int stage = 1;
};

// Both backgrounds and queries, an ideal, an actual isolated and an actual full hand-off, stages 1 to 3: 36 in all. With an
// ideal hand-off `blocks` says nothing. The lengths of query = any must differ: T = 5, with two tokens to keep it tiny.
inline std::vector<Switches> all_switches() {
  std::vector<Switches> all;
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any})
      for (int stage = 1; stage <= 3; ++stage) {
        const bool mixed = query == Query::any;
        const MinimalTask task{mixed ? 2 : 3, mixed ? 5 : 4, background, query, {}};
        all.push_back({task, Handoff::ideal, Blocks::full, stage});
        all.push_back({task, Handoff::actual, Blocks::isolated, stage});
        all.push_back({task, Handoff::actual, Blocks::full, stage});
      }
  return all;
}

// Numbers in W_O, W_K2 or W_K1 of the ideal model, by stage.
inline std::size_t entries_of(int N, int T, int stage) {
  const auto n = static_cast<std::size_t>(N), half = static_cast<std::size_t>(N + T);
  return stage == 1 ? n * 2 * half : stage == 2 ? 4 * half * half : half * half;
}

template <class S>
const std::vector<S>& map_of(const IdealMaps<S>& maps, int stage) {
  return stage == 1 ? maps.wo : stage == 2 ? maps.wk2 : maps.wk1;
}

// How many pairs were looked at, and how many of them `agree` does not hold for.
struct Count {
  std::size_t compared = 0, apart = 0;
};

template <class A, class B, class Agree>
Count compare(const std::vector<A>& a, const std::vector<B>& b, const Agree& agree) {
  Count count;
  if (a.size() != b.size()) return {0, a.size() + b.size()};
  for (std::size_t i = 0; i < a.size(); ++i) {
    ++count.compared;
    if (!agree(a[i], b[i])) ++count.apart;
  }
  return count;
}

}  // namespace popgrad::agreement
