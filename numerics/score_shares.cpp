#include "numerics/score_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "core/moments.hpp"
#include "core/ordered_sum.hpp"
#include "numerics/block_scores.hpp"
#include "numerics/orbit_sum.hpp"
#include "numerics/stage_strata.hpp"

namespace popgrad {
namespace {

// Weighted sums of squares, and the variance of such a sum, a number each for every acting block.
struct Squares {
  std::vector<double> mean, variance;
  explicit Squares(std::size_t blocks) : mean(blocks, 0.0), variance(blocks, 0.0) {}
  Squares& operator+=(const Squares& other) {
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += other.mean[i];
      variance[i] += other.variance[i];
    }
    return *this;
  }
};

std::vector<ScoreShare> shares_of(const Squares& squares) {
  std::vector<ScoreShare> shares;
  for (std::size_t i = 0; i < squares.mean.size(); ++i) {
    const double rms = std::sqrt(squares.mean[i]);
    // sqrt by its slope.
    shares.push_back({acting_blocks()[i], rms, rms > 0 ? std::sqrt(squares.variance[i]) / (2 * rms) : 0});
  }
  return shares;
}

}  // namespace

std::vector<ScoreShare> score_shares(const MinimalTask& task, const InvariantMaps<double>& maps) {
  check_orbits(task, maps.N, maps.T);
  const std::size_t blocks = acting_blocks().size();
  Squares total(blocks);
  for (int length = task.shortest(); length <= task.T; ++length) {
    const Orbits orbits(task.N, task.background, length);
    const std::vector<double> weights = orbit_weights<double>(task, length);
    const auto body = [&](std::int64_t part, Squares& into) {
      BlockScores scores(maps);
      orbits.visit(part, [&](const Orbit& orbit) {
        const double weight = weights[static_cast<std::size_t>(orbit.classes)] * orbit.triggers;
        const std::vector<double>& squares = scores.mean_squares(orbit);
        for (std::size_t i = 0; i < blocks; ++i) into.mean[i] += weight * squares[i];
      });
    };
    total += ordered_sum(orbits.parts(), 1, Squares(blocks), body, 512);
  }
  return shares_of(total);
}

std::vector<ScoreShare> sampled_score_shares(const MinimalTask& task, const InvariantMaps<double>& maps,
                                             std::int64_t samples, std::uint64_t seed) {
  require(maps.N == task.N && maps.T == task.T, "sampled_score_shares", "maps",
          "N = " + std::to_string(task.N) + ", T = " + std::to_string(task.T),
          "N = " + std::to_string(maps.N) + ", T = " + std::to_string(maps.T));
  const SampleStrata strata(task, samples, true);
  const std::size_t blocks = acting_blocks().size();
  const auto body = [&](std::int64_t number, Squares& into) {
    const SamplePart& part = strata.parts()[static_cast<std::size_t>(number)];
    BlockScores scores(maps);
    std::vector<int> labels;
    Orbit sequence;
    std::vector<Moments> moments(blocks);
    for (std::int64_t i = 0; i < part.count; ++i) {
      Stream stream(seed, Purpose::evaluation, static_cast<std::uint64_t>(part.first + i));
      strata.draw(part, stream, labels, sequence);
      const std::vector<double>& squares = scores.mean_squares(sequence);
      for (std::size_t b = 0; b < blocks; ++b) moments[b].add(squares[b]);
    }
    for (std::size_t b = 0; b < blocks; ++b) {
      into.mean[b] += part.probability * moments[b].mean;
      into.variance[b] += part.probability * part.probability * moments[b].variance() / static_cast<double>(part.count);
    }
  };
  return shares_of(ordered_sum(static_cast<std::int64_t>(strata.parts().size()), 1, Squares(blocks), body, 64));
}

double overwhelming_factor(const std::vector<ScoreShare>& shares, const MapBlock& block) {
  const auto rms = [&](const MapBlock& of) {
    const auto found =
        std::find_if(shares.begin(), shares.end(), [&](const ScoreShare& share) { return share.block == of; });
    require(found != shares.end(), "overwhelming_factor", "shares", "one of each acting block", name(of) + " missing");
    return found->rms;
  };
  const double own = rms(block), memory = rms(memory_block(block.stage));
  if (own == 0) return 0;
  return memory > 0 ? own / memory : std::numeric_limits<double>::infinity();
}

}  // namespace popgrad
