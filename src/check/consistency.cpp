#include "check/consistency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/statistics.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

constexpr double fewest_groups = 8, fewest_degrees = 4;
constexpr double power = 1.6448536269514722;  // 95 % of a normal variable lie below

double as_double(std::int64_t n) { return static_cast<double>(n); }

std::int64_t rounded_up(double samples) {
  return samples < 1e15 ? static_cast<std::int64_t>(std::ceil(samples)) : 0;  // 0: out of reach, nothing to recommend
}

bool zero_in_reference(const BlockEvidence& block) { return block.nonzero_reference == 0; }

double comparisons(const GradientEvidence& evidence) {
  double count = 0;
  for (const BlockEvidence& block : evidence.blocks) count += zero_in_reference(block) || !block.has_direction ? 1 : 2;
  return count;
}

CompareRow start(const BlockEvidence& block, Statistic statistic) {
  CompareRow row;
  row.map = block.map;
  row.block = block.block;
  row.statistic = statistic;
  row.nonzero = block.nonzero_batch;
  return row;
}

void judge(CompareRow& row, double wrong_z) {
  if (!(std::abs(row.z) <= row.bound))  // also NaN
    row.verdict = Verdict::refuted;
  else
    row.verdict = std::abs(wrong_z) > row.bound ? Verdict::verified : Verdict::undecided;
}

double sequences(const GradientEvidence& evidence) { return as_double(evidence.batch * evidence.minibatches); }

// Sequences at which an error of size `error` is refuted with the stated power, if the standard error is `se` now.
double powerful(double now, double bound, double se, double error) {
  const double ratio = (bound + power) * se / std::abs(error);
  return now * ratio * ratio;
}

// What an undecided row asks for. If it should have been decided now, chance was against it: twice as many.
std::int64_t beyond(double now, double needed) { return rounded_up(needed > now ? needed : 2 * now); }

// Sequences at which a/sqrt(r) + b/r = target, r = how many times more than now.
double enlarged(double now, double a, double b, double target) {
  const double x = b > 0 ? (std::sqrt(a * a + 4 * b * target) - a) / (2 * b) : target / a;  // x = 1/sqrt(r)
  return now / (x * x);
}

CompareRow projection_row(const BlockEvidence& block, const GradientEvidence& evidence, double level, double family) {
  CompareRow row = start(block, Statistic::projection);
  const double S = sequences(evidence), M = as_double(evidence.second_part);
  const double width = 1 / S + 1 / M;
  row.predicted = block.reference_projection;
  row.measured = block.batch_projection;
  row.se = std::sqrt(block.variance * width);
  row.pooled = block.pooled_projection;
  row.pooled_bias = block.pooled_bias;
  row.effective_samples = S / block.kurtosis;
  if (!(row.se > 0)) {
    row.reason = "the block is zero on every sequence of the reference's second part: a longer reference decides";
    return row;
  }
  row.z = (row.measured - row.predicted) / row.se;
  const double q = family_t(level, family, M - 1);
  const double skewness = std::abs(block.skewness) * std::abs(1 / (S * S) - 1 / (M * M)) / std::pow(width, 1.5);
  const double excess = std::max(0.0, block.kurtosis - 3) * (1 / (S * S * S) + 1 / (M * M * M)) / (width * width);
  const double a = skewness * (q * q - 1) / 6, b = excess * (q * q * q - 3 * q) / 24;
  row.bound = q + a + b;
  if (a + b > q / 2) {
    // There the bound is 3q/2; the reversed gradient must be noticed as well.
    row.needed_sequences = rounded_up(std::max(enlarged(S, a, b, q / 2), powerful(S, 1.5 * q, row.se, 2 * row.predicted)));
    row.reason = "single sequences are too heavy-tailed for a mean of so few to be normal";
    return row;
  }
  row.detectable = row.predicted != 0 ? (row.bound + power) * row.se / std::abs(row.predicted) : 0;
  judge(row, (-row.measured - row.predicted) / row.se);
  if (row.verdict == Verdict::undecided) {
    row.needed_sequences = beyond(S, powerful(S, row.bound, row.se, 2 * row.predicted));
    row.reason = "a reversed gradient would not be noticed";
  }
  return row;
}

double cube_root_score(double ratio, double degrees) {
  const double variance = 2 / (9 * degrees);
  return (std::cbrt(ratio) - (1 - variance)) / std::sqrt(variance);
}

// Degrees of freedom at which twice the expected ratio is refuted with the stated power: a ratio at its lower 5 % point,
// cbrt(ratio) = 1 - s^2 - power s with s^2 = 2/(9 nu), doubled, must reach 1 - s^2 + bound s.
double degrees_for_doubling(double bound) {
  const double c = std::cbrt(2.0) - 1, b = bound + power * std::cbrt(2.0);  // c (1 - s^2) = b s
  const double s = 2 * c / (b + std::sqrt(b * b + 4 * c * c));
  return 2 / (9 * s * s);
}

