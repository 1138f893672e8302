// The bigram task: a Markov chain in which K triggers are each followed by an output drawn anew for every sequence.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/bigram_counts.hpp"
#include "core/philox.hpp"
#include "numerics/count_law.hpp"
#include "numerics/sequence.hpp"

namespace popgrad {

enum class Triggers { fixed, random };   // the K most frequent tokens after the first `offset`; K draws without
                                         // replacement ~ pi_u, per sequence
enum class Outputs { uniform, bigram };  // o_k ~ U[N], or ~ pi_b(.|q_k); per sequence
enum class LossKind { head, full };      // head: z_t is a trigger seen before in the sequence; full: every position

struct BigramTask {
  int T = 64;
  int K = 5;
  int offset = 0;
  Triggers triggers = Triggers::fixed;
  Outputs outputs = Outputs::uniform;
  bool distinct = false;  // o_k != q_k
  LossKind loss = LossKind::head;
  void validate(const BigramCounts& counts) const;  // throws InputError naming the key and the value
  std::string describe() const;
};

// Inverse-CDF sampling on integer counts: exact, and equal on every platform.
class BigramSampler {
 public:
  BigramSampler(const BigramCounts& counts, const BigramTask& task);
  // Sample number `index` of stream (seed, purpose); any sample can be drawn alone. T + 1 tokens are drawn, the last one as a target
  // only. `into` is overwritten; one that is used again and again allocates nothing once it has grown.
  void draw(std::uint64_t seed, Purpose purpose, std::uint64_t index, Sequence& into) const;
  Sequence draw(std::uint64_t seed, Purpose purpose, std::uint64_t index) const;
  const std::vector<int>& fixed_triggers() const { return fixed_; }  // empty when triggers are random
  int N() const { return unigram_.N(); }
  const BigramTask& task() const { return task_; }

 private:
  BigramTask task_;
  std::vector<int> fixed_;
  CountLaw unigram_;
  std::vector<CountLaw> after_;  // N
};

const char* name(Triggers triggers);
const char* name(Outputs outputs);
const char* name(LossKind loss);
Triggers parse_triggers(const std::string& text);  // these throw InputError
Outputs parse_outputs(const std::string& text);
LossKind parse_loss(const std::string& text);

}  // namespace popgrad
