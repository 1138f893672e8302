#include "numerics/kernels/causal_softmax.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/philox.hpp"
#include "numerics/kernels/padding.hpp"
#include "tests/catch.hpp"

using namespace popgrad;
using namespace popgrad::kernels;

namespace {

constexpr double unit = 0x1p-24;
constexpr double exponential_error = 0x1p-22;  // stated in numerics/kernels/exponential.hpp

// Relative roundoff of an entry: its exponential and the sum's, vectors added one by one and lanes in pairs, the reciprocal, a product; the difference of
// the scores moves the exponential by its own size times a unit.
double softmax_error(int seen, double range) {
  return 2 * (exponential_error + range * unit) + (padded(seen) / lanes + 4 + 3) * unit;
}

}  // namespace

TEST_CASE("the float exponential keeps its stated error", "[causal_softmax]") {
  // Of two scores 0 and x: the ratio of the probabilities is exp(x), rounded in three places.
  double worst = 0;
  std::vector<float> row(lanes);
  for (int i = 0; i <= 400000; ++i) {
    const float x = -87.0f * static_cast<float>(i) / 400000.0f;
    row[0] = 0;
    row[1] = x;
    softmax(row.data(), 2);
    if (row[1] < std::numeric_limits<float>::min()) continue;  // below the normal numbers there is no relative accuracy
    const double exact = std::exp(static_cast<double>(x));
    worst = std::max(worst, std::abs(static_cast<double>(row[1]) / static_cast<double>(row[0]) - exact) / exact);
  }
  INFO("worst relative error " << worst / unit << " units of 2^-24");
  CHECK(worst <= exponential_error + 3 * unit);
  CHECK(worst >= unit / 4);  // the scan would notice an error of this size
}

TEST_CASE("softmax stops at what is seen and is right up to roundoff", "[causal_softmax]") {
  for (const int seen : {1, 2, 15, 16, 17, 40}) {
    Stream stream(9, Purpose::test, static_cast<std::uint64_t>(seen));
    std::vector<float> row(static_cast<std::size_t>(padded(seen)));
    double range = 0;
    for (float& x : row) {
      x = static_cast<float>(6 * stream.normal());
      range = std::max(range, 2 * std::abs(static_cast<double>(x)));
    }
    for (std::size_t s = static_cast<std::size_t>(seen); s < row.size(); ++s) row[s] = 1e30f;  // must not count
    const std::vector<float> scores = row;
    softmax(row.data(), seen);
    double total = 0;
    for (int s = 0; s < seen; ++s) total += std::exp(static_cast<double>(scores[static_cast<std::size_t>(s)]));
    for (std::size_t s = 0; s < row.size(); ++s) {
      const double exact = s < static_cast<std::size_t>(seen) ? std::exp(static_cast<double>(scores[s])) / total : 0;
      INFO("seen = " << seen << ", s = " << s);
      CHECK(std::abs(static_cast<double>(row[s]) - exact) <= softmax_error(seen, range) * exact);
    }
  }
}

TEST_CASE("scores of any size leave probabilities finite, and what is not a number spreads", "[causal_softmax]") {
  std::vector<float> row = {-431, 279, 427, -700, 700, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  CHECK(softmax_loss(row.data(), 3, 0) == 858.0);
  CHECK(row[2] == 1.0f);
  CHECK(row[3] == 0.0f);
  row = {700, -700, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  CHECK(softmax_loss(row.data(), 2, 1) == 1400.0);
  std::vector<float> broken(16, 0.0f);
  broken[2] = std::numeric_limits<float>::quiet_NaN();
  CHECK(std::isnan(softmax_loss(broken.data(), 5, 0)));
  broken.assign(16, 0.0f);
  broken[1] = std::numeric_limits<float>::infinity();
  CHECK(std::isnan(softmax_loss(broken.data(), 5, 0)));
}

TEST_CASE("the derivative of softmax is a (g - mean) and zero where nothing is seen", "[causal_softmax]") {
  const int seen = 21;
  Stream stream(4, Purpose::test, 1);
  std::vector<float> a(static_cast<std::size_t>(padded(seen))), g(a);
  for (float& x : a) x = static_cast<float>(stream.normal());
  softmax(a.data(), seen);
  double mean = 0, size = 0;
  for (std::size_t s = 0; s < g.size(); ++s) {
    g[s] = static_cast<float>(stream.normal());
    mean += static_cast<double>(a[s]) * static_cast<double>(g[s]);
    size += std::abs(static_cast<double>(a[s]) * static_cast<double>(g[s]));
  }
  const std::vector<float> before = g;
  softmax_gradient(a.data(), g.data(), seen);
  for (std::size_t s = 0; s < g.size(); ++s) {
    const double gs = static_cast<double>(before[s]), as = static_cast<double>(a[s]);
    const double bound = as * ((padded(seen) / lanes + 5) * unit * size + 3 * unit * (std::abs(gs) + std::abs(mean)));
    CHECK(std::abs(static_cast<double>(g[s]) - as * (gs - mean)) <= bound);
  }
  CHECK(g[22] == 0.0f);
}
