#include "theory/claims/fit_basis.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/errors.hpp"
#include "theory/formulas/parse.hpp"

namespace popgrad {
namespace {

bool among(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// The power of `prime` in the denominator.
int power_of(int prime, const Rational& value) {
  auto below = denominator(value);
  int power = 0;
  while (below % prime == 0) {
    below /= prime;
    ++power;
  }
  return power;
}

// Powers in the denominator, and how fast the value decays.
struct Shape {
  int N = 0, N1 = 0, T = 0, T1 = 0, T2 = 0, t = 0;
  int weight = 0;
  int decay_N = 0, decay_T = 0;
  auto operator<=>(const Shape&) const = default;
};

int decay(const Rational& near, const Rational& far, double factor, double slack) {
  if (near.is_zero() || far.is_zero()) return 0;
  const double exponent = std::log(std::abs(to_double(Rational(near / far)))) / std::log(factor);
  return std::max(0, static_cast<int>(std::floor(exponent + slack)));
}

Shape measured_shape(QuantityMeter& meter, const Size& base, const std::vector<std::string>& variables) {
  const auto at = [&](int N, int T, std::optional<int> t) {
    Size size = base;
    size.N = among(variables, "N") ? N : base.N;
    size.T = among(variables, "T") ? T : base.T;
    if (size.t && t) size.t = *t;
    return meter.at(size);
  };
  Shape shape;
  if (among(variables, "N")) {
    shape.N = power_of(101, at(101, 9, {}));
    shape.N1 = power_of(101, at(102, 9, {}));
    shape.decay_N = decay(at(1'000'000, 9, {}), at(10'000'000, 9, {}), 10, 0.01);
  }
  if (among(variables, "T")) {
    shape.T = power_of(29, at(4, 29, {}));
    shape.T1 = power_of(29, at(4, 30, {}));
    shape.T2 = power_of(29, at(4, 31, {}));
    shape.weight = power_of(29, at(4, 32, {}));
    // A factor log T makes the decay from 64 to 128 look slower by about a quarter a power, one in the denominator faster.
    shape.decay_T = decay(at(4, 64, {}), at(4, 128, {}), 2, 0.05);
  }
  if (among(variables, "t")) shape.t = power_of(11, at(4, 29, 11));
  return shape;
}

// Products of harmonic numbers of weight at most `weight`: H(T-1)^i H(T-1,2)^j H(T-1,3)^k, i + 2j + 3k <= weight.
std::vector<std::string> harmonic_products(int weight) {
  std::vector<std::string> products;
  for (int total = 0; total <= weight; ++total)
    for (int third = 0; 3 * third <= total; ++third)
      for (int second = 0; 2 * second + 3 * third <= total; ++second) {
        std::string text;
        const auto add = [&](const std::string& factor, int power) {
          if (power > 0) text += "*" + factor + (power > 1 ? "^" + std::to_string(power) : "");
        };
        add("H(T-1)", total - 2 * second - 3 * third);
        add("H(T-1, 2)", second);
        add("H(T-1, 3)", third);
        products.push_back(text.empty() ? "1" : text.substr(1));
      }
  return products;
}

ProposedBasis proposed(const Shape& shape, const std::vector<std::string>& variables) {
  const Grammar grammar{size_symbols(), true};
  std::string below = "1";
  const auto divide = [&](const char* factor, int power) {
    if (power > 0) below += std::string("*") + factor + "^" + std::to_string(power);
  };
  divide("N", shape.N);
  divide("(N-1)", shape.N1);
  divide("T", shape.T);
  divide("(T-1)", shape.T1);
  divide("(T-2)", shape.T2);
  divide("t", shape.t);
  std::map<std::string, int> degree = {
      {"N", shape.N + shape.N1 - shape.decay_N}, {"T", shape.T + shape.T1 + shape.T2 - shape.decay_T}, {"t", shape.t}};
  const std::vector<std::string> products = harmonic_products(among(variables, "T") ? shape.weight : 0);
  const int degree_N = std::max(0, degree["N"]), degree_T = std::max(0, degree["T"]), degree_t = degree["t"];
  ProposedBasis result{"", {{}, parse_formula("basis", below, grammar)}, {}};
  std::string list;
  for (const std::string& h : products) list += (list.empty() ? "" : ", ") + h;
  const auto power = [](const char* symbol, int most) {
    return most > 0 ? std::string(symbol) + "^(0.." + std::to_string(most) + ") " : "";
  };
  result.description = power("N", degree_N) + power("T", degree_T) + power("t", degree_t) + "{" + list + "} over " +
                       result.basis.denominator.text();
  const auto count = static_cast<std::size_t>((degree_N + 1) * (degree_T + 1) * (degree_t + 1)) * products.size();
  result.values_needed = {
      {"N", degree_N + 1}, {"T", static_cast<std::size_t>(degree_T + 1) * products.size()}, {"t", degree_t + 1}};
  if (count > largest_basis) return result;
  for (const std::string& h : products)
    for (int t = 0; t <= degree_t; ++t)
      for (int i = 0; i <= degree_N; ++i)
        for (int j = 0; j <= degree_T; ++j) {
          std::string text = h;
          const auto multiply = [&](const char* symbol, int p) {
            if (p > 0) text += std::string("*") + symbol + (p > 1 ? "^" + std::to_string(p) : "");
          };
          multiply("N", i);
          multiply("T", j);
          multiply("t", t);
          result.basis.functions.push_back(parse_formula("basis", text, grammar));
        }
  return result;
}

}  // namespace

std::vector<ProposedBasis> propose_bases(const std::string& argument, QuantityMeter& meter, const Size& base,
                                         const std::vector<std::string>& variables) {
  if (meter.engine() == MeterEngine::orbits)
    throw InputError(argument, "no basis for a quantity that is measured by orbits",
                     "a basis: sizes up to T = 9 suggest none");
  const Shape full = measured_shape(meter, base, variables);
  Shape reduced = full, middle = full;
  reduced.T1 = std::max(0, full.T1 - full.weight);
  reduced.T2 = std::max(0, full.T2 - full.weight);
  middle.T1 = std::max(reduced.T1, std::min(full.T1, 1));
  middle.T2 = std::max(reduced.T2, std::min(full.T2, 1));
  std::set<Shape> seen;
  std::vector<ProposedBasis> bases;
  std::string too_large;
  for (const Shape& shape : {reduced, middle, full}) {
    if (!seen.insert(shape).second) continue;
    ProposedBasis basis = proposed(shape, variables);
    if (basis.basis.functions.empty())
      too_large = basis.description;
    else
      bases.push_back(std::move(basis));
  }
  if (bases.empty())
    throw InputError(argument,
                     "no basis, and the one that the values suggest has more than " + std::to_string(largest_basis) +
                         " functions (" + too_large + ")",
                     "a basis of fewer functions");
  return bases;
}

}  // namespace popgrad
