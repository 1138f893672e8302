#include "numerics/flow_rule.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "numerics/ideal_scalars.hpp"
#include "numerics/orbit_population.hpp"

namespace popgrad {
namespace {

template <class S>
void clear(InvariantBlock<S>& block) {
  block.diag = block.off = S(0);
  std::fill(block.entries.begin(), block.entries.end(), S(0));
}

template <class S, class Blocks>
void clear_but(Blocks& blocks, const InvariantBlock<S>& kept) {
  for (InvariantBlock<S>& block : blocks)
    if (&block != &kept) clear(block);
}

}  // namespace

template <class S>
InvariantMaps<S> flow_descent(const MinimalTask& task, const InvariantMaps<S>& maps, const FlowRule& rule, const Wanted& wanted) {
  Wanted moved = wanted;
  moved.wk1 = wanted.wk1 && rule.first_keys;
  InvariantMaps<S> descent = orbit_descent(task, maps, moved, rule.paths);
  if (rule.blocks == Blocks::isolated) {
    clear_but(descent.wo, descent.u(Block::E));
    clear_but(descent.wk2, descent.k2(Block::E, Block::R));
    clear_but(descent.wk1, descent.k1(Block::P, Block::P));
  }
  if (!rule.value_block) clear(descent.u(Block::R));
  return descent;
}

FlowRule flow_without(const std::string& word, Blocks blocks) {
  FlowRule rule;
  rule.blocks = blocks;
  if (word == "nothing") return rule;
  if (word == "value_block") rule.value_block = false;
  else if (word == "wk1") rule.first_keys = false;
  else if (word == "value") rule.paths.value = false;
  else if (word == "key") rule.paths.key = false;
  else if (word == "query") rule.paths.query = false;
  else if (word == "guess") rule.paths.guess = false;
  else throw InputError("flow.without", "'" + word + "'", "nothing, value_block, wk1, value, key, query or guess");
  return rule;
}

#define POPGRAD_INSTANTIATE(S) \
  template InvariantMaps<S> flow_descent<S>(const MinimalTask&, const InvariantMaps<S>&, const FlowRule&, const Wanted&);
POPGRAD_FOR_ORBIT_SCALARS(POPGRAD_INSTANTIATE)
#undef POPGRAD_INSTANTIATE

}  // namespace popgrad
