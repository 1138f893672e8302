#include "theory/formulas/step3.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "core/errors.hpp"
#include "theory/formulas/pair_law.hpp"

namespace popgrad {

using symbolic::build;
using symbolic::pair_weights;
using symbolic::symbol;

namespace {

constexpr Step3Row all_rows[] = {Step3Row::two, Step3Row::middle, Step3Row::before_last, Step3Row::last};
constexpr Step3Key all_keys[] = {Step3Key::first, Step3Key::inner, Step3Key::previous, Step3Key::same};

bool exists(Step3Row row, Step3Key key) {
  return row != Step3Row::two || key == Step3Key::previous || key == Step3Key::same;
}

GiNaC::ex row_index(Step3Row row) {
  switch (row) {
    case Step3Row::two:
      return 2;
    case Step3Row::middle:
      return symbol("t");
    case Step3Row::before_last:
      return symbol("T") - 1;
    case Step3Row::last:
      break;
  }
  return symbol("T");
}

// r = (2 v + w)/T; w grows by u/T in row T-1, where the trigger cannot stand at s = t: tau <= T-2.
struct RowWeights {
  GiNaC::ex u, v, w, r;
};

RowWeights row_weights(Background background, Step3Row row) {
  const auto T = symbol("T");
  const auto [u, v, w] = pair_weights(background);
  return {u, v, row == Step3Row::before_last ? w + u / T : w, (2 * v + w) / T};
}

GiNaC::ex entry_of(Background background, Step3Row row, Step3Key key) {
  const auto T = symbol("T");
  const GiNaC::ex t = row_index(row);
  const RowWeights a = row_weights(background, row);
  if (row == Step3Row::last) {
    // K_s = o_s (v - r) - u q_s/T with o_s, q_s the chances of output and trigger at s; their means over s are 1/T and 2/T.
    const GiNaC::ex chance = 1 / (T - 2),
                    output = key == Step3Key::first || key == Step3Key::same ? GiNaC::ex(0) : GiNaC::ex(chance);
    const GiNaC::ex trigger = key == Step3Key::same       ? GiNaC::ex(1)
                              : key == Step3Key::previous ? GiNaC::ex(0)
                                                          : GiNaC::ex(chance);
    return ((a.v - a.r) * (output - 1 / T) - a.u / T * (trigger - 2 / T)) / pow(T, 2);
  }
  const GiNaC::ex scale = 1 / (t * T * (T - 2));
  if (row == Step3Row::two) return scale * (key == Step3Key::previous ? 1 : -1) * (a.u - a.w + a.r) / 2;
  if (key == Step3Key::first) return scale * (a.r * (t - 1) - a.u - a.w) / t;
  const GiNaC::ex rest = -(a.u + a.w + a.r) / t;
  if (key == Step3Key::previous) return scale * (a.u + rest);
  return scale * (key == Step3Key::same ? GiNaC::ex(a.w + rest) : rest);
}

GiNaC::ex margin_of(Background background, Step3Row row, Step3Key against) {
  const auto T = symbol("T");
  const RowWeights a = row_weights(background, row);
  if (row == Step3Row::last) {
    const GiNaC::ex inner = a.u / (pow(T, 3) * (T - 2)), output = (a.v - a.r) / (pow(T, 2) * (T - 2));
    if (against == Step3Key::inner) return inner;
    return output + (against == Step3Key::first ? inner : GiNaC::ex(a.u / pow(T, 3)));
  }
  const GiNaC::ex scale = 1 / (row_index(row) * T * (T - 2));
  if (row == Step3Row::two) return scale * (a.u - a.w + a.r);
  if (against == Step3Key::first) return scale * (a.u - a.r);
  return scale * (against == Step3Key::same ? GiNaC::ex(a.u - a.w) : a.u);
}

}  // namespace

Formula step3_entry(Background background, Step3Row row, Step3Key key) {
  require(exists(row, key), "step3_entry", "key", "previous or same in row 2", "another");
  return build([&] { return entry_of(background, row, key); });
}

Formula step3_margin(Background background, Step3Row row, Step3Key against) {
  require(exists(row, against) && against != Step3Key::previous, "step3_margin", "against", "another key of the row",
          "none");
  return build([&] { return margin_of(background, row, against); });
}

Formula step3_signal(Background background) {
  return build([&] {
    const auto T = symbol("T");
    return GiNaC::ex(pair_weights(background).u / (symbol("t") * T * (T - 2)));
  });
}

// The smallest: against s = t for avoid (rows 2..T-1) and in row T-1 for any; against s = 1 in the middle rows for any;
// against 2 <= s <= T-2 in row T.
Formula step3_margin_large_T(Background background, Step3Row row) {
  return build([&] {
    const auto N = symbol("N"), T = symbol("T");
    const auto [u, v, w] = pair_weights(background);
    if (row == Step3Row::last) return GiNaC::ex(u / pow(T, 4));
    const GiNaC::ex t = row == Step3Row::before_last ? GiNaC::ex(T) : row_index(row);
    return GiNaC::ex((background == Background::any ? u : GiNaC::ex(1 - 2 / N)) / (t * pow(T, 2)));
  });
}

// u - r = 1 - (2 + 2/T)/N + ..., u - w = 1 - 2/N, and so on, to first order in 1/N.
Formula step3_margin_large_N(Background background, Step3Row row) {
  return build([&] {
    const auto N = symbol("N"), T = symbol("T");
    const bool any = background == Background::any;
    const GiNaC::ex u = any ? 1 - 2 / N : 1 - 1 / N, middle = 1 - (any ? 2 + 2 / T : GiNaC::ex(2)) / N;
    if (row == Step3Row::last) return GiNaC::ex(u / (pow(T, 3) * (T - 2)));
    const GiNaC::ex scale = 1 / (row_index(row) * T * (T - 2));
    if (row == Step3Row::middle) return GiNaC::ex(scale * middle);
    if (row == Step3Row::two) return GiNaC::ex(scale * (1 - (any ? 2 - 2 / T : 2 - 3 / T) / N));
    return GiNaC::ex(scale * (u * (1 - 1 / T) - (any ? GiNaC::ex(0) : GiNaC::ex(1 / N))));
  });
}

Rational step3_entry_exact(const MinimalTask& task, int query_index, int key_index) {
  task.validate();
  require(task.output_weights.empty(), "step3_entry_exact", "output_weights", "empty: uniform labels", "weights");
  for (const int index : {query_index, key_index})
    require(index >= 0 && index < task.T, "step3_entry_exact", "index", "in 0.." + std::to_string(task.T - 1),
            std::to_string(index));
  // Built once: a map of T^2 entries is asked for one by one.
  static const auto table = [] {
    std::map<std::tuple<Background, Step3Row, Step3Key>, Formula> formulas;
    for (const Background background : {Background::any, Background::avoid})
      for (const Step3Row row : all_rows)
        for (const Step3Key key : all_keys)
          if (exists(row, key)) formulas.emplace(std::tuple(background, row, key), step3_entry(background, row, key));
    return formulas;
  }();
  const int t = query_index + 1, s = key_index + 1;
  if (t == 1 || s > t) return 0;
  const Step3Key key = s == t       ? Step3Key::same
                       : s == t - 1 ? Step3Key::previous
                       : s == 1     ? Step3Key::first
                                    : Step3Key::inner;
  Rational sum = 0;
  for (int length = std::max(task.shortest(), t); length <= task.T; ++length) {
    const Step3Row row = t == length       ? Step3Row::last
                         : t == 2          ? Step3Row::two
                         : t == length - 1 ? Step3Row::before_last
                                           : Step3Row::middle;
    sum += table.at({task.background, row, key}).evaluate_exact({{"N", task.N}, {"T", length}, {"t", t}});
  }
  return sum / (task.T - task.shortest() + 1);
}

}  // namespace popgrad
