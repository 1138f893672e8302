// Matrix arithmetic that carries a bound on what an evaluation in another precision may differ by, however it groups the
// sums.
#pragma once
#include <vector>

namespace popgrad::oracle {

// rows x columns, row-major.
struct Grid {
  int rows = 0, columns = 0;
  std::vector<double> entries;

  Grid() = default;
  Grid(int r, int c);  // zeros
  double& operator()(int r, int c) {
    return entries[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(c)];
  }
  double operator()(int r, int c) const { return const_cast<Grid&>(*this)(r, c); }
};

Grid product(const Grid& a, const Grid& b);
Grid transposed(const Grid& a);
Grid absolute(Grid a);
Grid& operator+=(Grid& a, const Grid& b);

// k roundings of unit u change a product of factors (1 + delta), |delta| <= u, by at most gamma = k u / (1 - k u).
double gamma(int k, double u);

// An expression, entry by entry, that is a sum of products of *atoms*: numbers that the other evaluation has stored, each
// off by something known. It may multiply out and regroup the sum as it likes, through tables of sub-products or merged
// matrices, as long as no atom passes more than `width` roundings on its way to the result. The computed entry is then
//     sum of terms(atoms + errors) (1 + theta),  |theta| <= gamma_width,
// so it is off by at most  inherited + gamma_width size  where `inherited` is what the errors of the atoms move the exact
// expression by and `size` the sum of the magnitudes of its terms, errors included. Products of absolute values dominate
// every grouping of the same factors.
struct BoundedMatrix {
  Grid value, size, inherited;
  int width = 0;

  int rows() const { return value.rows; }
  int columns() const { return value.columns; }
  Grid error(double u, int more = 0) const;  // `more`: roundings beyond `width`
};

// A parameter, rounded once to the other precision.
BoundedMatrix parameter(int rows, int columns, const std::vector<double>& entries);
// Stored numbers: value and error known, size |value| + error unless more is said.
BoundedMatrix atom(Grid value, Grid error);
BoundedMatrix atom(Grid value, Grid error, Grid size);

BoundedMatrix operator+(const BoundedMatrix& a, const BoundedMatrix& b);
BoundedMatrix product(const BoundedMatrix& a, const BoundedMatrix& b);
// a m b^T for an m that inherits nothing (parameters only): the errors of a and b pass through the products m b^T and a m.
BoundedMatrix bilinear(const BoundedMatrix& a, const BoundedMatrix& m, const BoundedMatrix& b);
BoundedMatrix transposed(const BoundedMatrix& a);
BoundedMatrix scaled(BoundedMatrix a, double factor);  // two roundings: of the factor and of the product
BoundedMatrix rows_of(const BoundedMatrix& a, const std::vector<int>& rows);
// Row i of a added to row rows[i] of a matrix of `total` zero rows.
BoundedMatrix scattered(const BoundedMatrix& a, const std::vector<int>& rows, int total);

}  // namespace popgrad::oracle
