#include "numerics/cycle_count.hpp"

#include <omp.h>

#include <cmath>

#include "core/errors.hpp"
#include "numerics/trigger_choice.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

BigramTask task(int K, Outputs outputs, bool distinct) {
  BigramTask t;
  t.T = 2;
  t.K = K;
  t.outputs = outputs;
  t.distinct = distinct;
  return t;
}

// Exact probability of a cycle with fixed triggers: sum over all (K+1)^K maps trigger -> trigger or "another token". A cycle
// is found by walking K steps: whoever is then still on a trigger walks in a circle.
double cycle_probability(const BigramCounts& counts, const BigramTask& t) {
  const std::vector<int> q = possible_triggers(counts, t);
  const std::size_t K = q.size();
  std::vector<std::vector<double>> p(K, std::vector<double>(K + 1, 0));
  for (std::size_t j = 0; j < K; ++j) {
    double other = 1;
    const double own = t.outputs == Outputs::uniform ? 1.0 / counts.N() : counts.bigram_probability(q[j], q[j]);
    for (std::size_t k = 0; k < K; ++k) {
      p[j][k] = t.outputs == Outputs::uniform ? 1.0 / counts.N() : counts.bigram_probability(q[j], q[k]);
      if (t.distinct) p[j][k] = k == j ? 0 : p[j][k] / (1 - own);
      other -= p[j][k];
    }
    p[j][K] = other;
  }
  double total = 0;
  std::vector<std::size_t> to(K, 0);
  for (;;) {
    double weight = 1;
    for (std::size_t j = 0; j < K; ++j) weight *= p[j][to[j]];
    bool cycle = false;
    for (std::size_t at = 0; at < K; ++at) {
      std::size_t here = at;
      for (std::size_t step = 0; step < K && here < K; ++step) here = to[here];
      cycle = cycle || here < K;
    }
    if (cycle) total += weight;
    std::size_t digit = 0;
    while (digit < K && ++to[digit] > K) to[digit++] = 0;
    if (digit == K) return total;
  }
}

}  // namespace

TEST_CASE("exact cycle probabilities of five fixed triggers: K/N, its o != q form, and the real bigram law") {
  const BigramCounts& counts = default_counts();
  CHECK(std::abs(cycle_probability(counts, task(5, Outputs::uniform, false)) - 5.0 / 65) < 1e-12);
  // o != q: 1 - (N - K) N^(K-1) / (N-1)^K, from the same count of forests.
  CHECK(std::abs(cycle_probability(counts, task(5, Outputs::uniform, true)) - (1 - 60 * std::pow(65, 4) / std::pow(64, 5))) <
        1e-12);
  // Computed in Python fractions from the counts of the text.
  CHECK(std::abs(cycle_probability(counts, task(5, Outputs::bigram, false)) - 0.15504146286675835) < 1e-12);
  CHECK(std::abs(cycle_probability(counts, task(5, Outputs::bigram, true)) - 0.07082245950340357) < 1e-12);
}

TEST_CASE("the sampled fraction of cycles agrees with the exact probability, with and without o = q") {
  const std::int64_t n = 40000;
  for (const auto outputs : {Outputs::uniform, Outputs::bigram})
    for (const bool distinct : {false, true}) {
      const BigramTask t = task(5, outputs, distinct);
      const double p = cycle_probability(default_counts(), t);
      const CycleCount count = count_cycles(BigramSampler(default_counts(), t), 1, Purpose::bigram_task, n);
      INFO(name(outputs) << (distinct ? " distinct " : " ") << count.fraction() << " against " << p);
      CHECK(count.samples == n);
      // 5 standard deviations of a binomial fraction.
      CHECK(std::abs(count.fraction() - p) < 5 * std::sqrt(p * (1 - p) / static_cast<double>(n)));
      CHECK(count.absorbed <= count.cycles);
    }
}

TEST_CASE("random triggers with uniform outputs have a cycle with probability K/N too") {
  BigramTask t = task(8, Outputs::uniform, false);
  t.triggers = Triggers::random;
  const double p = 8.0 / 65, n = 20000;
  const CycleCount count = count_cycles(BigramSampler(default_counts(), t), 2, Purpose::bigram_task, 20000);
  CHECK(std::abs(count.fraction() - p) < 5 * std::sqrt(p * (1 - p) / n));
}

TEST_CASE("long sequences with a cycle among frequent triggers end inside it, two tokens rarely have time to") {
  BigramTask t = task(5, Outputs::bigram, false);
  t.T = 256;
  const CycleCount longer = count_cycles(BigramSampler(default_counts(), t), 1, Purpose::bigram_task, 1000);
  t.T = 2;
  const CycleCount shorter = count_cycles(BigramSampler(default_counts(), t), 1, Purpose::bigram_task, 1000);
  CHECK(longer.cycles == shorter.cycles);  // the map is drawn before the tokens
  CHECK(longer.absorbed > shorter.absorbed);
  CHECK(longer.absorbed <= longer.cycles);
  CHECK(10 * longer.absorbed > 9 * longer.cycles);
}

TEST_CASE("the standard error is that of a binomial fraction, no samples is refused, threads change nothing") {
  CycleCount count;
  count.samples = 100;
  count.cycles = 20;
  CHECK(std::abs(count.standard_error() - 0.04) < 1e-15);
  const BigramSampler sampler(default_counts(), task(5, Outputs::bigram, false));
  CHECK_THROWS_AS(count_cycles(sampler, 1, Purpose::bigram_task, 0), HypothesisError);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const CycleCount one = count_cycles(sampler, 1, Purpose::bigram_task, 3000);
  omp_set_num_threads(7);
  const CycleCount seven = count_cycles(sampler, 1, Purpose::bigram_task, 3000);
  omp_set_num_threads(before);
  CHECK(one.cycles == seven.cycles);
  CHECK(one.absorbed == seven.absorbed);
}
