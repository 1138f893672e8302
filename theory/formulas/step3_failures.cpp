#include <algorithm>
#include <string>

#include "core/errors.hpp"
#include "theory/formulas/step3.hpp"

namespace popgrad {
namespace {

// The three margins of one kind of row.
struct RowMargins {
  Step3Row row;
  std::vector<Formula> first, inner, same;  // one each, or none in row 2

  RowMargins(Background background, Step3Row kind) : row(kind), same{step3_margin(background, kind, Step3Key::same)} {
    if (kind == Step3Row::two) return;
    first.push_back(step3_margin(background, kind, Step3Key::first));
    inner.push_back(step3_margin(background, kind, Step3Key::inner));
  }
  // The smallest of those whose keys exist in row t.
  Rational smallest(int N, int T, int t) const {
    const Bindings at = {{"N", N}, {"T", T}, {"t", t}};
    Rational margin = same.front().evaluate_exact(at);
    if (t >= 3) margin = std::min(margin, first.front().evaluate_exact(at));
    if (t >= 4) margin = std::min(margin, inner.front().evaluate_exact(at));
    return margin;
  }
};

struct Margins {
  RowMargins two, middle, before_last, last;
  explicit Margins(Background background)
      : two(background, Step3Row::two),
        middle(background, Step3Row::middle),
        before_last(background, Step3Row::before_last),
        last(background, Step3Row::last) {}
  Rational smallest(int N, int T, int t) const {
    return (t == T ? last : t == 2 ? two : t == T - 1 ? before_last : middle).smallest(N, T, t);
  }
};

const Margins& margins(Background background) {
  static const Margins any(Background::any), avoid(Background::avoid);
  return background == Background::any ? any : avoid;
}

void check_sizes(const char* function, int N, int T) {
  require(N >= 2, function, "N", "at least 2", std::to_string(N));
  require(T >= 4, function, "T", "at least 4", std::to_string(T));
}

}  // namespace

Rational step3_row_margin(int N, int T, Background background, int query_index) {
  check_sizes("step3_row_margin", N, T);
  require(query_index >= 1 && query_index < T, "step3_row_margin", "query_index", "in 1.." + std::to_string(T - 1),
          std::to_string(query_index));
  return margins(background).smallest(N, T, query_index + 1);
}

std::vector<int> step3_failing_rows(int N, int T, Background background) {
  check_sizes("step3_failing_rows", N, T);
  std::vector<int> rows;
  for (int t = 2; t <= T - 1; ++t)
    if (margins(background).smallest(N, T, t) <= 0) rows.push_back(t - 1);
  return rows;
}

std::vector<SizeValue> step3_map(Background background, int largest_N, int largest_T) {
  const Margins& all = margins(background);
  std::vector<SizeValue> map;
  for (int N = 2; N <= largest_N; ++N)
    for (int T = 4; T <= largest_T; ++T) {
      // t T (T-2) times the margins of a middle row is the same for all of them that have the same kinds of keys; row 4 has every kind.
      SizeValue& cell = map.emplace_back(SizeValue{N, T, 2 * T * (T - 2) * all.smallest(N, T, 2)});
      for (const int t : {3, 4, T - 1})
        if (t <= T - 1) cell.value = std::min(cell.value, Rational(t * T * (T - 2) * all.smallest(N, T, t)));
    }
  return map;
}

std::vector<std::pair<int, int>> step3_failures(Background background, int largest_N, int largest_T) {
  std::vector<std::pair<int, int>> failures;
  for (const SizeValue& margin : step3_map(background, largest_N, largest_T))
    if (margin.value <= 0) failures.emplace_back(margin.N, margin.T);
  return failures;
}

bool step3_fails(int N, int T, Background background) {
  check_sizes("step3_fails", N, T);
  return background == Background::avoid && N == 2;
}

}  // namespace popgrad
