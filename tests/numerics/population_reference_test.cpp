#include "numerics/population_reference.hpp"

#include <omp.h>

#include <cmath>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "core/moments.hpp"
#include "numerics/finite_population.hpp"
#include "tests/numerics/train_fixture.hpp"

namespace popgrad {
namespace {

FiniteModel model_of(const TrainOptions& options) {
  return make_model(options.model_options(fixture::small_corpus()), options.seed);
}

const BlockEvidence& find(const GradientEvidence& evidence, const std::string& map, const std::string& block) {
  for (const BlockEvidence& candidate : evidence.blocks)
    if (candidate.map == map && candidate.block == block) return candidate;
  throw std::runtime_error("no such block");
}

TEST_CASE("the reference gradient agrees with full enumeration of the minimal task") {
  TrainOptions options = fixture::small_minimal();
  options.minimal.T = 5;
  const FiniteModel model = model_of(options);
  const SequenceSource source(options, fixture::small_corpus());
  const PopulationReference reference(model, source, 32, 40);
  const TrainedMaps exact = population_gradient(model, options.minimal);
  // E|G_M - G|^2 = c/M with c summed from the single sequences; a factor 4 in the square is 2 standard deviations for one
  // direction and far more for the many that there are.
  for (const Map map : {Map::wo2, Map::wk2, Map::wk1}) {
    double squares = 0;
    const std::int64_t M = 32 * 40;
    for (std::int64_t i = 0; i < M; ++i) {
      TrainedMaps own = TrainedMaps::zero(model.d());
      add_gradient(model, source.draw(Purpose::reference_gradient, static_cast<std::uint64_t>(i)).example, own);
      squares += (own.at(map) - exact.at(map)).squaredNorm();
    }
    const double expected = squares / static_cast<double>(M) / static_cast<double>(M);
    const double found = (reference.gradient().at(map) - exact.at(map)).squaredNorm();
    CHECK(found < 4 * expected);
    CHECK(found > expected / 4);
    CHECK(exact.at(map).squaredNorm() > 4 * expected);  // otherwise zero would pass as well
  }
}

TEST_CASE("W_O2 = 0: the key-query gradients of layer 2 are exactly zero and say so") {
  TrainOptions options = fixture::small_bigram();
  options.model.wo2 = {Init::zero, {}};
  const SequenceSource source(options, fixture::small_corpus());
  const PopulationReference reference(model_of(options), source, 8, 8);
  const GradientEvidence evidence = reference.evidence(source, source.training(), 0).unbiased;
  int zero = 0;
  for (const BlockEvidence& block : evidence.blocks) {
    if (block.map != "wk2") continue;
    CHECK_FALSE(block.has_direction);
    CHECK(block.nonzero_reference == 0);
    CHECK(block.nonzero_batch == 0);
    CHECK(block.batch_square == 0);
    ++zero;
  }
  CHECK(zero == 16);
  CHECK(find(evidence, "wo2", "U,E").nonzero_reference > 32);
}

TEST_CASE("evidence is what plain sums over the sequences give") {
  TrainOptions options = fixture::small_bigram();
  const FiniteModel model = model_of(options);
  const SequenceSource source(options, fixture::small_corpus());
  const std::int64_t B = 6, groups = 12, part = 4;  // the first third fixes the direction
  const PopulationReference reference(model, source, B, groups);
  const GradientEvidence evidence = reference.evidence(source, source.training(), 0).unbiased;
  REQUIRE(evidence.blocks.size() == 4 + 16 + 4);
  CHECK(evidence.reference == B * groups);
  CHECK(evidence.second_part == B * (groups - part));

  const DictionaryBlock at = dictionary_block(Map::wk2, {model.N(), model.T()}, "E,R");
  const auto value = [&](Purpose purpose, std::int64_t i, double& positions) {
    const Example example = source.draw(purpose, static_cast<std::uint64_t>(i)).example;
    positions = static_cast<double>(example.targets.size());
    TrainedMaps own = TrainedMaps::zero(model.d());
    if (!example.targets.empty()) add_gradient(model, example, own);
    return block_of(coefficients(model, Map::wk2, own.wk2), at);
  };
  Matrix first = Matrix::Zero(at.rows, at.columns), all = first, batch = first;
  double n = 0, own = 0, batch_positions = 0;
  for (std::int64_t i = 0; i < B * groups; ++i) {
    const Matrix c = value(Purpose::reference_gradient, i, own);
    if (i < B * part) first += c;
    all += c;
    n += own;
  }
  n /= static_cast<double>(B * groups);
  all /= static_cast<double>(B * groups) * n;
  for (std::int64_t i = 0; i < B; ++i) {
    batch += value(Purpose::bigram_task, i, own);
    batch_positions += own;
  }
  const Matrix pooled = batch / batch_positions;
  batch /= static_cast<double>(B) * n;
  const Matrix direction = first / first.norm();
  const BlockEvidence block = find(evidence, "wk2", "E,R");
  const auto close = [](double a, double b, double scale) { return std::abs(a - b) <= 1e4 * 0x1p-53 * scale; };
  CHECK(close(evidence.positions, n, n));
  CHECK(close(block.batch_projection, batch.cwiseProduct(direction).sum(), batch.norm()));
  CHECK(close(block.pooled_projection, pooled.cwiseProduct(direction).sum(), pooled.norm()));
  CHECK(close(block.batch_square, batch.squaredNorm(), batch.squaredNorm()));
  CHECK(close(block.reference_square, all.squaredNorm(), all.squaredNorm()));
  CHECK(close(block.cross, batch.cwiseProduct(all).sum(), batch.norm() * all.norm()));
  Moments projection;
  double variance = 0;
  Matrix second = Matrix::Zero(at.rows, at.columns);
  for (std::int64_t i = 0; i < B * groups; ++i) {
    const Matrix c = value(Purpose::reference_gradient, i, own) / n;
    variance += (c - all).squaredNorm() / static_cast<double>(B * groups - 1);
    if (i >= B * part) projection.add(c.cwiseProduct(direction).sum());
  }
  CHECK(close(block.one_sample_variance, variance, variance));
  CHECK(close(block.reference_projection, projection.mean, std::sqrt(projection.variance())));
  CHECK(close(block.variance, projection.variance(), projection.variance()));
}

TEST_CASE("a block that the reference does not know counts its own sequences, not those of its map") {
  // Only the rare letter has an embedding, in a direction that nothing else touches: (U,E) of wo2 is zero without it, (U,P)
  // hardly ever.
  std::string text;
  for (int i = 0; i < 12; ++i) text += "abacbcabacbcacb";
  const BigramCounts corpus = count_bigrams("corpus", text + "dab", "test");
  TrainOptions options = fixture::small_bigram();
  options.model = published_options(4, 10, 6);
  FiniteModel model = make_model(options.model_options(corpus), 1);
  model.frozen.tok.setZero();
  model.frozen.tok(3, 0) = 1;
  model.frozen.pos.col(0).setZero();
  model.frozen.wo1.setZero();
  model.frozen.wv2.setIdentity();
  const std::int64_t B = 2, R = 40;
  bool found = false;
  for (options.seed = 1; options.seed < 40 && !found; ++options.seed) {
    const SequenceSource source(options, corpus);
    const GradientEvidence evidence =
        PopulationReference(model, source, B, 4).evidence(source, source.training(), 0, R).unbiased;
    const BlockEvidence block = find(evidence, "wo2", "U,E");
    if (block.nonzero_reference > 0) continue;
    const DictionaryBlock at = dictionary_block(Map::wo2, {model.N(), model.T()}, "U,E");
    std::int64_t of_block = 0, of_map = 0;
    for (std::int64_t i = 0; i < R * B; ++i) {
      const Example example = source.draw(source.training(), static_cast<std::uint64_t>(i)).example;
      if (example.targets.empty()) continue;
      TrainedMaps own = TrainedMaps::zero(model.d());
      add_gradient(model, example, own);
      of_map += own.wo2.isZero(0) ? 0 : 1;
      of_block += block_of(coefficients(model, Map::wo2, own.wo2), at).isZero(0) ? 0 : 1;
    }
    if (of_block == 0) continue;
    found = true;
    CHECK(block.nonzero_batch == of_block);
    CHECK(of_map > of_block);  // otherwise the map's count would do
    CHECK(block.batch_square > 0);
  }
  CHECK(found);
}

TEST_CASE("a minibatch given as a sum takes the place of the first that is drawn") {
  const TrainOptions options = fixture::small_bigram();
  const SequenceSource source(options, fixture::small_corpus());
  const FiniteModel model = model_of(options);
  const PopulationReference reference(model, source, 5, 6);
  BatchGradient own = batch_gradient(model, source, source.training(), 0, 5);
  const auto drawn = reference.evidence(source, source.training(), 0, 3);
  const auto close = [](double a, double b) { return std::abs(a - b) <= 1e4 * 0x1p-53 * (std::abs(a) + std::abs(b)); };
  // The same gradient gives the same evidence, up to the order of sums.
  const auto given = reference.evidence(source, source.training(), 0, 3, &own);
  CHECK(given.unbiased.batch_positions == drawn.unbiased.batch_positions);
  for (std::size_t b = 0; b < reference.blocks(); ++b) {
    CHECK(close(given.unbiased.blocks[b].batch_square, drawn.unbiased.blocks[b].batch_square));
    CHECK(std::abs(given.unbiased.blocks[b].batch_projection - drawn.unbiased.blocks[b].batch_projection) <=
          1e4 * 0x1p-53 * std::sqrt(drawn.unbiased.blocks[b].batch_square));
  }
  // Another one counts for one of three minibatches.
  const double one = find(reference.evidence(source, source.training(), 0).unbiased, "wo2", "U,R").batch_projection;
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2}) own.sum.at(map) *= 10;
  const auto wrong = reference.evidence(source, source.training(), 0, 3, &own);
  CHECK(std::abs(find(wrong.unbiased, "wo2", "U,R").batch_projection - find(drawn.unbiased, "wo2", "U,R").batch_projection -
                 9 * one / 3) <= 1e-10 * std::abs(one));
}

