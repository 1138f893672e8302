#include "reports/attention_maps.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

// "ab'a" with trigger a: uniform before; after, layer 1 on the previous key and layer 2 on the key after the first a.
AttentionMaps example() {
  AttentionMaps maps;
  maps.names = {"a", "b", "'", "a"};
  maps.tokens = {5, 6, 0, 5};
  maps.triggers = {true, false, false, true};
  maps.copies = {{3, 1}};
  maps.last_step = 70;
  for (auto& layer : maps.weights)
    for (auto& matrix : layer) {
      matrix.assign(4, std::vector<double>(4, 0.0));
      for (std::size_t t = 0; t < 4; ++t)
        for (std::size_t s = 0; s <= t; ++s) matrix[t][s] = 1.0 / static_cast<double>(t + 1);
    }
  maps.weights[0][1][3] = {0, 0, 1, 0};
  maps.weights[1][1][3] = {0.125, 0.875, 0, 0};
  return maps;
}

}  // namespace

TEST_CASE("attention maps: one row of numbers for each cell, panels in order, no number where the mask is") {
  const FigureSpec figure = attention_maps_figure("attention_maps", "Run x", example());
  REQUIRE(figure.table.rows.size() == 4 * 16);
  const auto at = [&](std::size_t panel, std::size_t t, std::size_t s, const char* column) {
    return figure.table.rows[16 * panel + 4 * t + s][figure.table.column(column)];
  };
  CHECK(at(3, 3, 1, "attention") == 0.875);
  CHECK(at(3, 3, 1, "layer") == 2);
  CHECK(at(3, 3, 1, "step (updates)") == 70);
  CHECK(at(3, 3, 1, "query position") == 4);
  CHECK(at(3, 3, 1, "key position") == 2);
  CHECK(at(3, 3, 1, "query token") == 5);
  CHECK(at(3, 3, 1, "key token") == 6);
  CHECK(at(3, 3, 1, "query is a trigger") == 1);
  CHECK(at(3, 3, 1, "key is a trigger") == 0);
  CHECK(at(3, 3, 1, "key to copy from") == 1);
  CHECK(at(3, 3, 2, "key to copy from") == 0);
  CHECK(at(1, 3, 2, "attention") == 1);
  CHECK(at(1, 3, 2, "layer") == 1);
  CHECK(at(0, 3, 2, "step (updates)") == 0);
  CHECK(std::isnan(at(0, 1, 2, "attention")));
}

TEST_CASE("attention maps are drawn with tokens that mean something to gnuplot") {
  const ScratchFolder scratch;
  AttentionMaps maps = example();
  maps.names = {"\\", "\"", "{/Bold", "\\t"};
  CHECK(draw(attention_maps_figure("odd", "Run", maps), scratch.path / "f").reason == "");
}

TEST_CASE("attention maps are drawn with the tokens on the axes, whatever they are") {
  const ScratchFolder scratch;
  const auto outcome = draw(attention_maps_figure("attention_maps", "Run 'x'", example()), scratch.path / "f");
  CHECK(outcome.reason == "");
  CHECK(outcome.drawn);
  AttentionMaps one;  // a sequence of one token
  one.names = {"␣"};
  one.tokens = {1};
  one.triggers = {false};
  for (auto& layer : one.weights)
    for (auto& matrix : layer) matrix = {{1}};
  CHECK(draw(attention_maps_figure("one", "Run", one), scratch.path / "f").reason == "");
}

TEST_CASE("attention maps of other sizes are a bug of the caller") {
  AttentionMaps maps = example();
  maps.weights[1][0].pop_back();
  CHECK_THROWS_AS(attention_maps_figure("attention_maps", "Run", maps), HypothesisError);
  CHECK_THROWS_AS(attention_maps_figure("attention_maps", "Run", AttentionMaps{}), HypothesisError);
}
