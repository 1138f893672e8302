#include "numerics/orbits.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/errors.hpp"

namespace popgrad {
namespace {

// Calls done(tokens, classes) for every continuation of `tokens` to `length` positions as a restricted growth string.
template <class Done>
void extend(std::vector<int>& tokens, int classes, int length, int most, const Done& done) {
  if (static_cast<int>(tokens.size()) == length) {
    done(tokens, classes);
    return;
  }
  for (int c = 0; c <= std::min(classes, most - 1); ++c) {
    tokens.push_back(c);
    extend(tokens, std::max(classes, c + 1), length, most, done);
    tokens.pop_back();
  }
}

}  // namespace

bool find_triggers(Orbit& orbit, Background background) {
  const int last = static_cast<int>(orbit.token.size()) - 1;
  const auto token = [&](int s) { return orbit.token[static_cast<std::size_t>(s)]; };
  const int trigger = token(last);
  const auto copies = std::count(orbit.token.begin(), orbit.token.end(), trigger);
  orbit.label.assign(static_cast<std::size_t>(orbit.classes), 0);
  orbit.triggers = 0;
  for (int tau = 0; tau + 2 <= last; ++tau) {
    if (token(tau) != trigger) continue;
    // With `avoid` no background token is the trigger: only tau, the last position and maybe the output hold it.
    if (background == Background::avoid && copies != (token(tau + 1) == trigger ? 3 : 2)) continue;
    ++orbit.label[static_cast<std::size_t>(token(tau + 1))];
    ++orbit.triggers;
  }
  return orbit.triggers > 0;
}

Orbits::Orbits(int N, Background background, int length) : N_(N), length_(length), background_(background) {
  require(N >= 2, "Orbits", "N", "at least 2", std::to_string(N));
  require(length >= 4 && length <= 16, "Orbits", "length", "in 4..16", std::to_string(length));
  // 203 parts of length 6 keep a few threads busy; 4140 of length 8 where there are millions of orbits.
  const int fixed = length < 8 ? 2 : length < 12 ? 6 : 8;
  std::vector<int> tokens;
  extend(tokens, 0, fixed, N, [&](const std::vector<int>& prefix, int) { prefixes_.push_back(prefix); });
}

void Orbits::visit(std::int64_t part, const std::function<void(const Orbit&)>& each) const {
  std::vector<int> tokens = prefixes_[static_cast<std::size_t>(part)];
  Orbit orbit;
  const int classes = *std::max_element(tokens.begin(), tokens.end()) + 1;
  extend(tokens, classes, length_, N_, [&](const std::vector<int>& all, int count) {
    orbit.token = all;
    orbit.classes = count;
    if (find_triggers(orbit, background_)) each(orbit);
  });
}

double partition_count(int length, int N) {
  // Stirling numbers of the second kind, S(n, k) = k S(n-1, k) + S(n-1, k-1), a row for each n.
  std::vector<double> row = {1};
  for (int n = 1; n <= length; ++n) {
    row.resize(static_cast<std::size_t>(std::min(n, N)) + 1, 0.0);
    for (std::size_t k = row.size() - 1; k > 0; --k) row[k] = static_cast<double>(k) * row[k] + row[k - 1];
    row[0] = 0;
  }
  return std::accumulate(row.begin(), row.end(), 0.0);
}

double bell_number(int length) {
  // The triangle: each row starts with the last entry of the one above and adds along.
  std::vector<double> row = {1};
  for (int n = 1; n < length; ++n) {
    std::vector<double> next = {row.back()};
    for (const double above : row) next.push_back(next.back() + above);
    row = next;
  }
  return row.back();
}

}  // namespace popgrad
