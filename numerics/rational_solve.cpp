#include "numerics/rational_solve.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/errors.hpp"
#include "numerics/moment_integer.hpp"

namespace popgrad {
namespace {

__extension__ typedef unsigned __int128 Wide;
using Residue = std::uint64_t;

struct Field {
  Residue p;
  Residue multiply(Residue a, Residue b) const { return static_cast<Residue>(Wide{a} * b % p); }
  Residue subtract(Residue a, Residue b) const { return a >= b ? a - b : a + (p - b); }
  Residue inverse(Residue a) const {  // a^(p-2)
    Residue result = 1;
    for (Residue e = p - 2; e > 0; e >>= 1U) {
      if ((e & 1U) != 0) result = multiply(result, a);
      a = multiply(a, a);
    }
    return result;
  }
  Residue of(const Integer& x) const {
    Integer rest = x % p;
    if (rest < 0) rest += p;
    return static_cast<Residue>(rest);
  }
  // Empty if p divides the denominator.
  std::optional<Residue> of(const Rational& x) const {
    const Residue below = of(Integer(denominator(x)));
    if (below == 0) return std::nullopt;
    return multiply(of(Integer(numerator(x))), inverse(below));
  }
};

Residue next_prime(Residue above) {
  Integer prime;
  mpz_nextprime(prime.backend().data(), Integer(above).backend().data());
  return static_cast<Residue>(prime);
}

// Rows in echelon form modulo p, each with its pivot column; the last column is the right side.
class Echelon {
 public:
  Echelon(Field field, std::size_t unknowns) : field_(field), row_of_(unknowns, none), unknowns_(unknowns) {}

  enum class Added { new_rank, dependent, contradiction };
  Added add(std::vector<Residue> row) {
    for (std::size_t column = 0; column < unknowns_; ++column) {
      if (row[column] == 0) continue;
      if (row_of_[column] == none) {
        const Residue scale = field_.inverse(row[column]);
        for (std::size_t i = column; i <= unknowns_; ++i) row[i] = field_.multiply(row[i], scale);
        row_of_[column] = rows_.size();
        rows_.push_back(std::move(row));
        return Added::new_rank;
      }
      const std::vector<Residue>& pivot = rows_[row_of_[column]];
      const Residue factor = row[column];
      for (std::size_t i = column; i <= unknowns_; ++i)
        if (pivot[i] != 0) row[i] = field_.subtract(row[i], field_.multiply(factor, pivot[i]));
    }
    return row[unknowns_] == 0 ? Added::dependent : Added::contradiction;
  }

  std::size_t rank() const { return rows_.size(); }
  std::vector<std::size_t> without_pivot() const {
    std::vector<std::size_t> columns;
    for (std::size_t column = 0; column < unknowns_; ++column)
      if (row_of_[column] == none) columns.push_back(column);
    return columns;
  }
  std::vector<Residue> solution() const {  // of full rank
    std::vector<Residue> x(unknowns_);
    for (std::size_t column = unknowns_; column-- > 0;) {
      const std::vector<Residue>& row = rows_[row_of_[column]];
      Residue value = row[unknowns_];
      for (std::size_t i = column + 1; i < unknowns_; ++i) value = field_.subtract(value, field_.multiply(row[i], x[i]));
      x[column] = value;
    }
    return x;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  Field field_;
  std::vector<std::vector<Residue>> rows_;
  std::vector<std::size_t> row_of_;
  std::size_t unknowns_;
};

std::optional<std::vector<Residue>> row_of(const Equation& equation, const Field& field) {
  std::vector<Residue> row;
  for (const Rational& c : equation.coefficients) {
    const auto residue = field.of(c);
    if (!residue) return std::nullopt;
    row.push_back(*residue);
  }
  const auto right = field.of(equation.right);
  if (!right) return std::nullopt;
  row.push_back(*right);
  return row;
}

// The fraction a/b = x mod m with |a| and b below sqrt(m/2), by the Euclidean algorithm; empty if there is none.
std::optional<Rational> reconstruct(const Integer& x, const Integer& m) {
  const Integer bound = sqrt(Integer(m / 2));
  Integer r0 = m, r1 = x, t0 = 0, t1 = 1;
  while (r1 > bound) {
    const Integer q = r0 / r1;
    r0 = std::exchange(r1, Integer(r0 - q * r1));
    t0 = std::exchange(t1, Integer(t0 - q * t1));
  }
  if (t1 == 0 || abs(t1) > bound) return std::nullopt;
  return Rational(r1) / Rational(t1);
}

bool satisfies(const std::vector<Rational>& x, const std::vector<Equation>& equations, std::size_t used) {
  for (std::size_t i = 0; i < used; ++i) {
    Rational sum = 0;
    for (std::size_t j = 0; j < x.size(); ++j)
      if (!x[j].is_zero()) sum += x[j] * equations[i].coefficients[j];
    if (sum != equations[i].right) return false;
  }
  return true;
}

}  // namespace

RationalSolution solve_in_order(const std::vector<Equation>& equations, std::size_t unknowns) {
  require(unknowns >= 1, "solve_in_order", "unknowns", "at least 1", "0");
  for (const Equation& equation : equations)
    require(equation.coefficients.size() == unknowns, "solve_in_order", "equation",
            std::to_string(unknowns) + " coefficients", std::to_string(equation.coefficients.size()));
  RationalSolution result;
  Integer modulus(1);
  std::vector<Integer> residues(unknowns, Integer(0));
  constexpr int most_primes = 64;
  Residue prime = Residue{1} << 60U;
  bool first = true;
  for (int i = 0; i < most_primes; ++i) {
    prime = next_prime(prime);
    const Field field{prime};
    Echelon echelon(field, unknowns);
    const std::size_t limit = first ? equations.size() : result.used;
    bool bad = false;
    std::size_t taken = 0;
    for (; taken < limit && !(first && echelon.rank() == unknowns) && !bad; ++taken) {
      const auto row = row_of(equations[taken], field);
      bad = !row;
      if (bad || echelon.add(*row) != Echelon::Added::contradiction) continue;
      if (!first) {  // consistent modulo another prime: this one divides a denominator of the solution
        bad = true;
        continue;
      }
      result.kind = RationalSolution::Kind::inconsistent;
      result.contradiction = taken;
      result.rank = echelon.rank();
      result.used = taken + 1;
      return result;
    }
    if (bad) continue;
    if (echelon.rank() < unknowns) {
      if (!first) continue;
      result.rank = echelon.rank();
      result.used = taken;
      result.free = echelon.without_pivot();
      return result;
    }
    result.rank = unknowns;
    result.used = taken;
    first = false;
    // x = residues mod modulus and = solution mod prime.
    const std::vector<Residue> solution = echelon.solution();
    const Residue step = field.inverse(field.of(modulus));
    for (std::size_t j = 0; j < unknowns; ++j) {
      const Residue difference = field.subtract(solution[j], field.of(residues[j]));
      residues[j] += modulus * Integer(field.multiply(difference, step));
    }
    modulus *= prime;
    std::vector<Rational> values;
    for (const Integer& residue : residues) {
      const auto value = reconstruct(residue, modulus);
      if (!value) break;
      values.push_back(*value);
    }
    if (values.size() < unknowns || !satisfies(values, equations, result.used)) continue;
    result.kind = RationalSolution::Kind::unique;
    result.values = std::move(values);
    return result;
  }
  // Equations of full rank modulo a prime that no fractions of 1900 bits satisfy: the last one used cannot be met.
  result.kind = RationalSolution::Kind::inconsistent;
  result.contradiction = result.used - 1;
  return result;
}

}  // namespace popgrad
