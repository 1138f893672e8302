// The numbers that a conjecture or a fit may be about: entries and signals of the gradients of the three-step construction,
// by name.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/minimal_task.hpp"
#include "core/residual_blocks.hpp"
#include "core/stages.hpp"
#include "theory/formulas/formula.hpp"

namespace popgrad {

// Symbols of sizes and indices, in the order in which grids run over them.
inline const std::vector<std::string>& size_symbols() {
  static const std::vector<std::string> symbols = {"N", "T", "t", "s"};
  return symbols;
}

// "stage2.wk2.ER.diag": a number of -dL/dW at the start of a stage, to leading order in the sizes of the steps before it.
// Parts:
//   diag, off, signal   of a token-token block diag I + off (J - I); signal = diag - off
//   [p]                 entry of a token-position block at position p, from 1
//   [p,q]               entry of a position-position block at query p and key q
//   margin[p]           of (P,P) of W_K1: entry p-1 of row p minus the largest other of keys 1..p; recall where it is > 0
//   signal[p]           of (P,P) of W_K1: entry p-1 of row p minus the mean of keys 2..p-2; 4 <= p <= T-1
// Indices are formulas in N, T, t and s, such as t-1.
struct Quantity {
  enum class Part { diag, off, signal, entry, margin, row_signal };
  std::string name;  // as typed, without blanks
  int stage = 1;
  std::optional<Block> query;  // empty: the output U
  Block key = Block::E;
  Part part = Part::diag;
  std::vector<Formula> indices;

  bool uses(const std::string& symbol) const;  // in an index
};

// InputError(argument, ...) naming what is wrong and the nearest known quantity.
Quantity parse_quantity(const std::string& argument, const std::string& text);

// Every quantity with its indices as [t] or [t,s], in the order of stages and blocks.
std::vector<std::string> all_quantities();

// What the stage starts from.
struct StageSwitches {
  Handoff handoff = Handoff::ideal;
  Blocks blocks = Blocks::full;
  Background background = Background::avoid;
  Query query = Query::last;
};

// "ideal hand-off, avoid, query=last"; stage 1 has no hand-off.
std::string describe(const StageSwitches& switches, int stage);

// The monomials in the sizes of earlier steps that the stage has a coefficient for; the last is the one where the memory
// forms.
std::vector<std::string> monomials(int stage, Handoff handoff);

}  // namespace popgrad
