#include "core/errors.hpp"
#include "theory/formulas/step2.hpp"
#include "theory/formulas/step2_parts.hpp"

namespace popgrad {

using symbolic::build;
using symbolic::harmonic;
using symbolic::Step2Parts;
using symbolic::symbol;

// margin = diag N/(N-1): divide read and remapped by N T (N-1)/N, and by N T more for an actual hand-off.
namespace {

GiNaC::ex scaled(const GiNaC::ex& signal, Handoff handoff) {
  const GiNaC::ex scale = symbol("N") * symbol("T");
  return signal / (handoff == Handoff::ideal ? scale : GiNaC::ex(pow(scale, 2)));
}

bool copies(Handoff handoff, Blocks blocks) { return handoff == Handoff::actual && blocks == Blocks::full; }

}  // namespace

// With H = H(T-1), H2 = H(T-1, 2): T X and T Z -> H - 2, T Y -> -1, T X_R and T Z_R -> H - H2 - 2, h_T -> 1.
Formula step2_margin_large_T(Background background, Handoff handoff, Blocks blocks) {
  return build([&] {
    const auto N = symbol("N"), T = symbol("T");
    const GiNaC::ex one = harmonic(T - 1), two = harmonic(T - 1, 2);
    const GiNaC::ex shared = copies(handoff, blocks) ? GiNaC::ex(one - two - 2) : GiNaC::ex(0);
    if (background == Background::any) return scaled(((1 - 1 / N) * (one - 1) - 1 + shared) / T, handoff);
    return scaled((one - 2 - 1 / N + (1 + 1 / N) * shared) / (T * (1 - 1 / N)), handoff);
  });
}

// any: (1 - 1/N) times X + (Y - X)/N + h X_R. avoid: X + (Y + Z - X)/N + h (X_R + Z_R/N), over 1 - 1/N.
Formula step2_margin_large_N(Background background, Handoff handoff, Blocks blocks) {
  return build([&] {
    const auto N = symbol("N");
    const Step2Parts parts = symbolic::step2_parts();
    const GiNaC::ex h = copies(handoff, blocks) ? parts.h : GiNaC::ex(0);
    const GiNaC::ex first = parts.x + h * parts.x_shared;
    if (background == Background::any) return scaled(first + (parts.y - parts.x) / N, handoff);
    return scaled(first + (parts.y + parts.z + h * (parts.x_shared + parts.z_shared)) / N, handoff);
  });
}

}  // namespace popgrad
