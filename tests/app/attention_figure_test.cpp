#include "app/attention_figure.hpp"

#include <cmath>

#include "numerics/attention_window.hpp"
#include "numerics/training_run.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

void check_equal(const std::vector<std::vector<double>>& rows, const Matrix& expected) {
  REQUIRE(static_cast<Eigen::Index>(rows.size()) == expected.rows());
  for (Eigen::Index t = 0; t < expected.rows(); ++t)
    for (Eigen::Index s = 0; s < expected.cols(); ++s)
      CHECK(rows[static_cast<std::size_t>(t)][static_cast<std::size_t>(s)] == expected(t, s));
}

}  // namespace

TEST_CASE("attention maps of a run: initial weights before, the latest after, learned embeddings among them") {
  TrainOptions options;
  options.bigram.T = 32;
  options.model = published_options(65, 32, 8);
  options.steps = 3;
  options.batch = 4;
  options.eval_sequences = 4;
  options.learn.tok = options.learn.pos = true;
  const TemporaryFolder folder;
  train(options, default_counts(), folder / "run", false);
  const AttentionMaps maps = attention_maps_of(folder / "run");
  CHECK(maps.first_step == 0);
  CHECK(maps.last_step == 3);
  REQUIRE(maps.tokens.size() == 24);
  const RunFolder run = RunFolder::open(folder / "run");
  const Attention before = attention_of(run.initial_model(), maps.tokens);
  const Attention after = attention_of(run.model(run.latest()), maps.tokens);
  check_equal(maps.weights[0][0], before.layer1);
  check_equal(maps.weights[1][0], before.layer2);
  check_equal(maps.weights[0][1], after.layer1);
  check_equal(maps.weights[1][1], after.layer2);
  CHECK((before.layer1 - after.layer1).norm() > 1e-6);
  std::size_t marked = 0;
  for (std::size_t t = 0; t < 24; ++t) {
    const char z = static_cast<char>(default_counts().bytes[static_cast<std::size_t>(maps.tokens[t])]);
    CHECK(maps.triggers[t] == (std::string(" etoa").find(z) != std::string::npos));
    marked += maps.triggers[t];
  }
  CHECK(marked >= 4);
  REQUIRE_FALSE(maps.copies.empty());
  for (const auto& [query, key] : maps.copies)
    CHECK(maps.tokens[static_cast<std::size_t>(query)] == maps.tokens[static_cast<std::size_t>(key) - 1]);
}

TEST_CASE("bytes on an axis: a blank and the end of a line can be seen, quotes are themselves") {
  CHECK(shown_byte(' ') == "␣");
  CHECK(shown_byte('\n') == "↵");
  CHECK(shown_byte('e') == "e");
  CHECK(shown_byte('\'') == "'");
  CHECK(shown_byte('#') == "#");
  CHECK(shown_byte(0xe9) == "\\xe9");
}
