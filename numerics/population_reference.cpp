#include "numerics/population_reference.hpp"

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/moments.hpp"
#include "core/ordered_sum.hpp"

namespace popgrad {
namespace {

constexpr std::int64_t block_size = 4;  // as in batch_gradient.cpp
constexpr Map all_maps[] = {Map::wk1, Map::wk2, Map::wo2, Map::wf};

Matrix by_squared_norm(Matrix atoms) {
  for (Eigen::Index i = 0; i < atoms.rows(); ++i) {
    const double square = atoms.row(i).squaredNorm();
    if (square > 0) atoms.row(i) /= square;  // a zero atom spans nothing: its coefficients are 0
  }
  return atoms;
}

TrainedMaps scaled(TrainedMaps maps, double s) {
  for (const Map map : all_maps) maps.at(map) *= s;
  return maps;
}

double inner(const Matrix& a, const Matrix& b) { return a.cwiseProduct(b).sum(); }

}  // namespace

PopulationReference::PopulationReference(const FiniteModel& model, const SequenceSource& source, std::int64_t batch,
                                         std::int64_t groups,
                                         const std::function<void(std::int64_t, std::int64_t)>& progress)
    : model_(model),
      batch_(batch),
      groups_(groups),
      first_part_(std::max<std::int64_t>(1, groups / 3)),
      sum_(TrainedMaps::zero(model.d())) {
  Eigen::setNbThreads(1);  // as in the trainer: a product split among threads has bits that depend on their number
  require(batch >= 1, "PopulationReference", "batch", "at least 1", std::to_string(batch));
  require(groups >= 2 && (groups - first_part_) * batch >= 2, "PopulationReference", "groups",
          "at least 2, with 2 sequences in the second part", std::to_string(groups));
  const Coordinates at{model.N(), model.T()};
  for (const Map map : {Map::wo2, Map::wk2, Map::wk1, Map::wf}) {
    if (map == Map::wf && !model.feed_forward) continue;
    for (const DictionaryBlock& block : dictionary_blocks(map, at))
      blocks_.push_back({maps_.size(), block, false, {}, false});
    maps_.push_back({map, by_squared_norm(left_dictionary(model, map)), by_squared_norm(right_dictionary(model, map))});
  }
  std::vector<Pass> passes;
  for (std::int64_t g = 0; g < groups; ++g) {
    if (g == first_part_) fix_directions(sum_);
    passes.push_back(pass(source, Purpose::reference_gradient, static_cast<std::uint64_t>(g * batch), batch, true));
    sum_ += passes.back().sum;
    if (progress) progress(g + 1, groups);
  }
  describe_blocks(passes);
}

// The direction needs no normalization by n: only the ratio of the block's entries counts.
void PopulationReference::fix_directions(const TrainedMaps& gradient) {
  const std::vector<Matrix> values = block_values(gradient);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    Frame& frame = blocks_[b];
    const double norm = values[b].norm();
    frame.has_direction = norm > 0;
    if (!frame.has_direction) continue;
    const MapFrame& map = maps_[frame.map];
    frame.pullback = map.left.middleRows(frame.at.first_row, frame.at.rows).transpose() * (values[b] / norm) *
                     map.right.middleRows(frame.at.first_column, frame.at.columns);
  }
}

std::vector<Matrix> PopulationReference::block_values(const TrainedMaps& gradient) const {
  std::vector<Matrix> coefficients;
  for (const MapFrame& map : maps_) coefficients.push_back(map.left * gradient.at(map.map) * map.right.transpose());
  std::vector<Matrix> values;
  for (const Frame& frame : blocks_) values.push_back(block_of(coefficients[frame.map], frame.at));
  return values;
}

// The chance of an exact-zero row is a power of this count, so it must be the block's own: the map's gradient can be
// non-zero on every sequence while the block is on few.
void PopulationReference::mark_nonzero(const TrainedMaps& gradient, Eigen::Index row, Matrix& nonzero) const {
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    const MapFrame& map = maps_[m];
    Matrix coefficients;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (blocks_[b].map != m || !blocks_[b].blind) continue;
      if (gradient.at(map.map).isZero(0)) break;
      if (coefficients.size() == 0) coefficients = map.left * gradient.at(map.map) * map.right.transpose();
      nonzero(row, static_cast<Eigen::Index>(b)) = block_of(coefficients, blocks_[b].at).isZero(0) ? 0 : 1;
    }
  }
}

