#include "numerics/certified_accuracy.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/errors.hpp"
#include "numerics/orbit_sum.hpp"

namespace popgrad {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool all_zero(const InvariantBlock<Interval>& block) {
  return is_zero(block.diag) && is_zero(block.off) && std::ranges::all_of(block.entries, [](const Interval& x) { return is_zero(x); });
}

// Which ties can be seen without values. flat: W_K2 = 0, all scores are equal. uniform: W_K1 = 0.
enum class Structure { none, flat, isolated, uniform };

Structure structure_of(const InvariantMaps<Interval>& maps) {
  for (const Block key : {Block::R, Block::P, Block::S})
    if (!all_zero(maps.u(key))) return Structure::none;
  for (const Block query : all_blocks)
    for (const Block key : all_blocks)
      if (!(query == Block::E && key == Block::R) && !all_zero(maps.k2(query, key))) return Structure::none;
  if (is_zero(maps.k2(Block::E, Block::R).contrast())) return Structure::flat;
  return std::ranges::all_of(maps.wk1, all_zero) ? Structure::uniform : Structure::isolated;
}

// The attention that a position pays to the trigger as a reduced fraction n/s; of one that is not known {s, 0}, equal to itself
// alone.
using Share = std::pair<int, int>;

Share share_of(int triggers, int s, Structure structure) {
  if (triggers == 0 || structure == Structure::flat) return {0, 1};
  if (triggers == s) return {1, 1};
  if (structure != Structure::uniform) return {s, 0};
  const int common = std::gcd(triggers, s);
  return {triggers / common, s / common};
}

// By class: the shares of its positions, sorted. Classes with the same shares have the same logit.
std::vector<std::vector<Share>> shares(const Orbit& orbit, Structure structure) {
  std::vector<std::vector<Share>> by_class(at(orbit.classes));
  if (structure == Structure::none) return by_class;
  int triggers = 0;
  for (std::size_t s = 0; s < orbit.token.size(); ++s) {
    triggers += orbit.token[s] == orbit.token.back() ? 1 : 0;
    by_class[at(orbit.token[s])].push_back(share_of(triggers, static_cast<int>(s) + 1, structure));
  }
  for (auto& list : by_class) std::ranges::sort(list);
  return by_class;
}

struct Counts {
  Interval right, possible, undecided;  // probability: surely right, perhaps right, not decided
  std::int64_t rows = 0, tied = 0, open = 0;
  Counts& operator+=(const Counts& other) {
    right += other.right;
    possible += other.possible;
    undecided += other.undecided;
    rows += other.rows;
    tied += other.tied;
    open += other.open;
    return *this;
  }
};

// One label of an orbit. logits: those of the classes, and the 0 of the absent tokens, of which there are `absent`.
struct LabelVerdict {
  bool may_win = true, wins = true;
  int tied = 1;
};

LabelVerdict judge_label(const std::vector<Interval>& logits, const std::vector<std::vector<Share>>& shares, Structure structure, int absent,
                         int label) {
  LabelVerdict verdict;
  const Interval& own = logits[at(label)];
  const int classes = static_cast<int>(logits.size()) - 1;
  for (int c = 0; c <= classes; ++c) {
    if (c == label || (c == classes && absent == 0)) continue;
    const Interval& other = logits[at(c)];
    const bool same_point = own.lower() == own.upper() && other.lower() == other.upper() && own.lower() == other.lower();
    if (same_point || (c < classes && structure != Structure::none && shares[at(c)] == shares[at(label)])) {
      verdict.tied += c == classes ? absent : 1;
    } else {
      verdict.wins = verdict.wins && own.lower() > other.upper();
      verdict.may_win = verdict.may_win && own.upper() >= other.lower();
    }
  }
  return verdict;
}

void add_orbit(OrbitPass<Interval>& pass, const Orbit& orbit, const Interval& weight, Structure structure, int N, Counts& sum) {
  const std::vector<Interval>& logits = pass.logits(orbit);
  const auto same = shares(orbit, structure);
  for (int c = 0; c < orbit.classes; ++c) {
    if (orbit.label[at(c)] == 0) continue;
    const LabelVerdict verdict = judge_label(logits, same, structure, N - orbit.classes, c);
    const Interval places = weight * Interval(orbit.label[at(c)]), share = places / Interval(verdict.tied);
    ++sum.rows;
    if (verdict.wins) sum.right += share;
    if (verdict.may_win) sum.possible += share;
    if (verdict.wins && verdict.tied > 1) ++sum.tied;
    if (verdict.may_win && !verdict.wins) {
      ++sum.open;
      sum.undecided += places;
    }
  }
}

}  // namespace

CertifiedAccuracy certified_accuracy(const MinimalTask& task, const InvariantMaps<Interval>& maps) {
  check_orbits(task, maps.N, maps.T);
  const auto bounded = [](const auto& blocks) {
    for (const InvariantBlock<Interval>& block : blocks) {
      if (!block.diag.bounded() || !block.off.bounded()) return false;
      for (const Interval& x : block.entries)
        if (!x.bounded()) return false;
    }
    return true;
  };
  require(bounded(maps.wo) && bounded(maps.wk2) && bounded(maps.wk1), "certified_accuracy", "maps", "bounded parameters", "an unbounded one");
  const Structure structure = structure_of(maps);
  Counts total;
  for (int length = task.shortest(); length <= task.T; ++length) {
    const Orbits orbits(task.N, task.background, length);
    const std::vector<Interval> weight = orbit_weights<Interval>(task, length);
    const auto body = [&](std::int64_t part, Counts& sum) {
      OrbitPass<Interval> pass(maps);
      orbits.visit(part, [&](const Orbit& orbit) { add_orbit(pass, orbit, weight[at(orbit.classes)], structure, task.N, sum); });
    };
    total += ordered_sum(orbits.parts(), 1, Counts{}, body, 512);
  }
  return {Interval(std::max(0.0, total.right.lower()), std::min(1.0, total.possible.upper())), total.rows, total.tied, total.open,
          total.undecided.upper()};
}

}  // namespace popgrad
