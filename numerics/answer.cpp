#include "numerics/answer.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/moments.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/invariant_probes.hpp"
#include "numerics/orbit_sum.hpp"
#include "numerics/stage_strata.hpp"

namespace popgrad {
namespace {

// gamma_n of n roundings, of numbers that add up to `size` in magnitude.
double roundoff_of(double n, double size) {
  const double nu = n * 0x1p-53;
  return nu / (1 - nu) * size;
}

double largest(const std::vector<double>& values) {
  double top = 0;
  for (const double x : values) top = std::max(top, std::abs(x));
  return top;
}

struct Judged {
  double right = 0, margin = 0;
  bool tied = false;
};

// `logits` as OrbitPass::logits gives them; c the class of the right token.
Judged judge_logits(const std::vector<double>& logits, int classes, int others, int c, double tolerance) {
  const double own = logits[static_cast<std::size_t>(c)];
  double best = -INFINITY, top = own;
  for (int k = 0; k <= classes; ++k)
    if (k != c && (k < classes || others > 0)) best = std::max(best, logits[static_cast<std::size_t>(k)]);
  top = std::max(top, best);
  Judged judged;
  judged.margin = own - best;
  if (top - own > tolerance) return judged;
  int tied = 0;
  for (int k = 0; k <= classes; ++k)
    if (top - logits[static_cast<std::size_t>(k)] <= tolerance) tied += k < classes ? 1 : others;
  judged.tied = tied > 1;
  judged.right = 1.0 / tied;
  return judged;
}

struct Tally {
  double right = 0, margin = 0, tied = 0;
  std::int64_t rows = 0;
  double variance = 0;
  void add(const Judged& judged, double weight) {
    right += weight * judged.right;
    margin += weight * judged.margin;
    tied += judged.tied ? weight : 0;
    ++rows;
  }
  Tally& operator+=(const Tally& other) {
    right += other.right;
    margin += other.margin;
    tied += other.tied;
    rows += other.rows;
    variance += other.variance;
    return *this;
  }
};

// How a sequence is judged: make_judge() once a part, judge(orbit, c) for the right class c.
template <class MakeJudge>
Tally over_orbits(const MinimalTask& task, const MakeJudge& make_judge) {
  Tally total;
  for (int length = task.shortest(); length <= task.T; ++length) {
    const Orbits orbits(task.N, task.background, length);
    const std::vector<double> weights = orbit_weights<double>(task, length);
    const auto body = [&](std::int64_t part, Tally& tally) {
      auto judge = make_judge();
      orbits.visit(part, [&](const Orbit& orbit) {
        const double weight = weights[static_cast<std::size_t>(orbit.classes)];
        for (int c = 0; c < orbit.classes; ++c)
          if (const int places = orbit.label[static_cast<std::size_t>(c)]; places > 0) tally.add(judge(orbit, c), weight * places);
      });
    };
    // Two parts (length below 8) take less time than threads need to meet; their sum is the same.
    if (orbits.parts() <= 2) {
      for (std::int64_t part = 0; part < orbits.parts(); ++part) {
        Tally tally;
        body(part, tally);
        total += tally;
      }
    } else {
      total += ordered_sum(orbits.parts(), 1, Tally{}, body, 512);
    }
  }
  return total;
}

template <class MakeJudge>
Tally over_samples(const MinimalTask& task, const AnswerOptions& options, const MakeJudge& make_judge) {
  const SampleStrata strata(task, options.samples, true);
  const auto body = [&](std::int64_t number, Tally& total) {
    const SamplePart& part = strata.parts()[static_cast<std::size_t>(number)];
    auto judge = make_judge();
    std::vector<int> labels;
    Orbit sequence;
    Tally tally;
    Moments right;
    for (std::int64_t i = 0; i < part.count; ++i) {
      Stream stream(options.seed, Purpose::evaluation, static_cast<std::uint64_t>(part.first + i), options.substream);
      strata.draw(part, stream, labels, sequence);
      const auto c = std::find(sequence.label.begin(), sequence.label.end(), 1) - sequence.label.begin();
      const Judged judged = judge(sequence, static_cast<int>(c));
      tally.add(judged, part.probability / static_cast<double>(part.count));
      right.add(judged.right);
    }
    tally.variance = part.probability * part.probability * right.variance() / static_cast<double>(part.count);
    total += tally;
  };
  return ordered_sum(static_cast<std::int64_t>(strata.parts().size()), 1, Tally{}, body, 64);
}

template <class MakeJudge>
Answer evaluate(const MinimalTask& task, const AnswerOptions& options, const MakeJudge& make_judge) {
  const bool exact = task.T <= std::min(options.longest_sum, longest_orbits);
  const Tally tally = exact ? over_orbits(task, make_judge) : over_samples(task, options, make_judge);
  return {tally.right, std::sqrt(tally.variance), tally.margin, tally.tied, tally.rows, exact};
}

void check(const char* function, const MinimalTask& task) {
  task.validate();
  require(task.output_weights.empty(), function, "labels", "uniform", "weighted");
}

}  // namespace

// Scores of layer 1 are sums of 3 entries, of layer 2 of at most 4 + 4 L products; a softmax over L keys adds L + 3 roundings to
// twice the error of its scores, all relative; a value adds L, a logit 2 products.
double logit_roundoff(const InvariantMaps<double>& maps) {
  const double L = maps.T;
  const double score1 = std::abs(maps.k1(Block::E, Block::E).contrast()) + largest(maps.k1(Block::E, Block::P).entries) +
                        largest(maps.k1(Block::P, Block::P).entries);
  double score2 = 0;
  for (const Block query : all_blocks)
    for (const Block key : {Block::E, Block::R}) score2 += is_token(query) ? std::abs(maps.k2(query, key).contrast()) : 0;
  for (const Block query : all_blocks)
    for (const Block key : {Block::P, Block::S}) score2 += largest(maps.k2(query, key).entries);
  const double attention1 = 2 * roundoff_of(4, score1) + roundoff_of(L + 3, 1);
  // A score of layer 2 holds attention weights of layer 1 twice: in its query and in its key.
  const double attention2 = 2 * (roundoff_of(4 * L + 8, score2) + 2 * attention1 * score2) + roundoff_of(L + 3, 1);
  const double value = std::abs(maps.u(Block::E).contrast()) + std::abs(maps.u(Block::R).contrast());
  return 2 * value * (attention2 + attention1 + roundoff_of(L + 3, 1));
}

Answer answer(const MinimalTask& task, const InvariantMaps<double>& maps, const AnswerOptions& options) {
  check("answer", task);
  require(maps.N == task.N && maps.T == task.T, "answer", "maps", "N = " + std::to_string(task.N) + ", T = " + std::to_string(task.T),
          "N = " + std::to_string(maps.N) + ", T = " + std::to_string(maps.T));
  require(std::isfinite(largest_entry(maps)), "answer", "maps", "finite", "an entry that is not");
  const double tolerance = logit_roundoff(maps);
  return evaluate(task, options, [&] {
    return [pass = OrbitPass<double>(maps), N = task.N, tolerance](const Orbit& orbit, int c) mutable {
      return judge_logits(pass.logits(orbit), orbit.classes, N - orbit.classes, c, tolerance);
    };
  });
}

Answer best_possible(const MinimalTask& task, const AnswerOptions& options) {
  check("best_possible", task);
  // Given the sequence, every place that the first trigger may have had is equally likely.
  return evaluate(task, options, [&] {
    return [background = task.background](const Orbit& orbit, int) {
      Orbit places = orbit;
      find_triggers(places, background);
      Judged judged;
      judged.right = static_cast<double>(*std::max_element(places.label.begin(), places.label.end())) / places.triggers;
      return judged;
    };
  });
}

}  // namespace popgrad
