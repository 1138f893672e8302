// T3.gate (a) and (b): gradients that are zero entry by entry.
#include "core/philox.hpp"
#include "numerics/ideal_population.hpp"
#include "numerics/scalar.hpp"
#include "theory/claims/support.hpp"
#include "theory/claims/t3_gate_parts.hpp"

namespace popgrad {
namespace {

using Jet = PowerSeries<Rational, 2>;  // in the size of everything that is not zero

// h times a matrix of random integers in -3..3.
void fill_random(std::vector<Jet>& map, std::uint64_t seed, std::uint64_t which) {
  Stream stream(seed, Purpose::direction, which);
  for (Jet& x : map) x = Jet::monomial(Rational(static_cast<int>(stream.below(7)) - 3), 1);
}

void fill_random(std::vector<double>& map, std::uint64_t seed, std::uint64_t which) {
  Stream stream(seed, Purpose::direction, which);
  for (double& x : map) x = 3 * stream.normal();
}

// One more entry of W_O: at output 0 and coordinate `column`.
struct Leak {
  const char* name;
  const char* changes;
  Block block;
  bool all_tokens;  // the whole memory diagonal instead of one entry
};

template <class S>
void add_leak(IdealMaps<S>& maps, const Leak& leak, const S& size) {
  const int count = leak.all_tokens ? maps.at.N : 1;
  for (int k = 0; k < count; ++k) maps.u(k, maps.at.at(leak.block, k)) += size;
}

constexpr Leak leaks[] = {{"W_O = h W_O*", "the hypothesis W_O = 0: the output memory is there", Block::E, true},
                          {"one (U,E) entry", "W_O is zero but for one token entry", Block::E, false},
                          {"one (U,R) entry", "W_O is zero but for one remapped-token entry", Block::R, false},
                          {"one (U,S) entry", "W_O is zero but for one remapped-position entry", Block::S, false},
                          {"h on all of (U,R)", "W_O reads remapped tokens", Block::R, true}};

template <class S>
std::vector<Entry> key_entries(const MinimalTask& task, const IdealMaps<S>& maps, bool with_wk2) {
  const IdealMaps<S> descent = population_descent(task, maps, {false, with_wk2, true});
  std::vector<Entry> entries;
  claim_zero(entries, "W_K1", descent.wk1);
  if (with_wk2) claim_zero(entries, "W_K2", descent.wk2);
  return entries;
}

template <class S>
Row without_output(const ClaimContext& context, const MinimalTask& task, const std::string& part, Grade grade, const S& size) {
  IdealMaps<S> maps(task.N, task.T);
  fill_random(maps.wk1, context.seed, 1);
  fill_random(maps.wk2, context.seed, 2);
  std::vector<Control> controls;
  for (const Leak& leak : leaks)
    controls.push_back({leak.name, leak.changes, [=] {
                          IdealMaps<S> wrong = maps;
                          add_leak(wrong, leak, size);
                          return key_entries(task, wrong, true);
                        }});
  return judge("T3.gate", part, task.describe(), grade, key_entries(task, maps, true), 0, controls);
}

}  // namespace

Row gate_without_output(const ClaimContext& context, const MinimalTask& task) {
  return without_output<Jet>(context, task, "W_O=0", Grade::exact, Jet::monomial(Rational(1), 1));
}

Row gate_without_output_enumerated(const ClaimContext& context, const MinimalTask& task) {
  // The budget is 0: every term has the factor W_O = 0, and 0 times a finite number is 0 in floating point too.
  return without_output<double>(context, task, "W_O=0, large keys", Grade::enumerated, 1e-3);
}

namespace {

// h times the first step, or its block (U,E) alone.
IdealMaps<Jet> first_step(const MinimalTask& task, bool all_blocks_kept) {
  const IdealMaps<Rational> step = population_descent(task, IdealMaps<Rational>(task.N, task.T), {true, false, false});
  IdealMaps<Jet> maps(task.N, task.T);
  for (int k = 0; k < task.N; ++k)
    for (int c = 0; c < maps.at.size(); ++c)
      if (all_blocks_kept || c < maps.at.first(Block::E) + task.N) maps.u(k, c) = Jet::monomial(step.u(k, c), 1);
  return maps;
}

// W_K2 = 0, W_K1 random: no gradient in W_K1 if `maps` has a W_O that reads tokens alone.
Row no_first_key(const ClaimContext& context, const MinimalTask& task, const std::string& part, IdealMaps<Jet> maps) {
  const Jet h = Jet::monomial(Rational(1), 1);
  fill_random(maps.wk1, context.seed, 3);
  std::vector<Control> controls;
  for (const Leak& leak : {leaks[2], leaks[3], leaks[4]})
    controls.push_back({leak.name, leak.changes, [=] {
                          IdealMaps<Jet> wrong = maps;
                          add_leak(wrong, leak, h);
                          return key_entries(task, wrong, false);
                        }});
  controls.push_back({"hand-off swapped", "all blocks of the first step: the R block opens a value path", [=] {
                        IdealMaps<Jet> wrong = maps;
                        wrong.wo = first_step(task, true).wo;
                        return key_entries(task, wrong, false);
                      }});
  controls.push_back({"W_K2 = h W_K2*", "the hypothesis W_K2 = 0: the second attention looks for the trigger", [=] {
                        IdealMaps<Jet> wrong = maps;
                        for (int k = 0; k < task.N; ++k) wrong.k2(wrong.at.at(Block::E, k), wrong.at.at(Block::R, k)) += h;
                        return key_entries(task, wrong, false);
                      }});
  return judge("T3.gate", part, task.describe(), Grade::exact, key_entries(task, maps, false), 0, controls);
}

}  // namespace

Row gate_ideal_handoff(const ClaimContext& context, const MinimalTask& task) {
  IdealMaps<Jet> maps(task.N, task.T);
  add_leak(maps, leaks[0], Jet::monomial(Rational(1), 1));  // W_O = h W_O*
  return no_first_key(context, task, "W_K2=0, ideal W_O", maps);
}

Row gate_isolated_handoff(const ClaimContext& context, const MinimalTask& task) {
  return no_first_key(context, task, "W_K2=0, isolated W_O", first_step(task, false));
}

}  // namespace popgrad
