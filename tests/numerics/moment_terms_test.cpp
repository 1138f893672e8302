// The moments engine against orbits, which visit every sequence up to relabelling and take exact Taylor coefficients of the
// softmax.
#include "numerics/moment_terms.hpp"

#include <string>

#include "core/errors.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// Entries that differ in one block, diag and off counted as entries; a shape that differs counts as well.
int differences(const InvariantBlock<Rational>& a, const InvariantBlock<Rational>& b) {
  int count = (a.diag != b.diag) + (a.off != b.off) + (a.entries.size() != b.entries.size());
  for (std::size_t i = 0; i < std::min(a.entries.size(), b.entries.size()); ++i) count += a.entries[i] != b.entries[i];
  return count;
}

int differences(const InvariantMaps<Rational>& a, const InvariantMaps<Rational>& b) {
  int count = 0;
  for (std::size_t i = 0; i < a.wo.size(); ++i) count += differences(a.wo[i], b.wo[i]);
  for (std::size_t i = 0; i < a.wk2.size(); ++i) count += differences(a.wk2[i], b.wk2[i]);
  for (std::size_t i = 0; i < a.wk1.size(); ++i) count += differences(a.wk1[i], b.wk1[i]);
  return count;
}

int differences(const std::vector<StageTerm>& a, const std::vector<StageTerm>& b) {
  int count = a.size() != b.size();
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    count += (a[i].monomial != b[i].monomial) + differences(a[i].descent, b[i].descent);
  return count;
}

struct Case {
  Handoff handoff;
  Blocks blocks;
  int stage;
};

std::vector<Case> covered() {
  return {{Handoff::ideal, Blocks::full, 1},      {Handoff::ideal, Blocks::full, 2},
          {Handoff::ideal, Blocks::full, 3},      {Handoff::actual, Blocks::isolated, 1},
          {Handoff::actual, Blocks::isolated, 2}, {Handoff::actual, Blocks::isolated, 3},
          {Handoff::actual, Blocks::full, 1},     {Handoff::actual, Blocks::full, 2}};
}

void compare_all(int N, int T) {
  for (const Background background : {Background::any, Background::avoid})
    for (const Query query : {Query::last, Query::any}) {
      const MinimalTask task{N, T, background, query, {}};
      for (const auto& [handoff, blocks, stage] : covered()) {
        INFO(task.describe() << " " << name(handoff) << " " << name(blocks) << " stage " << stage);
        CHECK(differences(moment_terms(task, handoff, blocks, stage), stage_terms(task, handoff, blocks, stage)) == 0);
      }
    }
}

const MinimalTask four_six{4, 6, Background::avoid, Query::last, {}};

Rational row_sum(const InvariantBlock<Rational>& block, int T, int t) {
  Rational sum(0);
  for (int s = 0; s < T; ++s) sum += block.entries[static_cast<std::size_t>(t * T + s)];
  return sum;
}

}  // namespace

TEST_CASE("moments equal orbits exactly, every entry of every block, all switches") {
  compare_all(2, 4);
  compare_all(3, 5);
}

TEST_CASE("moments equal orbits exactly at six to eight positions", "[slow]") {
  compare_all(4, 6);
  compare_all(5, 7);
  compare_all(4, 8);
}

TEST_CASE("moments reproduce the enumerated coefficients at (4,6)") {
  const auto er = [](Handoff handoff, Blocks blocks) {
    return moment_terms(four_six, handoff, blocks, 2).at(0).descent.k2(Block::E, Block::R).diag;
  };
  CHECK(er(Handoff::ideal, Blocks::full) == Rational(25, 9216));
  CHECK(er(Handoff::actual, Blocks::isolated) == Rational(25, 221184));
  CHECK(er(Handoff::actual, Blocks::full) == Rational("1350193/9555148800"));
  const std::vector<StageTerm> third = moment_terms(four_six, Handoff::ideal, Blocks::full, 3);
  REQUIRE(third.size() == 2);
  CHECK(third[1].monomial == "alpha*beta");
  const std::vector<Rational>& pp = third[1].descent.k1(Block::P, Block::P).entries;
  CHECK(pp[6] == Rational(5, 768));
  CHECK(pp[7] == Rational(-5, 768));
  CHECK(pp[12] == Rational(-1, 288));
  CHECK(pp[13] == Rational(1, 192));
  CHECK(pp[14] == Rational(-1, 576));
}

