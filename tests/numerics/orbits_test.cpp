#include "numerics/orbits.hpp"

#include <map>

#include "core/errors.hpp"
#include "numerics/minimal_enumeration.hpp"
#include "tests/catch.hpp"

using namespace popgrad;

namespace {

std::vector<int> classes_of(const std::vector<int>& tokens) {
  std::map<int, int> seen;
  std::vector<int> classes;
  for (const int token : tokens) classes.push_back(seen.emplace(token, static_cast<int>(seen.size())).first->second);
  return classes;
}

}  // namespace

TEST_CASE("orbits: every sequence of the task is in one, as often as labellings and trigger places say") {
  for (const Background background : {Background::any, Background::avoid})
    for (const auto& [N, T] : std::vector<std::pair<int, int>>{{2, 6}, {4, 5}, {5, 6}}) {
      const MinimalTask task{N, T, background, Query::last, {}};
      // By classes and label: the number of (sequence, tau) that the enumeration makes.
      std::map<std::pair<std::vector<int>, int>, std::int64_t> expected, got;
      const MinimalEnumeration all(task);
      for (std::int64_t i = 0; i < all.size(); ++i) {
        Example example;
        std::int64_t numerator = 0;
        all.build(i, example, numerator);
        const std::vector<int> classes = classes_of(example.tokens);
        int label = -1;
        for (std::size_t s = 0; s < classes.size(); ++s)
          if (example.tokens[s] == example.targets[0].token) label = classes[s];
        ++expected[{classes, label}];
      }
      const Orbits orbits(N, background, T);
      for (std::int64_t part = 0; part < orbits.parts(); ++part)
        orbits.visit(part, [&, N = N](const Orbit& orbit) {
          std::int64_t labellings = 1;
          for (int m = 0; m < orbit.classes; ++m) labellings *= N - m;
          for (int c = 0; c < orbit.classes; ++c)
            if (orbit.label[static_cast<std::size_t>(c)] > 0)
              got[{orbit.token, c}] += labellings * orbit.label[static_cast<std::size_t>(c)];
        });
      CHECK(got == expected);
    }
}

TEST_CASE("orbits: Bell numbers bound their number, N cuts it") {
  CHECK(bell_number(1) == 1);
  CHECK(bell_number(5) == 52);
  CHECK(bell_number(10) == 115975);
  const auto count = [](int N, int T) {
    const Orbits orbits(N, Background::any, T);
    std::int64_t number = 0;
    for (std::int64_t part = 0; part < orbits.parts(); ++part) orbits.visit(part, [&](const Orbit&) { ++number; });
    return number;
  };
  CHECK(count(65, 8) > count(3, 8));
  CHECK(count(65, 8) == count(1000, 8));
  CHECK(static_cast<double>(count(65, 8)) < bell_number(8));
  CHECK_THROWS_AS(Orbits(65, Background::any, 3), HypothesisError);
  CHECK_THROWS_AS(Orbits(65, Background::any, 17), HypothesisError);
}
