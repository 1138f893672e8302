#include "numerics/attention_window.hpp"

#include <algorithm>
#include <set>

#include "core/errors.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/train_fixture.hpp"

using namespace popgrad;

TEST_CASE("attention of both layers at every position: rows are laws on the past, and the beginning is that of the whole") {
  TrainOptions options;
  options.bigram.T = 20;
  options.model = published_options(65, 20, 12);
  options.model.score_scale = 2;  // far from uniform
  const FiniteModel model = make_model(options.model_options(default_counts()), 3);
  const SequenceSource source(options, default_counts());
  const std::vector<int> tokens = source.draw(Purpose::evaluation, 0).example.tokens;
  const Attention whole = attention_of(model, tokens);
  for (const Matrix* layer : {&whole.layer1, &whole.layer2}) {
    REQUIRE(layer->rows() == 20);
    REQUIRE(layer->cols() == 20);
    for (int t = 0; t < 20; ++t) {
      CHECK(layer->row(t).sum() == Approx(1).epsilon(1e-12));
      CHECK(layer->row(t).minCoeff() >= 0);
      for (int s = t + 1; s < 20; ++s) CHECK((*layer)(t, s) == 0);
    }
  }
  const Attention beginning = attention_of(model, {tokens.begin(), tokens.begin() + 7});
  CHECK((beginning.layer1 - whole.layer1.topLeftCorner(7, 7)).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((beginning.layer2 - whole.layer2.topLeftCorner(7, 7)).cwiseAbs().maxCoeff() < 1e-12);
  CHECK_THROWS_AS(attention_of(model, {}), HypothesisError);
  CHECK_THROWS_AS(attention_of(model, std::vector<int>(21, 0)), HypothesisError);
}

TEST_CASE("zero maps attend uniformly to the past, in both layers") {
  TrainOptions options;
  options.model = published_options(65, 32, 8);
  FiniteModel model = make_model(options.model_options(default_counts()), 1);
  model.trained = TrainedMaps::zero(8);
  const Attention uniform = attention_of(model, {3, 1, 4, 1, 5});
  for (int t = 0; t < 5; ++t)
    for (int s = 0; s <= t; ++s) {
      CHECK(uniform.layer1(t, s) == Approx(1.0 / (t + 1)).epsilon(1e-14));
      CHECK(uniform.layer2(t, s) == Approx(1.0 / (t + 1)).epsilon(1e-14));
    }
}

TEST_CASE("a head copies from right after the earlier occurrences of its token") {
  // a b a c a: heads at the second and third a.
  const auto places = copy_places({0, 1, 0, 2, 0}, {{2, 2}, {4, 0}});
  REQUIRE(places.size() == 3);
  const int expected[3][2] = {{2, 1}, {4, 1}, {4, 3}};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(places[i].query == expected[i][0]);
    CHECK(places[i].key == expected[i][1]);
  }
  CHECK(copy_places({0, 1}, {}).empty());
  CHECK_THROWS_AS(copy_places({0, 1}, {{2, 0}}), HypothesisError);
}

TEST_CASE("the sequence that is shown repeats the most triggers in its beginning, and has no cycle if there is a choice") {
  TrainOptions options;
  options.bigram.T = 64;
  const SequenceSource source(options, default_counts());
  const auto repeated = [](const Sequence& sequence) {
    std::set<int> triggers;
    for (const Target& head : sequence.heads)
      if (head.position < 24) triggers.insert(sequence.example.tokens.at(static_cast<std::size_t>(head.position)));
    return triggers.size();
  };
  const Sequence shown = shown_sequence(source, 24);
  CHECK(shown.example.tokens.size() == 24);
  CHECK_FALSE(shown.cycle);
  CHECK(shown.example.targets.size() == shown.heads.size());
  std::size_t most = 0;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const Sequence other = source.draw(Purpose::evaluation, i);
    if (!other.cycle) most = std::max(most, repeated(other));
  }
  CHECK(most >= 3);
  CHECK(repeated(shown) == most);
  TrainOptions minimal;
  minimal.task = TaskKind::minimal;
  const Sequence whole = shown_sequence(SequenceSource(minimal, default_counts()), 24);
  CHECK(whole.example.tokens.size() == 8);
  REQUIRE(whole.heads.size() == 1);
  CHECK(whole.heads[0].position == 7);
}