PopulationReference::Pass PopulationReference::pass(const SequenceSource& source, Purpose purpose, std::uint64_t first,
                                                    std::int64_t count, bool with_squares) const {
  const auto blocks = static_cast<Eigen::Index>(blocks_.size());
  Pass result{TrainedMaps::zero(model_.d()), Vector::Zero(count), Matrix::Zero(count, blocks), Matrix::Zero(count, blocks),
              Matrix::Zero(count, blocks)};
  result.sum = ordered_sum(count, block_size, result.sum, [&](std::int64_t i, TrainedMaps& partial) {
    const Sequence sequence = source.draw(purpose, first + static_cast<std::uint64_t>(i));
    if (sequence.example.targets.empty()) return;
    result.positions(i) = static_cast<double>(sequence.example.targets.size());
    TrainedMaps gradient = TrainedMaps::zero(model_.d());
    add_gradient(model_, sequence.example, gradient);
    const std::vector<Matrix> values = with_squares ? block_values(gradient) : std::vector<Matrix>();
    mark_nonzero(gradient, i, result.nonzero);
    for (Eigen::Index b = 0; b < blocks; ++b) {
      const Frame& frame = blocks_[static_cast<std::size_t>(b)];
      if (with_squares) result.squares(i, b) = values[static_cast<std::size_t>(b)].squaredNorm();
      if (frame.has_direction) result.projections(i, b) = inner(gradient.at(maps_[frame.map].map), frame.pullback);
    }
    partial += gradient;
  });
  return result;
}

void PopulationReference::describe_blocks(const std::vector<Pass>& passes) {
  const double B = static_cast<double>(batch_), M = B * static_cast<double>(groups_);
  Moments count;
  for (const Pass& pass : passes)
    for (Eigen::Index i = 0; i < pass.positions.size(); ++i) count.add(pass.positions(i));
  positions_ = count.mean;
  if (!(positions_ > 0))
    throw InputError("compare", "a data law without a loss position in " + std::to_string(count.count) + " sequences",
                     "a law with repeated triggers, or a longer reference");
  base_.batch = batch_;
  base_.reference = groups_ * batch_;
  base_.second_part = (groups_ - first_part_) * batch_;
  base_.groups = groups_;
  base_.positions = positions_;
  base_.positions_error = count.standard_error();
  reference_ = block_values(gradient());

  // Group sums as blocks, once: values[g][b] = C(sum of h over group g).
  std::vector<std::vector<Matrix>> values;
  for (const Pass& pass : passes) values.push_back(block_values(pass.sum));
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    BlockEvidence block;
    block.map = name(maps_[blocks_[b].map].map);
    block.block = blocks_[b].at.name;
    block.has_direction = blocks_[b].has_direction;
    const auto column = static_cast<Eigen::Index>(b);
    const double n = positions_;

    double squares = 0;
    for (const Pass& pass : passes) {
      squares += pass.squares.col(column).sum();
      block.nonzero_reference += (pass.squares.col(column).array() > 0).count();
    }
    blocks_[b].blind = block.nonzero_reference == 0;
    block.reference_square = reference_[b].squaredNorm();
    block.one_sample_variance = (squares / (n * n) - M * block.reference_square) / (M - 1);

    // |g - G'|^2 with G' from the other groups has expectation c (1/B + 1/(M - B)); brought to the width 1/B + 1/M of the
    // batch.
    Moments distance;
    for (const std::vector<Matrix>& group : values) {
      const Matrix own = group[b] / (B * n);
      const Matrix others = (M * reference_[b] - B * own) / (M - B);
      distance.add((own - others).squaredNorm() * (1 / B + 1 / M) / (1 / B + 1 / (M - B)));
    }
    block.spread = std::sqrt(distance.variance());

    if (block.has_direction) {
      Moments moments;
      std::vector<double> x, k;
      for (std::size_t g = static_cast<std::size_t>(first_part_); g < passes.size(); ++g)
        for (Eigen::Index i = 0; i < batch_; ++i) {
          x.push_back(passes[g].projections(i, column) / n);
          k.push_back(passes[g].positions(i) / n);
          moments.add(x.back());
        }
      double third = 0, fourth = 0, mixed = 0, variance_k = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const double dx = x[i] - moments.mean, dk = k[i] - 1;
        third += dx * dx * dx;
        fourth += dx * dx * dx * dx;
        mixed += dx * dk;
        variance_k += dk * dk;
      }
      const double count2 = static_cast<double>(x.size());
      const double central = moments.squares / count2;
      block.reference_projection = moments.mean;
      block.variance = moments.variance();
      if (central > 0) {
        block.skewness = third / count2 / std::pow(central, 1.5);
        block.kurtosis = fourth / count2 / (central * central);
      }
      // E[X/K] - E[X]/E[K] = (E[X] Var K - Cov(X, K)) / B to first order, for means X, K over B sequences with E[K] = 1.
      block.pooled_bias = (moments.mean * variance_k - mixed) / count2 / B;
    }
    base_.blocks.push_back(block);
  }
}

