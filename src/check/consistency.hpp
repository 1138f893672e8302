// Are minibatch gradients what they should be, given the population gradient? Two statistics a block, one family.
#pragma once
#include <string>
#include <vector>

#include "check/row.hpp"
#include "core/grade.hpp"
#include "core/gradient_evidence.hpp"

namespace popgrad {

enum class Statistic { projection, squared_distance, exact_zero };
const char* name(Statistic statistic);  // "projection", "squared distance", "exact zero"

// One statistic of one block.
//
// projection: measured mean of <C(g), D> over R minibatches of B sequences against <C(G), D> of the second part; with S = R
// B, se^2 = v (1/S + 1/M2), v the one-sample variance; z in standard errors. Assumes that a mean over S sequences is nearly
// normal. The family-wise Student quantile q is widened by the first Cornish-Fisher terms for the measured skewness g and
// excess kurtosis k of the difference of the two means, |g| (q^2 - 1)/6 + max(k, 0) (q^3 - 3q)/24; where that exceeds q/2
// the expansion means nothing and the row is undecided.
//
// squared distance: measured mean of |C(g) - C(G)|^2 against c (1/B + 1/M); the spread s of one distance is taken over the J
// = M/B disjoint reference batches, se^2 = s^2 (1/R + 1/J). A sum of squares is skewed: z is the Wilson-Hilferty cube-root
// score of a scaled chi-square with nu = 2 (predicted/se)^2 degrees of freedom, judged with Student's t for J batches.
// Undecided below J = 8 or nu = 4.
//
// exact zero: the reference block is zero on every sequence. If k sequences of the minibatches are not, the chance that
// all k non-zero ones of S + M fell among those S is at most (S/(S + M))^k; refuted where that is below the level of one
// comparison.
struct CompareRow {
  std::string map, block;
  Statistic statistic = Statistic::projection;
  double predicted = 0, measured = 0, se = 0, z = 0;
  double bound = 0;              // |z| above this is refuted
  double effective_samples = 0;  // projection: S / kurtosis, (sum x^2)^2 / sum x^4 of S sequences; squared distance: nu
  double pooled = 0,
         pooled_bias = 0;    // projection rows: the ratio-of-sums gradient and the first-order estimate of its bias
  std::int64_t nonzero = 0;  // exact zero: sequences of the minibatches that are not
  // The smallest relative error that the row would refute with probability 0.95: of the gradient's component along G, in
  // units of predicted; of the squared distance, as a factor 1 + detectable. 0: unknown (exact zeros, and undecided rows
  // whose bound means nothing).
  double detectable = 0;
  Verdict verdict = Verdict::undecided;
  std::string reason;                 // why undecided, and what would decide it
  std::int64_t needed_sequences = 0;  // about how many sequences S would decide it, M growing alike; 0 unless undecided
};

// verified: inside the bound, and the smallest effect that matters would have been outside: the reversed gradient for a
// projection, twice the squared distance (the noise of half a batch) for a squared distance. needed_sequences of an
// undecided row is where that effect is refuted with probability 0.95. It follows from the reference alone: the minibatches
// tell which rows are undecided, not how many sequences they need.
// level: family-wise, over all rows. HypothesisError on an empty evidence, fewer than 2 sequences in the second part, or
// level outside (0, 1).
std::vector<CompareRow> judge_consistency(const GradientEvidence& evidence, double level);

// A gradient that is wrong in a known way, judged by the same function.
struct CompareControl {
  std::string name, changes;
  bool refuted = false;
  bool decisive = false;  // the report is verified only if this one is refuted
  std::string by;         // the row that refutes it, "wo2 U,E projection"
  // About how many sequences S would refute it, in more minibatches of the present size, M growing alike. 0 if refuted or
  // out of reach.
  std::int64_t needed_sequences = 0;
};

// Judges `wrong`, evidence with a wrong batch in place of the right one. `shift`, for each block of the evidence, is the
// expected change of the projection, from which needed_sequences follows: (2 bound se / |shift|)^2 S in the best block.
CompareControl judge_control(std::string name, std::string changes, bool decisive, const GradientEvidence& right,
                             const GradientEvidence& wrong, const std::vector<double>& shift, double level);

// The first minibatch alone, and R minibatches of the same stream at the same weights: what one minibatch cannot decide.
struct CompareReport {
  GradientEvidence evidence;             // of the first minibatch
  GradientEvidence stream_evidence;      // of R minibatches
  std::vector<Row> own;                  // what the run recorded of its first update, judged by itself
  double level = 0;                      // family-wise, over rows and stream_rows together
  std::vector<CompareRow> rows;          // the first minibatch
  std::vector<CompareRow> stream_rows;   // R minibatches
  std::vector<CompareControl> controls;  // judged like stream_rows
  Verdict verdict = Verdict::undecided;
  std::string reason, next;  // `next` is empty when verified
  // Where stream_rows are undecided: compare.minibatches and compare.groups that would decide them; 0 if unknown.
  std::int64_t needed_minibatches = 0, needed_groups = 0;
};

// refuted if any row is, of any kind; verified if all of `own` and of stream_rows are and every decisive control is refuted;
// undecided otherwise. Each kind of sampled rows is judged at half the level, and the controls should have been.
CompareReport conclude(std::vector<Row> own, const GradientEvidence& first, const GradientEvidence& stream, double level,
                       std::vector<CompareControl> controls);

}  // namespace popgrad