TEST_CASE("a wrong hypothesis is seen in the terms: other background, hand-off, blocks, query, length, vocabulary") {
  const auto terms = [](const MinimalTask& task, Handoff handoff, Blocks blocks, int stage) {
    return moment_terms(task, handoff, blocks, stage);
  };
  const std::vector<StageTerm> second = stage_terms(four_six, Handoff::actual, Blocks::full, 2);
  CHECK(differences(terms(four_six, Handoff::actual, Blocks::full, 2), second) == 0);
  CHECK(differences(terms({4, 6, Background::any, Query::last, {}}, Handoff::actual, Blocks::full, 2), second) > 0);
  CHECK(differences(terms({4, 6, Background::avoid, Query::any, {}}, Handoff::actual, Blocks::full, 2), second) > 0);
  CHECK(differences(terms(four_six, Handoff::actual, Blocks::isolated, 2), second) > 0);
  CHECK(differences(terms(four_six, Handoff::ideal, Blocks::full, 2), second) > 0);
  CHECK(differences(terms({5, 6, Background::avoid, Query::last, {}}, Handoff::actual, Blocks::full, 2), second) > 0);
  const std::vector<StageTerm> third = stage_terms(four_six, Handoff::ideal, Blocks::full, 3);
  CHECK(differences(terms(four_six, Handoff::ideal, Blocks::full, 3), third) == 0);
  CHECK(differences(terms({4, 6, Background::any, Query::last, {}}, Handoff::ideal, Blocks::full, 3), third) > 0);
  CHECK(differences(terms({4, 6, Background::avoid, Query::any, {}}, Handoff::ideal, Blocks::full, 3), third) > 0);
}

TEST_CASE("moments at T = 256 and large N: rows of key gradients add up to zero, memories are positive") {
  for (const auto& [N, background] : {std::pair{1000000000, Background::any}, std::pair{65, Background::avoid}}) {
    const MinimalTask task{N, 256, background, Query::last, {}};
    for (const auto& [handoff, blocks, stage] : covered()) {
      const std::vector<StageTerm> terms = moment_terms(task, handoff, blocks, stage);
      INFO(task.describe() << " " << name(handoff) << " " << name(blocks) << " stage " << stage);
      const InvariantMaps<Rational>& descent = terms.back().descent;
      if (stage == 1) CHECK(descent.u(Block::E).contrast() > 0);
      if (stage == 2) {
        CHECK(descent.k2(Block::E, Block::R).contrast() > 0);
        for (const Block query : {Block::P, Block::S}) CHECK(row_sum(descent.k2(query, Block::P), 256, 255).is_zero());
      }
      if (stage == 3)
        for (int t = 1; t < 255; ++t) {
          const InvariantBlock<Rational>& pp = descent.k1(Block::P, Block::P);
          const auto entry = [&pp, t](int s) { return pp.entries[static_cast<std::size_t>(t * 256 + s)]; };
          CHECK(row_sum(pp, 256, t).is_zero());
          for (int s = 0; s <= t; ++s)
            if (s != t - 1 && entry(s) >= entry(t - 1)) FAIL("row " << t + 1 << " prefers " << s + 1);
        }
    }
  }
}

TEST_CASE("moments refuse what they do not cover and name who does") {
  try {
    moment_terms(four_six, Handoff::actual, Blocks::full, 3);
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()).find("orbits") != std::string::npos);
  }
  CHECK_THROWS_AS(moment_terms(four_six, Handoff::ideal, Blocks::full, 0), HypothesisError);
  CHECK_THROWS_AS(moment_terms(four_six, Handoff::ideal, Blocks::full, 4), HypothesisError);
  CHECK_THROWS_AS(moment_terms({3, 5, Background::any, Query::last, {1, 2, 3}}, Handoff::ideal, Blocks::full, 1),
                  HypothesisError);
  CHECK_THROWS_AS(moment_terms({4, 3, Background::any, Query::last, {}}, Handoff::ideal, Blocks::full, 1), InputError);
  CHECK_THROWS_AS(moment_terms({1, 6, Background::any, Query::last, {}}, Handoff::ideal, Blocks::full, 1), InputError);
  const MinimalTask longer{4, longest_moments + 1, Background::any, Query::last, {}};
  CHECK(moment_terms(longer, Handoff::ideal, Blocks::full, 1).size() == 1);
  CHECK_THROWS_AS(moment_terms(longer, Handoff::ideal, Blocks::full, 2), InputError);
}
