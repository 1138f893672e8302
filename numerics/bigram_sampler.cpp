#include "numerics/bigram_rules.hpp"
#include "numerics/bigram_task.hpp"
#include "numerics/trigger_choice.hpp"

namespace popgrad {
namespace {

int draw_output(Stream& stream, const BigramTask& task, const CountLaw& after_trigger, int q) {
  if (task.outputs == Outputs::bigram)
    return task.distinct ? after_trigger.draw_without(stream, q) : after_trigger.draw(stream);
  const auto N = static_cast<std::uint64_t>(after_trigger.N());
  if (!task.distinct) return static_cast<int>(stream.below(N));
  const int o = static_cast<int>(stream.below(N - 1));
  return o < q ? o : o + 1;
}

const BigramTask& validated(const BigramTask& task, const BigramCounts& counts) {
  task.validate(counts);
  return task;
}

}  // namespace

BigramSampler::BigramSampler(const BigramCounts& counts, const BigramTask& task)
    : task_(validated(task, counts)), unigram_(counts.unigram) {
  if (task.triggers == Triggers::fixed) fixed_ = possible_triggers(counts, task);
  for (int z = 0; z < counts.N(); ++z) {
    const auto row = counts.bigram.begin() + static_cast<std::ptrdiff_t>(z) * counts.N();
    // A token without a successor (it ends the text only) is followed by pi_u.
    after_.push_back(counts.row_total(z) == 0 ? unigram_ : CountLaw({row, row + counts.N()}));
  }
}

void BigramSampler::draw(std::uint64_t seed, Purpose purpose, std::uint64_t index, Sequence& into) const {
  Stream stream(seed, purpose, index);
  const auto after = [&](int z) -> const CountLaw& { return after_[static_cast<std::size_t>(z)]; };

  // The order of draws is part of the results: triggers, outputs, tokens.
  if (task_.triggers == Triggers::fixed)
    into.triggers = fixed_;
  else
    unigram_.draw_without_replacement(stream, task_.K, into.triggers);
  TriggerOutputs outputs;
  into.outputs.clear();
  for (const int q : into.triggers) {
    const int o = draw_output(stream, task_, after(q), q);
    into.outputs.push_back(o);
    outputs.set(q, o);
  }
  std::vector<int>& tokens = into.example.tokens;
  tokens.resize(static_cast<std::size_t>(task_.T) + 1);
  int z = unigram_.draw(stream);
  tokens[0] = z;
  for (std::size_t t = 1; t < tokens.size(); ++t) {
    z = outputs.is_trigger(z) ? outputs.after(z) : after(z).draw(stream);
    tokens[t] = z;
  }

  find_heads(tokens, outputs, into.heads);
  std::vector<Target>& targets = into.example.targets;
  if (task_.loss == LossKind::head) {
    targets = into.heads;
  } else {
    targets.resize(static_cast<std::size_t>(task_.T));
    for (std::size_t t = 0; t < targets.size(); ++t) targets[t] = {static_cast<int>(t), tokens[t + 1]};
  }
  tokens.pop_back();  // z_{T+1} is a target only
  into.cycle = cyclic_tokens(into.triggers, outputs).any;
}

Sequence BigramSampler::draw(std::uint64_t seed, Purpose purpose, std::uint64_t index) const {
  Sequence sequence;
  draw(seed, purpose, index, sequence);
  return sequence;
}

}  // namespace popgrad
