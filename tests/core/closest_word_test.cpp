#include "core/closest_word.hpp"

#include "tests/catch.hpp"

using namespace popgrad;

TEST_CASE("edit distance counts insertions, deletions, substitutions and exchanged neighbours once each") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("", "abc") == 3);
  CHECK(edit_distance("vocb", "vocab") == 1);
  CHECK(edit_distance("vocaab", "vocab") == 1);
  CHECK(edit_distance("vokab", "vocab") == 1);
  CHECK(edit_distance("voacb", "vocab") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("ca", "abc") == 3);  // optimal string alignment: no edit inside an exchanged pair
  CHECK(edit_distance("l1", "L1") == 0);
}

TEST_CASE("edit distance is symmetric") {
  for (const auto& [a, b] :
       {std::pair{"kitten", "sitting"}, {"data.vocb", "data.vocab"}, {"abcdef", ""}, {"verfiy", "verify"}})
    CHECK(edit_distance(a, b) == edit_distance(b, a));
}

TEST_CASE("the closest word is suggested only when it is near") {
  const std::vector<std::string> words = {"data.vocab", "data.length", "model.dim"};
  CHECK(closest_word("data.vocb", words) == "data.vocab");
  CHECK(closest_word("data.vocab", words) == "data.vocab");
  CHECK(closest_word("zzzzzzzzzz", words).empty());
  CHECK(closest_word("x", {}).empty());
  CHECK(did_you_mean("model.dmi", words) == "; did you mean 'model.dim'?");
  CHECK(did_you_mean("zzzzzzzzzz", words).empty());
}

TEST_CASE("of two words at the same distance the first is suggested") {
  CHECK(closest_word("bat", {"cat", "hat"}) == "cat");
}