TrainedMaps PopulationReference::gradient() const {
  return scaled(sum_, 1 / (static_cast<double>(groups_ * batch_) * positions_));
}

PopulationReference::Both PopulationReference::evidence(const SequenceSource& source, Purpose purpose, std::uint64_t first,
                                                        std::int64_t minibatches, const BatchGradient* own) const {
  require(minibatches >= 1, "PopulationReference::evidence", "minibatches", "at least 1", std::to_string(minibatches));
  Both both{base_, base_};
  const double R = static_cast<double>(minibatches), expected = static_cast<double>(batch_) * positions_;
  for (std::int64_t r = 0; r < minibatches; ++r) {
    const Pass drawn = pass(source, purpose, first + static_cast<std::uint64_t>(r * batch_), batch_, false);
    const bool given = own != nullptr && r == 0;
    const TrainedMaps& sum = given ? own->sum : drawn.sum;
    const double found = given ? static_cast<double>(own->loss_positions) : drawn.positions.sum();
    const std::vector<Matrix> sums = block_values(sum);
    for (GradientEvidence* evidence : {&both.unbiased, &both.pooled}) {
      const double scale = evidence == &both.unbiased ? 1 / expected : found > 0 ? 1 / found : 0;
      evidence->batch_positions += static_cast<std::int64_t>(found);
      for (std::size_t b = 0; b < blocks_.size(); ++b) {
        BlockEvidence& block = evidence->blocks[b];
        const Frame& frame = blocks_[b];
        const auto column = static_cast<Eigen::Index>(b);
        const double projection = !given                ? drawn.projections.col(column).sum()
                                  : frame.has_direction ? inner(sum.at(maps_[frame.map].map), frame.pullback)
                                                        : 0;
        block.batch_projection += projection * scale / R;
        block.pooled_projection += found > 0 ? projection / found / R : 0;
        block.batch_square += sums[b].squaredNorm() * scale * scale / R;
        block.cross += inner(sums[b], reference_[b]) * scale / R;
        block.nonzero_batch += static_cast<std::int64_t>(drawn.nonzero.col(column).sum());
      }
    }
  }
  for (GradientEvidence* evidence : {&both.unbiased, &both.pooled}) evidence->minibatches = minibatches;
  return both;
}

std::vector<double> PopulationReference::projections(const SequenceSource& source, Purpose purpose, std::uint64_t first,
                                                     std::int64_t count) const {
  require(count >= 1, "PopulationReference::projections", "count", "at least 1", std::to_string(count));
  const Pass drawn = pass(source, purpose, first, count, false);
  std::vector<double> means;
  for (Eigen::Index b = 0; b < drawn.projections.cols(); ++b)
    means.push_back(drawn.projections.col(b).sum() / (static_cast<double>(count) * positions_));
  return means;
}

}  // namespace popgrad