// The relative error of the squared distance that is refuted with the stated power; 0 if none is.
double detectable_ratio(double bound, double degrees) {
  const double s = std::sqrt(2 / (9 * degrees)), low = 1 - s * s - power * s;
  return low > 0 ? std::pow((1 - s * s + bound * s) / low, 3) - 1 : 0;
}

CompareRow distance_row(const BlockEvidence& block, const GradientEvidence& evidence, double level, double family) {
  CompareRow row = start(block, Statistic::squared_distance);
  const double B = as_double(evidence.batch), M = as_double(evidence.reference), groups = as_double(evidence.groups);
  row.predicted = block.one_sample_variance * (1 / B + 1 / M);
  row.measured = block.batch_square - 2 * block.cross + block.reference_square;
  row.se = block.spread * std::sqrt(1 / as_double(evidence.minibatches) + 1 / groups);
  if (groups < fewest_groups) {
    row.reason = fmt::format("{} reference batches do not tell the spread", evidence.groups);
    return row;
  }
  if (!(row.se > 0) || !(row.predicted > 0)) {
    row.reason = "the block does not vary within the reference";
    return row;
  }
  const double nu = 2 * (row.predicted / row.se) * (row.predicted / row.se), S = sequences(evidence);
  row.effective_samples = nu;
  row.bound = family_t(level, family, groups - 1);
  row.z = cube_root_score(row.measured / row.predicted, nu);
  // nu grows in proportion to the minibatches.
  const double needed = S * std::max(fewest_degrees, degrees_for_doubling(row.bound)) / nu;
  if (nu < fewest_degrees) {
    row.needed_sequences = beyond(S, needed);
    row.reason = "the squared distances are too heavy-tailed";
    return row;
  }
  row.detectable = detectable_ratio(row.bound, nu);
  judge(row, cube_root_score(2 * row.measured / row.predicted, nu));
  if (row.verdict == Verdict::undecided) {
    row.needed_sequences = beyond(S, needed);
    row.reason = "twice the squared distance would not be noticed";
  }
  return row;
}

CompareRow zero_row(const BlockEvidence& block, const GradientEvidence& evidence, double level, double family) {
  CompareRow row = start(block, Statistic::exact_zero);
  row.measured = std::sqrt(block.batch_square);
  if (block.batch_square == 0 && block.nonzero_batch == 0) {
    row.verdict = Verdict::verified;
    return row;
  }
  const double share = sequences(evidence) / (sequences(evidence) + as_double(evidence.reference));
  const double chance = std::pow(share, as_double(block.nonzero_batch));
  row.verdict = chance < level / family ? Verdict::refuted : Verdict::undecided;
  row.reason = "zero on all of the reference, not on the minibatches";
  if (row.verdict == Verdict::undecided) row.needed_sequences = 2 * evidence.batch * evidence.minibatches;
  return row;
}

std::string label(const CompareRow& row) { return row.map + " " + row.block + " " + name(row.statistic); }

}  // namespace

const char* name(Statistic statistic) {
  switch (statistic) {
    case Statistic::projection:
      return "projection";
    case Statistic::squared_distance:
      return "squared distance";
    case Statistic::exact_zero:
      return "exact zero";
  }
  return "?";
}

std::vector<CompareRow> judge_consistency(const GradientEvidence& evidence, double level) {
  require(!evidence.blocks.empty(), "judge_consistency", "evidence", "not empty", "no block");
  require(evidence.batch >= 1 && evidence.second_part >= 2, "judge_consistency", "evidence",
          "at least 1 sequence in the batch and 2 in the second part", std::to_string(evidence.second_part));
  const double family = comparisons(evidence);
  std::vector<CompareRow> rows;
  for (const BlockEvidence& block : evidence.blocks) {
    if (zero_in_reference(block)) {
      rows.push_back(zero_row(block, evidence, level, family));
      continue;
    }
    if (block.has_direction) rows.push_back(projection_row(block, evidence, level, family));
    rows.push_back(distance_row(block, evidence, level, family));
  }
  return rows;
}