TEST_CASE("several minibatches: projections and squared distances are the means of the single ones, pooled likewise") {
  const TrainOptions options = fixture::small_bigram();
  const SequenceSource source(options, fixture::small_corpus());
  const PopulationReference reference(model_of(options), source, 5, 6);
  const auto all = reference.evidence(source, source.training(), 0, 3);
  double projection = 0, square = 0, cross = 0, pooled = 0, pooled_square = 0;
  for (std::uint64_t r = 0; r < 3; ++r) {
    const auto one = reference.evidence(source, source.training(), 5 * r);
    projection += find(one.unbiased, "wo2", "U,R").batch_projection / 3;
    square += find(one.unbiased, "wo2", "U,R").batch_square / 3;
    cross += find(one.unbiased, "wo2", "U,R").cross / 3;
    pooled += find(one.pooled, "wo2", "U,R").batch_projection / 3;
    pooled_square += find(one.pooled, "wo2", "U,R").batch_square / 3;
  }
  const auto close = [](double a, double b) { return std::abs(a - b) <= 100 * 0x1p-53 * (std::abs(a) + std::abs(b)); };
  const BlockEvidence block = find(all.unbiased, "wo2", "U,R");
  CHECK(close(block.batch_projection, projection));
  CHECK(close(block.batch_square, square));
  CHECK(close(block.cross, cross));
  CHECK(close(block.pooled_projection, pooled));
  CHECK(close(find(all.pooled, "wo2", "U,R").batch_projection, pooled));
  CHECK(close(find(all.pooled, "wo2", "U,R").batch_square, pooled_square));
  CHECK(all.unbiased.minibatches == 3);
  CHECK(pooled != projection);
}

