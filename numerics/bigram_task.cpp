#include "numerics/bigram_task.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "numerics/trigger_choice.hpp"

namespace popgrad {
namespace {

void require_shapes(const BigramCounts& counts) {
  const std::size_t N = counts.bytes.size();
  require(N >= 2, "BigramTask::validate", "counts.bytes", "at least 2 tokens", std::to_string(N));
  require(counts.unigram.size() == N, "BigramTask::validate", "counts.unigram", std::to_string(N) + " counts",
          std::to_string(counts.unigram.size()));
  require(counts.bigram.size() == N * N, "BigramTask::validate", "counts.bigram", std::to_string(N * N) + " counts",
          std::to_string(counts.bigram.size()));
  const auto negative = [](std::int64_t n) { return n < 0; };
  require(std::ranges::none_of(counts.unigram, negative) && std::ranges::none_of(counts.bigram, negative),
          "BigramTask::validate", "counts", "non-negative", "a negative count");
  require(counts.characters() > 0, "BigramTask::validate", "counts.unigram", "not all zero", "only zeros");
}

// o_k ~ pi_b(.|q) without q itself is impossible when q is followed by nothing else.
bool followed_by_itself_only(const BigramCounts& counts, int q) {
  const auto z = static_cast<std::size_t>(q);
  if (counts.row_total(q) == 0) return counts.unigram[z] == counts.characters();
  return counts.bigram[z * counts.bytes.size() + z] == counts.row_total(q);
}

}  // namespace

void BigramTask::validate(const BigramCounts& counts) const {
  require_shapes(counts);
  const int N = counts.N();
  if (T < 2) throw InputError("T", std::to_string(T), "at least 2 positions");
  if (K < 1 || K > N) throw InputError("K", std::to_string(K), "between 1 and N = " + std::to_string(N) + " triggers");
  if (triggers == Triggers::fixed && (offset < 0 || offset > N - K))
    throw InputError("offset", std::to_string(offset), "between 0 and N - K = " + std::to_string(N - K));
  if (triggers == Triggers::random) {
    if (offset != 0) throw InputError("offset", std::to_string(offset), "0: random triggers are not ranked by frequency");
    const auto present = std::ranges::count_if(counts.unigram, [](std::int64_t n) { return n > 0; });
    if (present < K)
      throw InputError("K", std::to_string(K), "at most the " + std::to_string(present) + " tokens that occur");
  }
  if (!distinct || outputs == Outputs::uniform) return;
  for (const int q : possible_triggers(counts, *this))
    if (followed_by_itself_only(counts, q))
      throw InputError("distinct", "true, with trigger token " + std::to_string(q) + " that is followed by itself only",
                       "false, uniform outputs, or triggers with another successor");
}

std::string BigramTask::describe() const {
  std::string text = "T=" + std::to_string(T) + " K=" + std::to_string(K) + " triggers=" + name(triggers);
  if (offset != 0) text += " offset=" + std::to_string(offset);
  text += std::string(" outputs=") + name(outputs);
  if (distinct) text += " distinct";
  return text + " loss=" + name(loss);
}

const char* name(Triggers triggers) { return triggers == Triggers::fixed ? "fixed" : "random"; }
const char* name(Outputs outputs) { return outputs == Outputs::uniform ? "uniform" : "bigram"; }
const char* name(LossKind loss) { return loss == LossKind::head ? "head" : "full"; }

Triggers parse_triggers(const std::string& text) {
  if (text == "fixed") return Triggers::fixed;
  if (text == "random") return Triggers::random;
  throw InputError("triggers", "'" + text + "'", "fixed or random");
}

Outputs parse_outputs(const std::string& text) {
  if (text == "uniform") return Outputs::uniform;
  if (text == "bigram") return Outputs::bigram;
  throw InputError("outputs", "'" + text + "'", "uniform or bigram");
}

LossKind parse_loss(const std::string& text) {
  if (text == "head") return LossKind::head;
  if (text == "full") return LossKind::full;
  throw InputError("loss", "'" + text + "'", "head or full");
}

}  // namespace popgrad