CompareControl judge_control(std::string name, std::string changes, bool decisive, const GradientEvidence& right,
                             const GradientEvidence& wrong, const std::vector<double>& shift, double level) {
  require(shift.size() == right.blocks.size(), "judge_control", "shift", "one value a block", std::to_string(shift.size()));
  CompareControl control{std::move(name), std::move(changes), false, decisive, "", 0};
  double furthest = 0;
  for (const CompareRow& row : judge_consistency(wrong, level)) {
    if (row.verdict != Verdict::refuted) continue;
    const double ratio = row.bound > 0 ? std::abs(row.z) / row.bound : 1;
    if (ratio <= furthest) continue;
    furthest = ratio;
    control.refuted = true;
    control.by = label(row);
  }
  if (control.refuted) return control;
  double fewest = 0;
  for (const CompareRow& row : judge_consistency(right, level)) {
    if (row.statistic != Statistic::projection || !(row.se > 0)) continue;
    for (std::size_t i = 0; i < shift.size(); ++i) {
      if (right.blocks[i].map != row.map || right.blocks[i].block != row.block || shift[i] == 0) continue;
      const double ratio = 2 * row.bound * row.se / std::abs(shift[i]);
      const double samples = sequences(right) * ratio * ratio;
      if (fewest == 0 || samples < fewest) fewest = samples;
    }
  }
  control.needed_sequences = fewest > 0 ? rounded_up(fewest) : 0;
  return control;
}

CompareReport conclude(std::vector<Row> own, const GradientEvidence& first, const GradientEvidence& stream, double level,
                       std::vector<CompareControl> controls) {
  CompareReport report;
  report.own = std::move(own);
  report.evidence = first;
  report.stream_evidence = stream;
  report.level = level;
  report.rows = judge_consistency(first, level / 2);
  report.stream_rows = judge_consistency(stream, level / 2);
  report.controls = std::move(controls);
  std::vector<CompareRow> all = report.rows;
  all.insert(all.end(), report.stream_rows.begin(), report.stream_rows.end());
  const auto count = [](const std::vector<CompareRow>& rows, Verdict verdict) {
    return std::ranges::count_if(rows, [&](const CompareRow& row) { return row.verdict == verdict; });
  };
  const auto tally = [&](const std::vector<CompareRow>& rows) {
    return fmt::format("{} verified, {} undecided, {} refuted", count(rows, Verdict::verified),
                       count(rows, Verdict::undecided), count(rows, Verdict::refuted));
  };
  report.reason = fmt::format("first minibatch: {}; {} minibatches: {}", tally(report.rows), stream.minibatches,
                              tally(report.stream_rows));
  const auto survivor =
      std::ranges::find_if(report.controls, [](const CompareControl& c) { return c.decisive && !c.refuted; });
  std::int64_t needed = 0;
  bool known = true;
  for (const CompareRow& row : report.stream_rows) {
    if (row.verdict != Verdict::undecided) continue;
    known = known && row.needed_sequences > 0;
    needed = std::max(needed, row.needed_sequences);
  }
  if (known && needed > 0) {
    const double more = as_double(needed) / sequences(stream);
    report.needed_minibatches = rounded_up(as_double(stream.minibatches) * more);
    report.needed_groups = rounded_up(as_double(stream.groups) * more);
  }
  const auto wrong = std::ranges::find_if(report.own, [](const Row& row) { return row.verdict == Verdict::refuted; });
  const auto open = std::ranges::find_if(report.own, [](const Row& row) { return row.verdict != Verdict::verified; });
  if (wrong != report.own.end()) {
    report.verdict = Verdict::refuted;
    report.reason = wrong->claim + ": " + wrong->reason + ". " + report.reason;
    report.next = wrong->next;
  } else if (count(all, Verdict::refuted) > 0) {
    report.verdict = Verdict::refuted;
    const auto worst = std::ranges::find_if(all, [](const CompareRow& row) { return row.verdict == Verdict::refuted; });
    report.next = "look at " + label(*worst) + " first; repeat with another seed and a longer reference";
  } else if (survivor != report.controls.end()) {
    report.reason += "; control '" + survivor->name + "' is not refuted";
    report.next = survivor->needed_sequences > 0
                      ? fmt::format("about {} minibatches, and a reference that grows alike, would refute it",
                                    (survivor->needed_sequences + stream.batch - 1) / stream.batch)
                      : std::string("raise the number of minibatches and of reference batches");
  } else if (count(report.stream_rows, Verdict::verified) < std::ssize(report.stream_rows)) {
    report.next = report.needed_minibatches > 0
                      ? fmt::format("compare.minibatches={} and compare.groups={} should decide, with probability 0.95 (a rough upper estimate)", report.needed_minibatches,
                                    report.needed_groups)
                      : "raise the number of minibatches (compare.minibatches) and of reference batches (compare.groups)";
  } else if (open != report.own.end()) {
    report.reason += ". " + open->claim + ": " + open->reason;
    report.next = open->next;
  } else {
    report.verdict = Verdict::verified;
    if (count(report.rows, Verdict::undecided) > 0)
      report.reason += ". The verdict rests on the stream: the first minibatch alone is consistent but decides little";
  }
  return report;
}

}  // namespace popgrad
