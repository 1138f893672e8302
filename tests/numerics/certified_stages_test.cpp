#include "numerics/certified_stages.hpp"

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

InvariantMaps<Interval> pairs(const std::vector<Interval>& row3) {
  InvariantMaps<Interval> maps(5, 4);
  std::vector<Interval>& matrix = maps.k1(Block::P, Block::P).entries;
  matrix[1 * 4 + 0] = Interval(1, 2);
  matrix[1 * 4 + 1] = Interval(-2, -1);
  for (std::size_t s = 0; s < row3.size(); ++s) matrix[2 * 4 + s] = row3[s];
  return maps;
}

Certainty third_row(const std::vector<Interval>& row3) { return certify_stage(3, pairs(row3)).rows.at(1).recalled; }

Certainty second_signal(const Interval& diag, const Interval& off) {
  InvariantMaps<Interval> maps(5, 4);
  maps.k2(Block::E, Block::R).diag = diag;
  maps.k2(Block::E, Block::R).off = off;
  return certify_stage(2, maps).positive;
}

}  // namespace

TEST_CASE("certified stages: a tie is a failure, an overlap undecided, and only a gap proves an argmax") {
  CHECK(third_row({Interval(0, 1), Interval(2, 3), Interval(-1, 1.5)}) == Certainty::yes);
  CHECK(third_row({Interval(0, 1), Interval(1), Interval(0)}) == Certainty::undecided);  // may tie
  CHECK(third_row({Interval(1), Interval(1), Interval(0)}) == Certainty::no);            // a tie
  CHECK(third_row({Interval(0, 2.5), Interval(2, 3), Interval(-1, 1)}) == Certainty::undecided);
  CHECK(third_row({Interval(4, 5), Interval(2, 3), Interval(-1, 9)}) == Certainty::no);  // whatever the others are
  CHECK(third_row({Interval(0, 1), Interval(2, 3), Interval(3, 4)}) == Certainty::no);   // the diagonal counts: s <= t
  CHECK(third_row({Interval::whole(), Interval(2, 3), Interval(0)}) == Certainty::undecided);
  const CertifiedStage stage = certify_stage(3, pairs({Interval(0, 1), Interval(2, 3), Interval(-1, 1.5)}));
  REQUIRE(stage.rows.size() == 2);  // rows 2 and 3 of T = 4
  CHECK(stage.rows[0].t == 2);
  CHECK(stage.rows[0].recalled == Certainty::yes);
  CHECK(stage.rows[1].margin.lower() == 0.5);
  CHECK(stage.rows[1].margin.upper() == 3);
  CHECK(stage.positive == Certainty::yes);
  CHECK(certify_stage(3, pairs({Interval(0, 2.5), Interval(2, 3), Interval(-1, 1)})).positive == Certainty::undecided);
}

TEST_CASE("certified stages: a signal whose enclosure contains zero is undecided, a negative one refuted") {
  CHECK(second_signal(Interval(2, 3), Interval(-1, 1)) == Certainty::yes);
  CHECK(second_signal(Interval(0, 1), Interval(0, 1)) == Certainty::undecided);
  CHECK(second_signal(Interval(1), Interval(1)) == Certainty::no);
  CHECK(second_signal(Interval(-2, -1), Interval(0, 1)) == Certainty::no);
  CHECK_THROWS_AS(certify_stage(4, InvariantMaps<Interval>(5, 4)), HypothesisError);
}

// To leading order the sign of the second step is decided by exact rationals: at T = 4 it is wrong (THEORY, T3.step2), at
// (4,6) right.
TEST_CASE("certified stages: small steps have the signs of the exact leading order, right and wrong ones") {
  const StageSizes small{0.015625, 0.015625, 0};
  for (const auto& [N, T] : std::vector<std::pair<int, int>>{{4, 4}, {4, 6}, {5, 7}})
    for (const Background background : {Background::any, Background::avoid}) {
      const MinimalTask task{N, T, background, Query::last, {}};
      const std::vector<CertifiedStage> list = certified_stages(task, Handoff::ideal, Blocks::full, small);
      CHECK(list[0].positive == Certainty::yes);
      const StageTerm second = stage_terms(task, Handoff::ideal, Blocks::full, 2).front();
      INFO(task.describe());
      CHECK(list[1].positive == (second.descent.k2(Block::E, Block::R).diag > 0 ? Certainty::yes : Certainty::no));
      const StageTerm third = stage_terms(task, Handoff::ideal, Blocks::full, 3).back();  // alpha*beta
      const std::vector<Rational>& matrix = third.descent.k1(Block::P, Block::P).entries;
      for (const CertifiedRow& row : list[2].rows) {
        const auto entry = [&, T = T](int s) { return matrix[static_cast<std::size_t>((row.t - 1) * T + s)]; };
        bool recalled = true, tie = false;
        for (int s = 0; s < row.t; ++s)
          if (s != row.t - 2) {
            recalled = recalled && entry(row.t - 2) > entry(s);
            tie = tie || entry(row.t - 2) == entry(s);
          }
        INFO("row " << row.t << ", margin [" << row.margin.lower() << ", " << row.margin.upper() << "]");
        if (!tie)
          CHECK(row.recalled ==
                (recalled ? Certainty::yes : Certainty::no));  // a tie at leading order: the next order decides
      }
    }
  const MinimalTask short_task{4, 4, Background::avoid, Query::last, {}};
  CHECK(certified_stages(short_task, Handoff::ideal, Blocks::full, small)[1].positive == Certainty::no);
}

TEST_CASE("certified stages: all signs and rows at (65,10), ideal and actual isolated hand-offs, both backgrounds",
          "[slow]") {
  for (const Background background : {Background::any, Background::avoid})
    for (const Handoff handoff : {Handoff::ideal, Handoff::actual}) {
      const MinimalTask task{65, 10, background, Query::last, {}};
      const StageSizes sizes = handoff == Handoff::ideal ? StageSizes{1, 1, 0} : StageSizes{650, 650, 0};
      for (const CertifiedStage& stage : certified_stages(task, handoff, Blocks::isolated, sizes)) {
        INFO(task.describe() << ", " << name(handoff) << ", stage " << stage.stage);
        CHECK(stage.positive == Certainty::yes);
        if (stage.stage == 3) CHECK(stage.rows.size() == 8);
        for (const CertifiedRow& row : stage.rows) CHECK(row.recalled == Certainty::yes);
      }
    }
}

TEST_CASE("certified stages: after full steps of 650 at (65,10) rows 3 and 4 are proved not to recall, the others to",
          "[slow]") {
  for (const Background background : {Background::any, Background::avoid}) {
    const MinimalTask task{65, 10, background, Query::last, {}};
    const std::vector<CertifiedStage> list = certified_stages(task, Handoff::actual, Blocks::full, {650, 650, 0});
    CHECK(list[0].positive == Certainty::yes);
    CHECK(list[1].positive == Certainty::yes);
    CHECK(list[2].positive == Certainty::no);
    for (const CertifiedRow& row : list[2].rows) {
      INFO(task.describe() << ", row " << row.t);
      CHECK(row.recalled == (row.t == 3 || row.t == 4 ? Certainty::no : Certainty::yes));
    }
  }
}
