#include "numerics/bigram_task.hpp"

#include <algorithm>
#include <set>

#include "core/errors.hpp"
#include "numerics/trigger_choice.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

// Tokens a 3, b 3, c 1; pairs bb 2, ba 1, aa 2, ac 1; c has no successor.
BigramCounts small() { return count_bigrams("FILE", "bbbaaac", "small.txt"); }

std::string refusal(const BigramTask& task, const BigramCounts& counts) {
  try {
    task.validate(counts);
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.substr(0, message.find(", expected"));
  }
  return "accepted";
}

BigramTask base() {
  BigramTask task;
  task.T = 4;
  task.K = 2;
  return task;
}

}  // namespace

TEST_CASE("a task out of range names its key and its value") {
  BigramTask task = base();
  CHECK(refusal(task, small()) == "accepted");
  task.T = 1;
  CHECK(refusal(task, small()) == "T: got 1");
  task = base();
  task.K = 0;
  CHECK(refusal(task, small()) == "K: got 0");
  task.K = 4;
  CHECK(refusal(task, small()) == "K: got 4");
  task.K = 3;
  CHECK(refusal(task, small()) == "accepted");
  task.offset = 1;
  CHECK(refusal(task, small()) == "offset: got 1");
  task.K = 2;
  CHECK(refusal(task, small()) == "accepted");
  task.offset = -1;
  CHECK(refusal(task, small()) == "offset: got -1");
  task.offset = 2147483647;  // offset + K would overflow
  CHECK(refusal(task, small()) == "offset: got 2147483647");
}

TEST_CASE("random triggers: an offset has no meaning, and K of them must occur") {
  BigramTask task = base();
  task.triggers = Triggers::random;
  CHECK(refusal(task, small()) == "accepted");
  task.offset = 1;
  CHECK(refusal(task, small()) == "offset: got 1");
  task.offset = 0;
  task.K = 3;
  BigramCounts counts = small();
  CHECK(refusal(task, counts) == "accepted");
  counts.unigram = {3, 4, 0};
  CHECK(refusal(task, counts) == "K: got 3");
}

TEST_CASE("o != q is impossible for a trigger that is followed by itself only, and only with bigram outputs") {
  // "abbb": a is followed by b, b by b only.
  const BigramCounts counts = count_bigrams("FILE", "abbb", "text");
  BigramTask task = base();
  task.K = 1;  // b, the most frequent
  task.outputs = Outputs::bigram;
  CHECK(refusal(task, counts) == "accepted");
  task.distinct = true;
  CHECK(refusal(task, counts) == "distinct: got true, with trigger token 1 that is followed by itself only");
  task.outputs = Outputs::uniform;
  CHECK(refusal(task, counts) == "accepted");
  task.outputs = Outputs::bigram;
  task.offset = 1;  // a
  CHECK(refusal(task, counts) == "accepted");
  task.offset = 0;
  task.triggers = Triggers::random;
  CHECK(refusal(task, counts) != "accepted");
}

TEST_CASE("counts of the wrong shape are a bug of the caller") {
  BigramCounts counts = small();
  counts.bigram.pop_back();
  CHECK_THROWS_AS(base().validate(counts), HypothesisError);
  CHECK_THROWS_AS(base().validate(BigramCounts{}), HypothesisError);
}

TEST_CASE("tokens by frequency: falling counts, ties in the order of tokens, the offset skips the first") {
  BigramCounts counts = small();  // a 3, b 3, c 1
  CHECK(tokens_by_frequency(counts) == std::vector<int>{0, 1, 2});
  counts.unigram = {1, 5, 5};
  CHECK(tokens_by_frequency(counts) == std::vector<int>{1, 2, 0});
  BigramCounts equal = default_counts();
  equal.unigram.assign(65, 7);
  const std::vector<int> ranked = tokens_by_frequency(equal);
  CHECK(std::ranges::is_sorted(ranked));
  BigramTask task = base();
  task.offset = 1;
  CHECK(possible_triggers(counts, task) == std::vector<int>{2, 0});
  task.offset = 0;
  task.triggers = Triggers::random;
  counts.unigram = {0, 1, 2};
  CHECK(possible_triggers(counts, task) == std::vector<int>{2, 1});
}

TEST_CASE("the five most frequent characters of Tiny Shakespeare are blank, e, t, o, a") {
  std::string triggers;
  for (const int q : possible_triggers(default_counts(), BigramTask{}))
    triggers += static_cast<char>(default_counts().bytes[static_cast<std::size_t>(q)]);
  CHECK(triggers == " etoa");
}

TEST_CASE("names of the switches parse to themselves, anything else is refused") {
  for (const auto t : {Triggers::fixed, Triggers::random}) CHECK(parse_triggers(name(t)) == t);
  for (const auto o : {Outputs::uniform, Outputs::bigram}) CHECK(parse_outputs(name(o)) == o);
  for (const auto l : {LossKind::head, LossKind::full}) CHECK(parse_loss(name(l)) == l);
  CHECK_THROWS_AS(parse_triggers("Fixed"), InputError);
  CHECK_THROWS_AS(parse_outputs(""), InputError);
  CHECK_THROWS_AS(parse_loss("both"), InputError);
}

TEST_CASE("tasks that differ in any parameter have different descriptions") {
  std::vector<BigramTask> tasks(8, base());
  tasks[1].T = 5;
  tasks[2].K = 3;
  tasks[3].offset = 1;
  tasks[4].triggers = Triggers::random;
  tasks[5].outputs = Outputs::bigram;
  tasks[6].distinct = true;
  tasks[7].loss = LossKind::full;
  std::set<std::string> descriptions;
  for (const BigramTask& task : tasks) descriptions.insert(task.describe());
  CHECK(descriptions.size() == tasks.size());
}
