// The bound that the fast path is held to: wide enough for plain evaluations in double and in float, too narrow for any
// fault.
#include <fmt/format.h>

#include <cstdio>

#include "tests/catch.hpp"
#include "tests/numerics/agreement.hpp"

using namespace popgrad;
using namespace popgrad::agreement;

namespace {

const std::vector<Map> every(std::begin(all_maps), std::end(all_maps));

}  // namespace

TEST_CASE("the double reference agrees with a second dense pass within the double bound, for every option") {
  for (const Batch& batch : batches(1)) {
    INFO(batch.name);
    const Agreement found =
        Judge(batch, 2 * u_double)
            .compare(batch_gradient(batch.model, batch.source, Purpose::test, batch.first, batch.count), every);
    std::printf("double  %-75s %s\n", batch.name.c_str(), describe(found).c_str());
    CHECK(found.outside == 0);
  }
}

TEST_CASE("a plain float evaluation keeps to the float bound, and a single fault in it does not") {
  std::array<int, oracle::fault_count> caught{};
  for (const Batch& batch : batches(1)) {
    INFO(batch.name);
    const Judge judge(batch, u_float + u_double);
    const Agreement right = judge.compare(plain_float(batch, oracle::Fault::none), every);
    std::printf("float   %-75s %s\n", batch.name.c_str(), describe(right).c_str());
    CHECK(right.outside == 0);
    for (int f = 1; f < oracle::fault_count; ++f)
      if (judge.compare(plain_float(batch, static_cast<oracle::Fault>(f)), every).outside > 0)
        ++caught[static_cast<std::size_t>(f)];
  }
  // Not in every batch: with kappa = 1 none can be forgotten, and where attention saturates the bound is wide.
  for (int f = 1; f < oracle::fault_count; ++f) {
    INFO(oracle::name(static_cast<oracle::Fault>(f)));
    std::printf("fault   %-75s caught in %d batches of %zu\n", oracle::name(static_cast<oracle::Fault>(f)),
                caught[static_cast<std::size_t>(f)], batches(1).size());
    CHECK(caught[static_cast<std::size_t>(f)] >= 4);
  }
}

TEST_CASE("one number off by three times its bound, a gradient nobody asked for or a lost sequence is seen") {
  const Batch batch = batches(1).front();
  const Judge judge(batch, u_float + u_double);
  const BatchGradient right = plain_float(batch, oracle::Fault::none);
  const std::vector<Map> three = {Map::wk1, Map::wk2, Map::wo2};
  for (const Map map : three) {
    BatchGradient wrong = right;
    const double bound = judge.pass().gradient_error(static_cast<int>(map))(3, 7);
    wrong.sum.at(map)(3, 7) += 3 * bound;
    CHECK(judge.compare(wrong, three).outside == 1);
    CHECK(judge.compare(wrong, three).where == std::string(name(map)) + "(3,7)");
    std::vector<Map> others;
    for (const Map other : three)
      if (other != map) others.push_back(other);
    CHECK(judge.compare(right, others).outside > 0);
  }
  BatchGradient loss = right, count = right, missing = right, infinite = right;
  loss.loss_sum += 3 * judge.pass().loss_error();
  CHECK(judge.compare(loss, three).outside == 1);
  --count.loss_positions;
  CHECK(judge.compare(count, three).outside == 1);
  --missing.sequences;
  CHECK(judge.compare(missing, three).outside == 1);
  infinite.sum.wk1(0, 0) = std::nan("");
  CHECK(judge.compare(infinite, three).outside == 1);
}
