#include "check/consistency.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "check/statistics.hpp"
#include "core/errors.hpp"
#include "core/philox.hpp"

namespace popgrad {
namespace {

// A block with projections of mean 1 and one-sample variance 4 (se 0.2 sqrt(1.1) at B = 100, M2 = 1000), normal in shape, in
// which nothing is wrong.
BlockEvidence good_block() {
  BlockEvidence block;
  block.map = "wo2";
  block.block = "U,E";
  block.nonzero_reference = 2000;
  block.nonzero_batch = 100;
  block.has_direction = true;
  block.reference_projection = 3;
  block.batch_projection = 3.1;
  block.variance = 4;
  block.one_sample_variance = 50;
  block.batch_square = 9.5;
  block.cross = 9;
  block.reference_square = 9;
  block.spread = 0.04;
  return block;
}

GradientEvidence evidence_of(const BlockEvidence& block) {
  GradientEvidence evidence;
  evidence.batch = 100;
  evidence.reference = 2000;
  evidence.second_part = 1000;
  evidence.groups = 20;
  evidence.positions = 5;
  evidence.batch_positions = 500;
  evidence.blocks = {block};
  return evidence;
}

Row recorded() {
  Row row;
  row.verdict = Verdict::verified;
  return row;
}

TEST_CASE("the two statistics of a block, with their errors, from first principles") {
  const auto rows = judge_consistency(evidence_of(good_block()), 1e-6);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].statistic == Statistic::projection);
  CHECK(std::abs(rows[0].se - std::sqrt(4.0 / 100 + 4.0 / 1000)) < 1e-15);
  CHECK(std::abs(rows[0].z - 0.1 / std::sqrt(0.044)) < 1e-12);
  CHECK(rows[0].bound == family_t(1e-6, 2, 999));  // no skewness, no excess kurtosis: nothing to widen
  CHECK(rows[0].verdict == Verdict::verified);
  CHECK(rows[1].statistic == Statistic::squared_distance);
  CHECK(std::abs(rows[1].predicted - 50 * (1.0 / 100 + 1.0 / 2000)) < 1e-15);
  CHECK(std::abs(rows[1].measured - (9.5 - 18 + 9)) < 1e-12);
  CHECK(rows[1].bound == family_t(1e-6, 2, 19));
}

TEST_CASE("a reversed gradient, a sum instead of a mean and a doubled distance are refuted") {
  const GradientEvidence right = evidence_of(good_block());
  CHECK(judge_consistency(right.scaled(-1), 1e-6)[0].verdict == Verdict::refuted);
  CHECK(judge_consistency(right.scaled(100), 1e-6)[0].verdict == Verdict::refuted);
  CHECK(judge_consistency(right.scaled(100), 1e-6)[1].verdict == Verdict::refuted);
  BlockEvidence doubled = good_block();
  doubled.batch_square += 0.5250;  // measured distance 2 x 0.525 instead of about 0.525
  CHECK(judge_consistency(evidence_of(doubled), 1e-6)[1].verdict == Verdict::refuted);
}

TEST_CASE("values that are not numbers are refuted, never passed") {
  BlockEvidence block = good_block();
  block.batch_projection = std::nan("");
  block.batch_square = std::nan("");
  for (const CompareRow& row : judge_consistency(evidence_of(block), 1e-6)) CHECK(row.verdict == Verdict::refuted);
}

TEST_CASE("an effect too small to be seen makes a row undecided and says how many sequences decide it") {
  BlockEvidence block = good_block();
  block.reference_projection = 0.5;
  block.batch_projection = 0.5;
  const CompareRow row = judge_consistency(evidence_of(block), 1e-6)[0];
  CHECK(row.verdict == Verdict::undecided);
  // 2 x 0.5 must exceed bound x se; a batch k times larger, reference alike, has se/sqrt(k).
  const double k = static_cast<double>(row.needed_sequences) / 100;
  CHECK(2 * 0.5 * std::sqrt(k) > row.bound * row.se);
  CHECK(row.needed_sequences > 100);
}

TEST_CASE("sparse values are undecided, and with the stated batch the widening is allowed") {
  BlockEvidence block = good_block();
  block.kurtosis = 400;
  block.skewness = 19;
  const CompareRow row = judge_consistency(evidence_of(block), 1e-6)[0];
  CHECK(row.verdict == Verdict::undecided);
  CHECK(std::abs(row.effective_samples - 0.25) < 1e-12);
  GradientEvidence longer = evidence_of(block);
  const double factor = static_cast<double>(row.needed_sequences) / 100;
  longer.batch = row.needed_sequences;
  longer.second_part = static_cast<std::int64_t>(std::ceil(1000 * factor));
  longer.reference = 2 * longer.second_part;
  CHECK(judge_consistency(longer, 1e-6)[0].verdict == Verdict::verified);
  longer.batch = row.needed_sequences / 2;
  longer.second_part /= 2;
  CHECK(judge_consistency(longer, 1e-6)[0].verdict == Verdict::undecided);
}

