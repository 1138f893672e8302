// Theorem 3 as a lattice: which assumptions each stage needs, and what stands in the way where one is dropped.
#pragma once
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/row.hpp"
#include "theory/claims/lattice_accuracy.hpp"

namespace popgrad {

// ties: the margin is exactly zero.
enum class Formation { forms, fails, ties, undecided, not_applicable };
const char* name(Formation formation);

// What a cell says of its stage, and the row of verdicts that backs it: the cell's statement, "the memory forms" or "it
// fails", is verified if it was found true and every negative control was refuted.
struct LatticeCell {
  Formation formation = Formation::undecided;
  double margin = 0;  // how far from the edge, > 0 where it forms; what of, is in docs/theory.md
  std::string exact;  // the same as a rational, if it is one
  // The sign of the memory signal at full softmax and the row's sizes: "+ certified", .., "undecided"; empty: not asked.
  std::string at_sizes;
  std::string because;  // what stands in the way, by what factor, and what dropping it does; empty where it forms
  Row row;
};

struct LatticeSwitches {
  Handoff handoff = Handoff::actual;
  Blocks blocks = Blocks::full;
  MinimalTask task;
  std::string describe() const;  // "actual, full, N=4 T=6 avoid query=last"
};

// Columns of the lattice.
inline constexpr std::array<const char*, 5> lattice_columns = {"gate", "step 1", "step 2", "step 3", "end"};

struct LatticeRow {
  LatticeSwitches switches;
  std::array<LatticeCell, lattice_columns.size()> cells;
  BestAccuracy accuracy;
  double ideal_head = 0, chance = 0;
};

struct LatticeOptions {
  int N = 4, T = 6;
  std::optional<Background> background;  // both if empty
  std::optional<Query> query;
  std::optional<StageSizes> sizes;  // instead of the grid
  SizeGrid grid;
  std::int64_t samples = 2000;  // a gradient or an accuracy, where T is too long for sums over orbits
  std::uint64_t seed = 1;
  std::function<void(const std::string&)> progress = [](const std::string&) {};
};

// All rows, hand-off slowest: ideal isolated avoid last first. InputError for a bad size.
std::vector<LatticeRow> lattice(const LatticeOptions& options);

// The cells' rows, each with part "gate", "step 1", ..; the row of `end` carries the series "lattice_accuracy".
std::vector<Row> lattice_verdicts(const std::vector<LatticeRow>& rows);

}  // namespace popgrad
