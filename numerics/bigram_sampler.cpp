#include <algorithm>
#include <numeric>

#include "numerics/bigram_rules.hpp"
#include "numerics/bigram_task.hpp"
#include "numerics/trigger_choice.hpp"

namespace popgrad {
namespace {

// Cumulative counts of one law on {0..N-1}; token k owns the draws before(k)..cdf[k]-1, so a token with count 0 owns none.
struct Law {
  const std::int64_t* cdf;
  int N;

  std::int64_t before(int k) const { return k == 0 ? 0 : cdf[k - 1]; }
  std::int64_t count(int k) const { return cdf[k] - before(k); }
  std::int64_t total() const { return cdf[N - 1]; }
  int owner(std::int64_t draw) const { return static_cast<int>(std::upper_bound(cdf, cdf + N, draw) - cdf); }
};

std::int64_t below(Stream& stream, std::int64_t n) {
  return static_cast<std::int64_t>(stream.below(static_cast<std::uint64_t>(n)));
}

int draw(Stream& stream, const Law& law) { return law.owner(below(stream, law.total())); }

// The law without token q: exact renormalization, by drawing from the counts that are left and stepping over q's.
int draw_without(Stream& stream, const Law& law, int q) {
  const std::int64_t x = below(stream, law.total() - law.count(q));
  return law.owner(x < law.before(q) ? x : x + law.count(q));
}

std::vector<int> draw_without_replacement(Stream& stream, const Law& law, int K) {
  std::vector<int> chosen, ordered;  // as drawn; by token
  std::int64_t left = law.total();
  while (static_cast<int>(chosen.size()) < K) {
    std::int64_t x = below(stream, left);
    for (const int q : ordered)  // step over the counts of tokens already chosen
      if (x >= law.before(q)) x += law.count(q);
    const int z = law.owner(x);
    left -= law.count(z);
    chosen.push_back(z);
    ordered.insert(std::ranges::upper_bound(ordered, z), z);
  }
  return chosen;
}

int draw_output(Stream& stream, const BigramTask& task, const Law& after_trigger, int q) {
  if (task.outputs == Outputs::bigram)
    return task.distinct ? draw_without(stream, after_trigger, q) : draw(stream, after_trigger);
  if (!task.distinct) return static_cast<int>(below(stream, after_trigger.N));
  const int o = static_cast<int>(below(stream, after_trigger.N - 1));
  return o < q ? o : o + 1;
}

}  // namespace

BigramSampler::BigramSampler(const BigramCounts& counts, const BigramTask& task) : N_(counts.N()), task_(task) {
  task.validate(counts);
  if (task.triggers == Triggers::fixed) fixed_ = possible_triggers(counts, task);
  unigram_cdf_.resize(counts.unigram.size());
  std::partial_sum(counts.unigram.begin(), counts.unigram.end(), unigram_cdf_.begin());
  bigram_cdf_.reserve(counts.bigram.size());
  for (int z = 0; z < N_; ++z) {
    if (counts.row_total(z) == 0) {  // a token without a successor (it ends the text only): pi_u
      bigram_cdf_.insert(bigram_cdf_.end(), unigram_cdf_.begin(), unigram_cdf_.end());
      continue;
    }
    std::int64_t total = 0;
    for (int k = 0; k < N_; ++k)
      bigram_cdf_.push_back(total +=
                            counts.bigram[static_cast<std::size_t>(z) * counts.bytes.size() + static_cast<std::size_t>(k)]);
  }
}

BigramSample BigramSampler::draw(std::uint64_t seed, Purpose purpose, std::uint64_t index) const {
  Stream stream(seed, purpose, index);
  const Law unigram{unigram_cdf_.data(), N_};
  const auto after = [&](int z) { return Law{bigram_cdf_.data() + static_cast<std::ptrdiff_t>(z) * N_, N_}; };

  // The order of draws is part of the results: triggers, outputs, tokens.
  BigramSample sample;
  sample.triggers = task_.triggers == Triggers::fixed ? fixed_ : draw_without_replacement(stream, unigram, task_.K);
  std::vector<int> output_of(static_cast<std::size_t>(N_), -1);  // by token; -1: not a trigger
  for (const int q : sample.triggers) {
    const int o = draw_output(stream, task_, after(q), q);
    sample.outputs.push_back(o);
    output_of[static_cast<std::size_t>(q)] = o;
  }
  std::vector<int>& tokens = sample.example.tokens;
  tokens.reserve(static_cast<std::size_t>(task_.T) + 1);
  tokens.push_back(popgrad::draw(stream, unigram));
  while (static_cast<int>(tokens.size()) <= task_.T) {
    const int o = output_of[static_cast<std::size_t>(tokens.back())];
    tokens.push_back(o >= 0 ? o : popgrad::draw(stream, after(tokens.back())));
  }

  sample.example.targets = loss_targets(tokens, sample.triggers, task_.loss);
  sample.head_position_exists = task_.loss == LossKind::head
                                    ? !sample.example.targets.empty()
                                    : !loss_targets(tokens, sample.triggers, LossKind::head).empty();
  tokens.pop_back();  // z_{T+1} is a target only
  const std::vector<bool> cyclic = cyclic_triggers(sample.triggers, sample.outputs);
  sample.cycle = std::ranges::find(cyclic, true) != cyclic.end();
  return sample;
}

}  // namespace popgrad