TEST_CASE("R minibatches: the projection has the width of R B sequences, the distance that of one minibatch") {
  GradientEvidence evidence = evidence_of(good_block());
  evidence.minibatches = 16;
  const auto rows = judge_consistency(evidence, 1e-6);
  CHECK(std::abs(rows[0].se - std::sqrt(4.0 / 1600 + 4.0 / 1000)) < 1e-15);
  CHECK(std::abs(rows[1].predicted - 50 * (1.0 / 100 + 1.0 / 2000)) < 1e-15);
  CHECK(std::abs(rows[1].se - 0.04 * std::sqrt(1.0 / 16 + 1.0 / 20)) < 1e-15);
}

TEST_CASE("exact zeros are compared exactly") {
  BlockEvidence block = good_block();
  block.has_direction = false;
  block.nonzero_reference = 0;
  block.nonzero_batch = 0;
  block.batch_square = 0;
  auto rows = judge_consistency(evidence_of(block), 1e-6);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].statistic == Statistic::exact_zero);
  CHECK(rows[0].verdict == Verdict::verified);
  // All k of the non-zero sequences among 2100 in the 100 of the batch: (1/21)^k, below 1e-6 from k = 5 on.
  block.batch_square = 1;
  block.nonzero_batch = 4;
  CHECK(judge_consistency(evidence_of(block), 1e-6)[0].verdict == Verdict::undecided);
  block.nonzero_batch = 5;
  CHECK(judge_consistency(evidence_of(block), 1e-6)[0].verdict == Verdict::refuted);
  block.batch_square = 0;  // sums that cancel are not zeros
  CHECK(judge_consistency(evidence_of(block), 1e-6)[0].verdict == Verdict::refuted);
}

TEST_CASE("more blocks widen the bound of each") {
  GradientEvidence evidence = evidence_of(good_block());
  const double one = judge_consistency(evidence, 1e-6)[0].bound;
  evidence.blocks.assign(30, good_block());
  CHECK(judge_consistency(evidence, 1e-6)[0].bound == family_t(1e-6, 60, 999));
  CHECK(judge_consistency(evidence, 1e-6)[0].bound > one);
}

TEST_CASE("the score of a squared distance is standard normal for a chi-square with few degrees of freedom") {
  // 6 degrees of freedom: mean 6, standard deviation sqrt(12); the untransformed score would have skewness 1.15.
  Moments score;
  double third = 0;
  for (std::uint64_t i = 0; i < 4000; ++i) {
    Stream stream(5, Purpose::test, i);
    double square = 0;
    for (int k = 0; k < 6; ++k) {
      const double x = stream.normal();
      square += x * x;
    }
    BlockEvidence block = good_block();
    block.one_sample_variance = 6 / (1.0 / 100 + 1.0 / 2000);
    block.spread = std::sqrt(12.0);
    block.batch_square = square;
    block.cross = 0;
    block.reference_square = 0;
    GradientEvidence evidence = evidence_of(block);
    evidence.groups = 1'000'000;  // a spread that is known
    const double z = judge_consistency(evidence, 1e-6)[1].z;
    score.add(z);
    third += z * z * z / 4000;
  }
  CHECK(std::abs(score.mean) < 5 / std::sqrt(4000.0));
  CHECK(std::abs(score.variance() - 1) < 5 * std::sqrt(2.0 / 4000) + 0.02);  // the cube root is normal to about 1 %
  CHECK(std::abs(third) < 5 * std::sqrt(15.0 / 4000));
}

TEST_CASE("a control that survives says how many sequences would refute it") {
  const GradientEvidence right = evidence_of(good_block());
  const CompareControl reversed = judge_control("sign", "-g", true, right, right.scaled(-1), {-6}, 1e-6);
  CHECK(reversed.refuted);
  CHECK(reversed.by.rfind("wo2 U,E ", 0) == 0);
  const CompareControl slight = judge_control("factor", "1.1 g", false, right, right.scaled(1.1), {0.3}, 1e-6);
  CHECK_FALSE(slight.refuted);
  const double bound = family_t(1e-6, 2, 999), se = std::sqrt(0.044);
  CHECK(std::abs(static_cast<double>(slight.needed_sequences) - 100 * std::pow(2 * bound * se / 0.3, 2)) <= 1);
}

TEST_CASE("the detectable error of a projection is refuted 95 times in 100") {
  const double e = judge_consistency(evidence_of(good_block()), 1e-6)[0].detectable;
  const std::uint64_t draws = 4000;
  double refuted = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    BlockEvidence block = good_block();
    block.batch_projection = 3 * (1 + e) + std::sqrt(0.044) * Stream(6, Purpose::test, i).normal();
    refuted += judge_consistency(evidence_of(block), 1e-6)[0].verdict == Verdict::refuted ? 1 : 0;
  }
  CHECK(std::abs(refuted / draws - 0.95) < 5 * std::sqrt(0.95 * 0.05 / draws));
}

