#include "numerics/block_summary.hpp"

#include "tests/catch.hpp"
#include "numerics/scalar.hpp"

using namespace popgrad;

TEST_CASE("the summary of the memories reads ones where they are and zeros elsewhere", "[block_summary]") {
  const IdealMaps<Rational> memories = ideal_memories<Rational>(3, 4);
  for (const auto& block : summarize_wo(memories)) {
    CHECK(block.invariant);
    if (block.kind == BlockKind::token_token) {
      CHECK(block.diag == (block.name == "U,E" ? 1 : 0));
      CHECK(block.off == 0);
    }
  }
  const auto wk2 = summarize_wk2(memories);
  REQUIRE(wk2.size() == 16);
  for (const auto& block : wk2)
    if (block.kind == BlockKind::token_token) CHECK(block.diag == (block.name == "E,R" ? 1 : 0));
  const auto wk1 = summarize_wk1(memories);
  REQUIRE(wk1.size() == 4);
  const auto pp = find_block(wk1, "P,P");
  REQUIRE(pp.entries.size() == 16);
  for (int t = 0; t < 4; ++t)
    for (int s = 0; s < 4; ++s) CHECK(pp.entries[static_cast<std::size_t>(4 * t + s)] == (s == t - 1 ? 1 : 0));
}

TEST_CASE("query comes first: transposed blocks are told apart", "[block_summary]") {
  IdealMaps<double> maps(2, 5);
  for (int k = 0; k < 2; ++k)
    for (int t = 0; t < 5; ++t) {
      maps.k2(maps.at.at(Block::R, k), maps.at.at(Block::S, t)) = 10 + t;
      maps.k2(maps.at.at(Block::S, t), maps.at.at(Block::R, k)) = 20 + t;
    }
  maps.k2(maps.at.at(Block::P, 1), maps.at.at(Block::P, 3)) = 7;
  const auto blocks = summarize_wk2(maps);
  const auto rs = find_block(blocks, "R,S");
  const auto sr = find_block(blocks, "S,R");
  REQUIRE(rs.entries.size() == 5);
  REQUIRE(sr.entries.size() == 5);
  for (std::size_t t = 0; t < 5; ++t) {
    CHECK(rs.entries[t] == 10 + static_cast<double>(t));
    CHECK(sr.entries[t] == 20 + static_cast<double>(t));
  }
  CHECK(find_block(blocks, "P,P").entries[1 * 5 + 3] == 7);
  CHECK(find_block(blocks, "P,P").entries[3 * 5 + 1] == 0);
}

TEST_CASE("one entry that breaks the relabelling invariance is seen in its block and in no other", "[block_summary]") {
  IdealMaps<Rational> maps(3, 4);
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j) maps.u(k, maps.at.at(Block::R, j)) = k == j ? Rational(2) : Rational(-1);
  CHECK(find_block(summarize_wo(maps), "U,R").deviation == 0);
  maps.u(0, maps.at.at(Block::R, 2)) += Rational(6) / Rational(1000);  // mean of off moves by 1/1000
  const auto blocks = summarize_wo(maps);
  const auto broken = find_block(blocks, "U,R");
  CHECK_FALSE(broken.invariant);
  CHECK(broken.diag == 2);
  CHECK(broken.off == Rational(-999) / Rational(1000));
  CHECK(broken.deviation == Approx(5e-3).epsilon(1e-15));
  for (const char* other : {"U,E", "U,P", "U,S"}) CHECK(find_block(blocks, other).invariant);
  maps.u(1, maps.at.at(Block::P, 3)) = Rational(1);
  CHECK_FALSE(find_block(summarize_wo(maps), "U,P").invariant);
}

TEST_CASE("blocks that do not exist and a vocabulary without off-diagonal are refused", "[block_summary]") {
  const auto blocks = summarize_wk1(IdealMaps<Rational>(2, 4));
  CHECK_THROWS_AS(find_block(blocks, "E,R"), HypothesisError);
  CHECK_THROWS_AS(summarize_wo(IdealMaps<Rational>(1, 4)), HypothesisError);
}
