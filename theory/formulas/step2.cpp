#include "theory/formulas/step2.hpp"

#include "core/errors.hpp"
#include "theory/formulas/step1.hpp"
#include "theory/formulas/step2_parts.hpp"

namespace popgrad {

using symbolic::build;
using symbolic::harmonic;
using symbolic::pair_weights;
using symbolic::remapped_weight;
using symbolic::Step2Parts;
using symbolic::symbol;

// Sums over tau of F_s = H(T) - H(s-1) and its relatives, with H = H(T-1) and H2 = H(T-1, 2):
//   E 1/(tau+1) = (H - 1)/(T-2)                  E F_tau = T/(T-1) + 1/T               E F_{tau+1} = h_T
//   E sum_{s > tau} 1/s^2 = (H - H2)/(T-2) + 1/T^2
//   E F_{tau+1}^2 = [2T - H^2 - (1 + 2/T) H - 1/T - 2/T^2]/(T-2)
//   E F_{tau+1} F_tau = [2T - (H^2 + H2)/2 - (1 + 1/T) H - 1/T - 2/T^2 - 1/(T(T-1))]/(T-2).
Step2Parts symbolic::step2_parts(HarmonicEnd end) {
  const auto T = symbol("T");
  const GiNaC::ex last = end == HarmonicEnd::right ? GiNaC::ex(T - 1) : GiNaC::ex(T);
  const GiNaC::ex one = harmonic(last), two = harmonic(last, 2), h = remapped_weight(end);
  const GiNaC::ex meets = (one - 1) / (T - 2), squares = (one - two) / (T - 2) + 1 / pow(T, 2);
  const GiNaC::ex output_square = (2 * T - pow(one, 2) - (1 + 2 / T) * one - 1 / T - 2 / pow(T, 2)) / (T - 2);
  const GiNaC::ex product =
      (2 * T - (pow(one, 2) + two) / 2 - (1 + 1 / T) * one - 1 / T - 2 / pow(T, 2) - 1 / (T * (T - 1))) / (T - 2);
  return {h,
          meets - 1 / (T - 1) - 2 / pow(T, 2),
          (1 - 2 * h) / T,
          meets - h / T,
          squares + 1 / pow(T, 2) - (product + h / T) / T,
          squares - output_square / T};
}

GiNaC::ex symbolic::step2_read_of(Background background, const Step2Parts& parts) {
  const auto [u, v, w] = pair_weights(background);
  return u * parts.x + v * parts.y + w * parts.z;
}

GiNaC::ex symbolic::step2_remapped_of(Background background, const Step2Parts& parts) {
  const auto [u, v, w] = pair_weights(background);
  return (u + v) * parts.x_shared + w * parts.z_shared;
}

namespace {

GiNaC::ex diagonal(Background background, Handoff handoff, Blocks blocks, const Step2Parts& parts) {
  const GiNaC::ex scale = symbol("N") * symbol("T"), read = symbolic::step2_read_of(background, parts);
  if (handoff == Handoff::ideal) return read / scale;
  if (blocks == Blocks::isolated) return read / pow(scale, 2);
  return (read + parts.h * symbolic::step2_remapped_of(background, parts)) / pow(scale, 2);
}

}  // namespace

Formula step2_x() {
  return build([] { return symbolic::step2_parts().x; });
}
Formula step2_y() {
  return build([] { return symbolic::step2_parts().y; });
}
Formula step2_z() {
  return build([] { return symbolic::step2_parts().z; });
}
Formula step2_x_shared() {
  return build([] { return symbolic::step2_parts().x_shared; });
}
Formula step2_z_shared() {
  return build([] { return symbolic::step2_parts().z_shared; });
}

Formula step2_read(Background background, HarmonicEnd end) {
  return build([&] { return symbolic::step2_read_of(background, symbolic::step2_parts(end)); });
}

Formula step2_remapped(Background background, HarmonicEnd end) {
  return build([&] { return symbolic::step2_remapped_of(background, symbolic::step2_parts(end)); });
}

Formula step2_diag(Background background, Handoff handoff, Blocks blocks) {
  return build([&] { return diagonal(background, handoff, blocks, symbolic::step2_parts()); });
}

Formula step2_off(Background background, Handoff handoff, Blocks blocks) {
  return build(
      [&] { return GiNaC::ex(-diagonal(background, handoff, blocks, symbolic::step2_parts()) / (symbol("N") - 1)); });
}

Formula step2_margin(Background background, Handoff handoff, Blocks blocks) {
  return build([&] {
    const auto N = symbol("N");
    return GiNaC::ex(diagonal(background, handoff, blocks, symbolic::step2_parts()) * N / (N - 1));
  });
}

Formula step2_diag_outline(Background background, Handoff handoff, Blocks blocks) {
  return build([&] {
    const Step2Parts names = {symbol("h_T"), symbol("X"), symbol("Y"), symbol("Z"), symbol("X_R"), symbol("Z_R")};
    return diagonal(background, handoff, blocks, names);
  });
}

Rational step2_diag_exact(const MinimalTask& task, Handoff handoff, Blocks blocks, HarmonicEnd end) {
  task.validate();
  require(task.output_weights.empty(), "step2_diag_exact", "output_weights", "empty: uniform labels", "weights");
  const Formula read = step2_read(task.background, end), remapped = step2_remapped(task.background, end), h = step1_h(end);
  const int lengths = task.T - task.shortest() + 1;
  Rational token = 1, copied = 0;  // slopes of (U,E) and (U,R) in what is handed on
  if (handoff == Handoff::actual) {
    token = 0;
    for (int length = task.shortest(); length <= task.T; ++length) {
      const Rational slope = Rational(1, task.N * length * lengths);
      token += slope;
      if (blocks == Blocks::full) copied += slope * h.evaluate_exact({{"T", length}});
    }
  }
  Rational sum = 0;
  for (int length = task.shortest(); length <= task.T; ++length) {
    const Bindings at = {{"N", task.N}, {"T", length}};
    const Rational value =
        token * read.evaluate_exact(at) + (is_zero(copied) ? Rational(0) : Rational(copied * remapped.evaluate_exact(at)));
    sum += value / (task.N * length);
  }
  return sum / lengths;
}

}  // namespace popgrad