TEST_CASE("the detectable error of a squared distance is refuted 95 times in 100") {
  // A scaled chi-square with 200 degrees of freedom whose spread is known.
  const double nu = 200;
  const auto row = [&](double square) {
    BlockEvidence block = good_block();
    block.one_sample_variance = 1 / (1.0 / 100 + 1.0 / 2000);
    block.spread = std::sqrt(2 / nu);
    block.batch_square = square;
    block.cross = 0;
    block.reference_square = 0;
    GradientEvidence evidence = evidence_of(block);
    evidence.groups = 1'000'000;
    return judge_consistency(evidence, 1e-6)[1];
  };
  const double e = row(1).detectable;
  const std::uint64_t draws = 2000;
  double refuted = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    Stream stream(7, Purpose::test, i);
    double square = 0;
    for (int k = 0; k < 200; ++k) {
      const double x = stream.normal();
      square += x * x / nu;
    }
    refuted += row((1 + e) * square).verdict == Verdict::refuted ? 1 : 0;
  }
  // The cube root is normal to about 1 %.
  CHECK(std::abs(refuted / draws - 0.95) < 5 * std::sqrt(0.95 * 0.05 / draws) + 0.01);
}

TEST_CASE("few degrees of freedom: the stated number of sequences makes a doubled distance visible, not merely possible") {
  BlockEvidence block = good_block();
  block.spread = 1;  // nu = 2 (0.525/1)^2 / (1 + 1/20) = 0.5
  GradientEvidence evidence = evidence_of(block);
  const CompareRow row = judge_consistency(evidence, 1e-6)[1];
  REQUIRE(row.verdict == Verdict::undecided);
  REQUIRE(row.effective_samples < 4);
  CHECK(row.detectable == 0);
  const double more = static_cast<double>(row.needed_sequences) / 100;
  evidence.minibatches = static_cast<std::int64_t>(std::ceil(more));
  evidence.groups = static_cast<std::int64_t>(std::ceil(20 * more));
  const CompareRow longer = judge_consistency(evidence, 1e-6)[1];
  CHECK(longer.verdict == Verdict::verified);
  CHECK(longer.detectable <= 1.01);
}

TEST_CASE("an undecided stream says which sizes would decide it") {
  BlockEvidence block = good_block();
  block.reference_projection = 0.3;
  block.batch_projection = 0.3;
  GradientEvidence evidence = evidence_of(block);
  evidence.minibatches = 3;
  const CompareReport report = conclude({recorded()}, evidence, evidence, 1e-6, {});
  REQUIRE(report.verdict == Verdict::undecided);
  const double more = static_cast<double>(report.stream_rows[0].needed_sequences) / 300;
  CHECK(report.needed_minibatches == static_cast<std::int64_t>(std::ceil(3 * more)));
  CHECK(report.needed_groups == static_cast<std::int64_t>(std::ceil(20 * more)));
  CHECK(report.next.find("compare.minibatches=" + std::to_string(report.needed_minibatches)) != std::string::npos);
}

TEST_CASE("a wrong or missing record of the run's own gradient keeps the report from being verified") {
  const GradientEvidence right = evidence_of(good_block());
  const CompareControl sign = judge_control("sign", "-g", true, right, right.scaled(-1), {-6}, 1e-6);
  Row own = recorded();
  REQUIRE(conclude({own}, right, right, 1e-6, {sign}).verdict == Verdict::verified);
  own.verdict = Verdict::undecided;
  own.next = "train again";
  CHECK(conclude({own}, right, right, 1e-6, {sign}).verdict == Verdict::undecided);
  CHECK(conclude({own}, right, right, 1e-6, {sign}).next == "train again");
  own.verdict = Verdict::refuted;
  CHECK(conclude({own}, right, right, 1e-6, {sign}).verdict == Verdict::refuted);
}

TEST_CASE("the report is verified only if the decisive controls are refuted") {
  const GradientEvidence right = evidence_of(good_block());
  const CompareControl refuted = judge_control("sign", "-g", true, right, right.scaled(-1), {-6}, 1e-6);
  const CompareControl survivor = judge_control("same", "g", true, right, right, {0.3}, 1e-6);
  const CompareControl informal = judge_control("factor", "1.1 g", false, right, right.scaled(1.1), {0.3}, 1e-6);
  CHECK(conclude({recorded()}, right, right, 1e-6, {refuted, informal}).verdict == Verdict::verified);
  CHECK(conclude({recorded()}, right, right, 1e-6, {refuted, informal}).next.empty());
  const CompareReport undecided = conclude({recorded()}, right, right, 1e-6, {refuted, survivor});
  CHECK(undecided.verdict == Verdict::undecided);
  CHECK(undecided.next.find("minibatches") != std::string::npos);
  const CompareReport wrong = conclude({recorded()}, right.scaled(-1), right, 1e-6, {refuted});
  CHECK(wrong.verdict == Verdict::refuted);
  CHECK(wrong.next.find("wo2 U,E") != std::string::npos);
}

TEST_CASE("evidence without a block is not evidence") {
  GradientEvidence empty = evidence_of(good_block());
  empty.blocks.clear();
  CHECK_THROWS_AS(judge_consistency(empty, 1e-6), HypothesisError);
  CHECK_THROWS_AS(judge_consistency(evidence_of(good_block()), 0), HypothesisError);
}

}  // namespace
}  // namespace popgrad
