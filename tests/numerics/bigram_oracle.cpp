#include "tests/numerics/bigram_oracle.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <map>
#include <set>

#include "numerics/trigger_choice.hpp"

namespace popgrad::oracle {
namespace {

class Words {
 public:
  Words(std::uint64_t seed, Purpose purpose, std::uint64_t index)
      : key_{{seed, static_cast<std::uint64_t>(purpose)}}, index_(index) {}
  std::int64_t below(std::int64_t n) {
    const auto m = static_cast<std::uint64_t>(n);
    for (;;) {
      const std::uint64_t x = next();
      if (x >= (0 - m) % m) return static_cast<std::int64_t>(x % m);
    }
  }

 private:
  std::uint64_t next() {
    const r123::Philox4x64::ctr_type counter = {{drawn_ / 4, index_, 0, 0}};
    return r123::Philox4x64()(counter, key_)[drawn_++ % 4];
  }
  r123::Philox4x64::key_type key_;
  std::uint64_t index_, drawn_ = 0;
};

using Law = std::vector<std::int64_t>;  // counts by token

int draw(Words& words, const Law& law) {
  std::int64_t total = 0, x = 0;
  for (const std::int64_t n : law) total += n;
  x = words.below(total);
  int k = 0;
  for (; x >= law[static_cast<std::size_t>(k)]; ++k) x -= law[static_cast<std::size_t>(k)];
  return k;
}

int draw_without(Words& words, Law law, const std::vector<int>& excluded) {
  for (const int q : excluded) law[static_cast<std::size_t>(q)] = 0;
  return draw(words, law);
}

Law row(const BigramCounts& counts, int z) {
  if (counts.row_total(z) == 0) return counts.unigram;
  const auto first = counts.bigram.begin() + static_cast<std::ptrdiff_t>(z) * counts.N();
  return {first, first + counts.N()};
}

bool returns(const std::map<int, int>& output, int q) {
  int z = q;
  for (std::size_t step = 0; step < output.size(); ++step) {
    const auto found = output.find(z);
    if (found == output.end()) return false;
    z = found->second;
    if (z == q) return true;
  }
  return false;
}

}  // namespace

Sequence draw_bigram(const BigramCounts& counts, const BigramTask& task, std::uint64_t seed, Purpose purpose,
                     std::uint64_t index) {
  Words words(seed, purpose, index);
  Sequence s;
  if (task.triggers == Triggers::fixed) s.triggers = possible_triggers(counts, task);
  while (static_cast<int>(s.triggers.size()) < task.K) s.triggers.push_back(draw_without(words, counts.unigram, s.triggers));
  std::map<int, int> output;
  for (const int q : s.triggers) {
    const Law law = task.outputs == Outputs::bigram ? row(counts, q) : Law(counts.unigram.size(), 1);
    const int o = draw_without(words, law, task.distinct ? std::vector<int>{q} : std::vector<int>{});
    s.outputs.push_back(output[q] = o);
  }
  std::vector<int> z = {draw(words, counts.unigram)};
  while (static_cast<int>(z.size()) < task.T + 1)
    z.push_back(output.contains(z.back()) ? output[z.back()] : draw(words, row(counts, z.back())));
  std::set<int> seen;
  for (int t = 0; t < task.T; ++t) {
    const Target target{t, z[static_cast<std::size_t>(t) + 1]};
    const bool head = output.contains(z[static_cast<std::size_t>(t)]) && !seen.insert(z[static_cast<std::size_t>(t)]).second;
    if (head) s.heads.push_back(target);
    if (head || task.loss == LossKind::full) s.example.targets.push_back(target);
  }
  z.pop_back();
  s.example.tokens = z;
  s.cycle = std::ranges::any_of(s.triggers, [&](int q) { return returns(output, q); });
  return s;
}

}  // namespace popgrad::oracle
