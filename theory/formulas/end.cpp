#include "theory/formulas/end.hpp"

#include <map>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "theory/formulas/symbols.hpp"

namespace popgrad {

using symbolic::build;
using symbolic::symbol;

namespace {

Rational power(const Rational& base, int exponent) {
  Rational result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

Rational choose(int n, int k) {
  if (k < 0 || k > n) return 0;
  Rational result = 1;
  for (int i = 1; i <= k; ++i) result = result * (n - k + i) / i;
  return result;
}

Rational binomial_law(int n, int k, const Rational& p) { return choose(n, k) * power(p, k) * power(Rational(1) - p, n - k); }

void check(const char* function, const MinimalTask& task) {
  task.validate();
  require(task.output_weights.empty(), function, "labels", "uniform", "weighted");
}

template <class OfLength>
Rational mean_over_lengths(const MinimalTask& task, const OfLength& of_length) {
  Rational sum = 0;
  for (int T = task.shortest(); T <= task.T; ++T) sum += of_length(T);
  return sum / (task.T - task.shortest() + 1);
}

// tau = 1 and o != q: rows 1 and 2 tie, and the one whose token occurs more often wins: 2 triggers against 1 + Bin(T-3, p) outputs.
// o = q, 2 <= tau <= T-3: rows tau+1 (the trigger, 3 of it) and tau+2 (a background token, 1 + Bin(T-4, p) of it).
Rational avoid_first_layer(int N, int T) {
  const Rational p = Rational(1) / (N - 1), same = Rational(1) / N;
  const Rational g = 1 - binomial_law(T - 3, 0, p) - binomial_law(T - 3, 1, p) / 2;
  const Rational h = binomial_law(T - 4, 0, p) + binomial_law(T - 4, 1, p) + binomial_law(T - 4, 2, p) / 2;
  return ((1 - same) * (T - 3 + g) + same * (2 + (T - 4) * h)) / (T - 2);
}

Rational any_second_layer(int N, int T) {
  const Rational p = Rational(1) / N, r = 1 - p;
  Rational sum = 0;
  for (int tau = 2; tau <= T - 2; ++tau) {
    // A run of two triggers two places after the first one takes its row.
    const Rational run = tau <= T - 4 ? Rational(p * p) : tau == T - 3 ? p : Rational(0);
    sum += power(r, tau) * (1 - run);
    if (tau >= 4) sum += power(r, tau - 2) * p * p;
  }
  return p + sum / (T - 2);
}

// P(the largest of n votes, each for one of `cells`, is at most m) for m = 0..n: n!/cells^n [x^n] (sum_{i<=m} x^i/i!)^cells.
std::vector<Rational> largest_count_law(int n, int cells) {
  using Series = std::vector<Rational>;
  const auto product = [n](const Series& a, const Series& b) {
    Series c(static_cast<std::size_t>(n + 1), Rational(0));
    for (int i = 0; i <= n; ++i)
      for (int j = 0; i + j <= n; ++j) c[static_cast<std::size_t>(i + j)] += a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(j)];
    return c;
  };
  Rational scale = 1;
  for (int i = 1; i <= n; ++i) scale = scale * i / cells;
  std::vector<Rational> law;
  for (int m = 0; m <= n; ++m) {
    Series base(static_cast<std::size_t>(n + 1), Rational(0)), result = base;
    result[0] = base[0] = 1;
    for (int i = 1; i <= m; ++i) base[static_cast<std::size_t>(i)] = base[static_cast<std::size_t>(i - 1)] / i;
    for (int left = cells; left > 0; left /= 2) {
      if (left % 2 == 1) result = product(result, base);
      if (left > 1) base = product(base, base);
    }
    law.push_back(scale * result[static_cast<std::size_t>(n)]);
  }
  return law;
}

// j of T-1 tokens are q, in r runs, the last token one of them or not: j - r triggers follow a trigger, r - (last) have another
// successor, whose tokens vote.
Rational any_best(int N, int T) {
  const Rational p = Rational(1) / N;
  const int m = T - 1;
  std::map<int, std::vector<Rational>> laws;
  const auto expected_largest = [&](int q_votes, int others) {
    if (!laws.count(others)) laws[others] = largest_count_law(others, N - 1);
    Rational mean = q_votes;
    for (int k = q_votes; k < others; ++k) mean += 1 - laws[others][static_cast<std::size_t>(k)];
    return mean;
  };
  Rational sum = 0;
  for (int j = 1; j <= m; ++j) {
    Rational given = 0;
    for (int r = 1; r <= j; ++r)
      for (const int last : {0, 1}) {
        const Rational patterns = choose(j - 1, r - 1) * choose(m - j, r - last);
        if (!patterns.is_zero()) given += patterns * expected_largest(j - r, r - last);
      }
    sum += given * power(p, j) * power(1 - p, m - j);
  }
  return sum * N / (T - 2);
}

}  // namespace

const char* name(SharperLayer layer) { return layer == SharperLayer::first_layer ? "c >> b" : "b >> e^c"; }

Formula perfect_head(Background background, SharperLayer layer) {
  require(background == Background::avoid || layer == SharperLayer::second_layer, "perfect_head", "layer", "second_layer with any",
          "first_layer");
  return build([&] {
    const auto N = symbol("N"), T = symbol("T");
    if (background == Background::any) {
      const GiNaC::ex r = 1 - 1 / N;
      return GiNaC::ex(1 / N + (N * (pow(r, 2) - pow(r, T - 1)) - pow(r, T - 3) / N) / (T - 2));
    }
    if (layer == SharperLayer::second_layer) return GiNaC::ex(1 - (1 - 1 / N) / (T - 2));
    const GiNaC::ex p = 1 / (N - 1), r = 1 - p;
    const GiNaC::ex g = 1 - pow(r, T - 3) - (T - 3) * p * pow(r, T - 4) / 2;
    const GiNaC::ex h = pow(r, T - 4) + (T - 4) * p * pow(r, T - 5) + (T - 4) * (T - 5) * pow(p, 2) * pow(r, T - 6) / 4;
    return GiNaC::ex((1 - 1 / N) * (T - 3 + g) / (T - 2) + (2 + (T - 4) * h) / (N * (T - 2)));
  });
}

Formula perfect_head_large_T(Background background) {
  return build([&] {
    const auto N = symbol("N"), T = symbol("T");
    if (background == Background::avoid) return GiNaC::ex(1 - (1 - 1 / N) / T);
    return GiNaC::ex(1 / N + (N - 2 + 1 / N) / T);
  });
}

Rational perfect_head_exact(const MinimalTask& task, SharperLayer layer) {
  check("perfect_head_exact", task);
  const bool first = layer == SharperLayer::first_layer;
  require(task.background == Background::avoid || !first, "perfect_head_exact", "layer", "second_layer with any", "first_layer");
  return mean_over_lengths(task, [&](int T) -> Rational {
    if (task.background == Background::any) return any_second_layer(task.N, T);
    if (first) return avoid_first_layer(task.N, T);
    return 1 - (1 - Rational(1) / task.N) / (T - 2);
  });
}

Rational best_accuracy(const MinimalTask& task) {
  check("best_accuracy", task);
  if (task.background == Background::avoid) return 1;
  if (task.T > longest_best_accuracy)
    throw InputError("-T", std::to_string(task.T), "at most " + std::to_string(longest_best_accuracy) + " for the best possible accuracy");
  return mean_over_lengths(task, [&](int T) { return any_best(task.N, T); });
}

Formula one_vote_share() {
  return build([&] {
    const auto N = symbol("N"), T = symbol("T");
    return GiNaC::ex((1 - pow(1 - 1 / N, T - 2)) * N / (T - 2));
  });
}

}  // namespace popgrad
