#include "tests/oracle/bounded_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace popgrad::oracle {
namespace {

bool zero(const Grid& a) {
  return std::all_of(a.entries.begin(), a.entries.end(), [](double x) { return x == 0; });
}

Grid sum(Grid a, const Grid& b) { return a += b; }

}  // namespace

Grid::Grid(int r, int c) : rows(r), columns(c), entries(static_cast<std::size_t>(r) * static_cast<std::size_t>(c), 0.0) {}

Grid product(const Grid& a, const Grid& b) {
  if (a.columns != b.rows) throw std::invalid_argument("oracle: product of matrices that do not fit");
  Grid c(a.rows, b.columns);
  if (zero(a) || zero(b)) return c;
  for (int i = 0; i < a.rows; ++i)
    for (int k = 0; k < a.columns; ++k) {
      const double factor = a(i, k);
      if (factor == 0) continue;
      const double* from = &b.entries[static_cast<std::size_t>(k) * static_cast<std::size_t>(b.columns)];
      double* to = &c.entries[static_cast<std::size_t>(i) * static_cast<std::size_t>(c.columns)];
      for (int j = 0; j < b.columns; ++j) to[j] += factor * from[j];
    }
  return c;
}

Grid transposed(const Grid& a) {
  Grid b(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) b(j, i) = a(i, j);
  return b;
}

Grid absolute(Grid a) {
  for (double& x : a.entries) x = std::abs(x);
  return a;
}

Grid& operator+=(Grid& a, const Grid& b) {
  if (a.rows != b.rows || a.columns != b.columns) throw std::invalid_argument("oracle: sum of matrices that do not fit");
  for (std::size_t i = 0; i < a.entries.size(); ++i) a.entries[i] += b.entries[i];
  return a;
}

double gamma(int k, double u) {
  if (k * u >= 1) throw std::invalid_argument("oracle: too many roundings for a bound");
  return k * u / (1 - k * u);
}

Grid BoundedMatrix::error(double u, int more) const {
  Grid result = inherited;
  const double factor = gamma(width + more, u);
  for (std::size_t i = 0; i < result.entries.size(); ++i) result.entries[i] += factor * size.entries[i];
  return result;
}

BoundedMatrix parameter(int rows, int columns, const std::vector<double>& entries) {
  Grid value(rows, columns);
  if (entries.size() != value.entries.size()) throw std::invalid_argument("oracle: a parameter of another shape");
  value.entries = entries;
  return {value, absolute(value), Grid(rows, columns), 1};
}

BoundedMatrix atom(Grid value, Grid error) {
  Grid size = sum(absolute(value), error);
  return atom(std::move(value), std::move(error), std::move(size));
}

BoundedMatrix atom(Grid value, Grid error, Grid size) { return {std::move(value), std::move(size), std::move(error), 0}; }

BoundedMatrix operator+(const BoundedMatrix& a, const BoundedMatrix& b) {
  return {sum(a.value, b.value), sum(a.size, b.size), sum(a.inherited, b.inherited), std::max(a.width, b.width) + 1};
}

BoundedMatrix product(const BoundedMatrix& a, const BoundedMatrix& b) {
  Grid inherited = product(a.inherited, sum(absolute(b.value), b.inherited));
  inherited += product(absolute(a.value), b.inherited);
  return {product(a.value, b.value), product(a.size, b.size), std::move(inherited), a.width + b.width + a.columns()};
}

BoundedMatrix bilinear(const BoundedMatrix& a, const BoundedMatrix& m, const BoundedMatrix& b) {
  if (!zero(m.inherited)) throw std::invalid_argument("oracle: the matrix of a bilinear form inherits an error");
  const Grid bt = transposed(b.value), bt_error = transposed(b.inherited);
  const Grid mb = product(m.value, bt), am = product(a.value, m.value);
  Grid inherited = product(a.inherited, absolute(mb));
  inherited += product(absolute(am), bt_error);
  inherited += product(a.inherited, product(absolute(m.value), bt_error));
  return {product(a.value, mb), product(a.size, product(m.size, transposed(b.size))), std::move(inherited),
          a.width + m.width + b.width + m.value.rows + m.value.columns};
}

BoundedMatrix transposed(const BoundedMatrix& a) {
  return {transposed(a.value), transposed(a.size), transposed(a.inherited), a.width};
}

BoundedMatrix scaled(BoundedMatrix a, double factor) {
  for (double& x : a.value.entries) x *= factor;
  for (double& x : a.size.entries) x *= std::abs(factor);
  for (double& x : a.inherited.entries) x *= std::abs(factor);
  a.width += 2;
  return a;
}

BoundedMatrix rows_of(const BoundedMatrix& a, const std::vector<int>& rows) {
  const auto pick = [&](const Grid& from) {
    Grid to(static_cast<int>(rows.size()), from.columns);
    for (int i = 0; i < to.rows; ++i)
      for (int j = 0; j < to.columns; ++j) to(i, j) = from(rows[static_cast<std::size_t>(i)], j);
    return to;
  };
  return {pick(a.value), pick(a.size), pick(a.inherited), a.width};
}

BoundedMatrix scattered(const BoundedMatrix& a, const std::vector<int>& rows, int total) {
  const auto put = [&](const Grid& from) {
    Grid to(total, from.columns);
    for (int i = 0; i < from.rows; ++i)
      for (int j = 0; j < from.columns; ++j) to(rows[static_cast<std::size_t>(i)], j) += from(i, j);
    return to;
  };
  return {put(a.value), put(a.size), put(a.inherited), a.width + a.rows()};
}

}  // namespace popgrad::oracle