TEST_CASE("the same evidence for 1, 2 and 7 threads") {
  const TrainOptions options = fixture::small_bigram();
  const SequenceSource source(options, fixture::small_corpus());
  const int before = omp_get_max_threads();
  std::vector<GradientEvidence> found;
  for (const int threads : {1, 2, 7}) {
    omp_set_num_threads(threads);
    found.push_back(PopulationReference(model_of(options), source, 9, 6).evidence(source, source.training(), 0).unbiased);
  }
  omp_set_num_threads(before);
  for (std::size_t b = 0; b < found[0].blocks.size(); ++b)
    for (const std::size_t other : {1U, 2U}) {
      CHECK(found[0].blocks[b].batch_projection == found[other].blocks[b].batch_projection);
      CHECK(found[0].blocks[b].spread == found[other].blocks[b].spread);
      CHECK(found[0].blocks[b].one_sample_variance == found[other].blocks[b].one_sample_variance);
    }
}

TEST_CASE("the mean of pooled projections over many batches is off by the bias that is stated") {
  TrainOptions options = fixture::small_bigram();
  const SequenceSource source(options, fixture::small_corpus());
  const std::int64_t B = 4;
  const PopulationReference reference(model_of(options), source, B, 1000);
  Moments difference;
  double bias = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const GradientEvidence evidence =
        reference.evidence(source, source.training(), i * static_cast<std::uint64_t>(B)).unbiased;
    const BlockEvidence block = find(evidence, "wo2", "U,P");
    bias = block.pooled_bias;
    // Against the unbiased estimate of the same batch, whose noise is nearly the same.
    difference.add(block.pooled_projection - block.batch_projection);
  }
  const double se = difference.standard_error();
  CHECK(std::abs(bias) > 6 * se);                                           // there is a bias to see
  CHECK(std::abs(difference.mean - bias) < 5 * se + 0.3 * std::abs(bias));  // up to the next order, 1/B of it
}

