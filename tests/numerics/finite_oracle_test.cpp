// forward() and add_gradient() of the finite-d model, entry by entry against the oracle.
#include <cmath>

#include "tests/catch.hpp"
#include "tests/numerics/finite_instances.hpp"
#include "tests/numerics/oracle_comparison.hpp"
#include "tests/oracle/softmax.hpp"

using namespace popgrad;
using namespace popgrad::against_oracle;

TEST_CASE("finite forward pass: attention, logits and loss equal the oracle's, entry by entry") {
  for (const Instance& instance : instances()) {
    INFO(instance.name);
    const FiniteModel& model = instance.model;
    const auto base = for_oracle(model);
    const auto theta = oracle::trained_entries(base);
    const double K = longest_sum(model);
    const auto expected = oracle::finite_forward(
        oracle::with_trained_entries(base, std::vector<oracle::BoundedDual>(theta.begin(), theta.end())),
        instance.example.tokens);
    const FiniteTrace trace = forward(model, instance.example);
    const auto L = static_cast<Eigen::Index>(instance.example.tokens.size());
    const auto n = static_cast<Eigen::Index>(instance.example.targets.size());
    REQUIRE((trace.attention1.rows() == L && trace.attention1.cols() == L));
    REQUIRE((trace.attention2.rows() == n && trace.attention2.cols() == L));
    REQUIRE((trace.logits.rows() == n && trace.logits.cols() == model.N()));
    REQUIRE((trace.probabilities.rows() == n && trace.probabilities.cols() == model.N()));
    REQUIRE((trace.x.rows() == L && trace.x.cols() == model.d()));
    REQUIRE((trace.x1.rows() == L && trace.value2.rows() == n && trace.x2.rows() == n));
    const auto check = [K](double found, const oracle::BoundedDual& value) {
      const double bound = 2 * K * value.value.error();
      CHECK(bound < 1e-8);
      CHECK(std::abs(found - value.value.value) <= bound);
    };
    for (Eigen::Index t = 0; t < L; ++t)
      for (Eigen::Index s = 0; s < L; ++s) {
        const auto& row = expected.attention1[static_cast<std::size_t>(t)];
        if (s <= t)
          check(trace.attention1(t, s), row[static_cast<std::size_t>(s)]);
        else
          CHECK(trace.attention1(t, s) == 0);
      }
    for (Eigen::Index i = 0; i < n; ++i) {
      const int position = instance.example.targets[static_cast<std::size_t>(i)].position;
      const auto& row = expected.attention2[static_cast<std::size_t>(position)];
      const auto& logits = expected.logits[static_cast<std::size_t>(position)];
      const auto probabilities = oracle::softmax(logits);
      for (Eigen::Index s = 0; s < L; ++s)
        if (s <= position)
          check(trace.attention2(i, s), row[static_cast<std::size_t>(s)]);
        else
          CHECK(trace.attention2(i, s) == 0);
      for (Eigen::Index k = 0; k < model.N(); ++k) {
        check(trace.logits(i, k), logits[static_cast<std::size_t>(k)]);
        check(trace.probabilities(i, k), probabilities[static_cast<std::size_t>(k)]);
      }
    }
    const auto loss = oracle::value(loss_of(base, instance.example), theta);
    CHECK(std::abs(trace.loss - loss.value) <= oracle::agreement(loss, K));
  }
}

TEST_CASE("finite gradient equals the oracle's, entry by entry, and three per cent on one entry is noticed") {
  for (const Instance& instance : instances()) {
    INFO(instance.name);
    const auto base = for_oracle(instance.model);
    const auto expected = oracle::gradient(loss_of(base, instance.example), oracle::trained_entries(base));
    TrainedMaps gradient = TrainedMaps::zero(instance.model.d());
    const double loss = add_gradient(instance.model, instance.example, gradient);
    CHECK(loss == forward(instance.model, instance.example).loss);
    check_gradient(instance, expected, in_oracle_order(gradient));
  }
}

TEST_CASE("finite gradient: each map in turn, so that no map hides behind another") {
  const Instance instance = instances()[1];
  const auto base = for_oracle(instance.model);
  const auto expected = oracle::gradient(loss_of(base, instance.example), oracle::trained_entries(base));
  TrainedMaps gradient = TrainedMaps::zero(4);
  add_gradient(instance.model, instance.example, gradient);
  std::size_t first = 0;
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) {
    INFO(name(map));
    const std::vector<oracle::Derivative> part(expected.begin() + static_cast<std::ptrdiff_t>(first),
                                               expected.begin() + static_cast<std::ptrdiff_t>(first + 16));
    CHECK(compare(part, entries(gradient.at(map)), 5).outside == 0);
    // Transposed, the same numbers are wrong: the layout is part of the contract.
    CHECK(compare(part, entries(gradient.at(map).transpose()), 5).outside >= 10);
    first += 16;
  }
}

TEST_CASE("finite gradient is a sum over targets and adds to what is there") {
  const Instance instance = instances()[1];
  TrainedMaps once = TrainedMaps::zero(4), twice = TrainedMaps::zero(4), added = TrainedMaps::zero(4);
  const double loss = add_gradient(instance.model, instance.example, once);
  Example doubled = instance.example;
  doubled.targets.insert(doubled.targets.end(), instance.example.targets.begin(), instance.example.targets.end());
  const double double_loss = add_gradient(instance.model, doubled, twice);
  add_gradient(instance.model, instance.example, added);
  add_gradient(instance.model, instance.example, added);
  const auto base = for_oracle(instance.model);
  auto expected = oracle::gradient(loss_of(base, instance.example), oracle::trained_entries(base));
  const auto value = oracle::value(loss_of(base, instance.example), oracle::trained_entries(base));
  CHECK(std::abs(double_loss - 2 * loss) <= 2 * oracle::agreement(value, 5));
  CHECK(compare(expected, in_oracle_order(once), 5).outside == 0);
  for (auto& entry : expected) entry = {2 * entry.value, 2 * entry.error};
  CHECK(compare(expected, in_oracle_order(twice), 5).outside == 0);
  CHECK(compare(expected, in_oracle_order(added), 5).outside == 0);
}

TEST_CASE("finite gradient without the feed-forward layer has no W_F part and does not read W_F") {
  Instance instance = instances()[0];
  TrainedMaps with = TrainedMaps::zero(4), without = TrainedMaps::zero(4);
  add_gradient(instance.model, instance.example, with);
  instance.model.trained.wf.setZero();
  add_gradient(instance.model, instance.example, without);
  CHECK(with.wf.isZero(0));
  CHECK(in_oracle_order(with) == in_oracle_order(without));
}