TEST_CASE("z-scores of projections over many batches have mean 0 and variance 1, squared distances their expectation") {
  TrainOptions options = fixture::small_bigram();
  const SequenceSource source(options, fixture::small_corpus());
  const std::int64_t B = 40, repetitions = 300;
  // One long reference, so that what is calibrated is the batch: its own error is 1/sqrt(50) of the batch's and shared.
  const PopulationReference reference(model_of(options), source, B, 100);
  const std::vector<std::pair<const char*, const char*>> blocks = {{"wo2", "U,E"}, {"wk2", "E,R"}, {"wk1", "P,P"}};
  std::vector<Moments> z(blocks.size()), ratio(blocks.size());
  for (std::int64_t i = 0; i < repetitions; ++i) {
    const GradientEvidence evidence =
        reference.evidence(source, source.training(), static_cast<std::uint64_t>(i * B)).unbiased;
    const double b = static_cast<double>(B), m2 = static_cast<double>(evidence.second_part),
                 m = static_cast<double>(evidence.reference);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const BlockEvidence block = find(evidence, blocks[k].first, blocks[k].second);
      z[k].add((block.batch_projection - block.reference_projection) / std::sqrt(block.variance * (1 / b + 1 / m2)));
      ratio[k].add((block.batch_square - 2 * block.cross + block.reference_square) /
                   (block.one_sample_variance * (1 / b + 1 / m)));
    }
  }
  const double n = static_cast<double>(repetitions);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    // Mean: the batches' own error, and the reference's, which all of them share: B/M2 = 1/67 of the variance of one.
    CHECK(std::abs(z[k].mean) < 5 * std::sqrt(1 / n + 1.0 / 67));
    // Variance: sqrt(2/n) for a normal z; the one-sample variance is known to sqrt(kurtosis/M2), kurtosis up to 5 here.
    CHECK(std::abs(z[k].variance() - 1) < 5 * std::sqrt(2 / n + 5.0 / 2680));
    // Mean of the squared distances: their own error, that of c, and the reference's distance from G, shared by all.
    CHECK(std::abs(ratio[k].mean - 1) < 5 * std::sqrt(ratio[k].variance() / n + 5.0 / 4000) + 1.0 / 50);
  }
}

TEST_CASE("a law without a loss position is refused") {
  TrainOptions options = fixture::small_bigram();
  options.bigram.T = 2;
  options.bigram.distinct = true;
  options.model = published_options(4, 2, 6);
  const BigramCounts corpus = count_bigrams("corpus", "abababcabdababab", "test");
  const SequenceSource source(options, corpus);
  const FiniteModel model = make_model(options.model_options(corpus), 1);
  CHECK_THROWS_AS(PopulationReference(model, source, 4, 4), InputError);
}

}  // namespace
}  // namespace popgrad
