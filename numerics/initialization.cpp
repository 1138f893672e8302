#include "numerics/initialization.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <array>
#include <cmath>

#include "core/errors.hpp"
#include "core/philox.hpp"

namespace popgrad {
namespace {

void validate(Table table, const InitSpec& spec, int rows, int d) {
  if (spec.scale && !(std::isfinite(*spec.scale) && *spec.scale > 0))
    throw InputError(fmt::format("{}.scale", name(table)), fmt::format("{}", *spec.scale),
                     "a finite number above 0 (for zeros use the kind 'zero')");
  if (spec.kind == Init::orthonormal && rows > d)
    throw InputError(name(table), fmt::format("orthonormal with {} rows in d = {} dimensions", rows, d),
                     "at most d orthonormal rows");
}

// Entries of row r from substream r; `draw` makes one entry.
template <class Draw>
Matrix draw_rows(Table table, int rows, int d, std::uint64_t seed, Draw draw) {
  const Purpose purpose = is_embedding(table) ? Purpose::embeddings : Purpose::initialization;
  Matrix result(rows, d);
  for (int r = 0; r < rows; ++r) {
    Stream stream(seed, purpose, static_cast<std::uint64_t>(table), static_cast<std::uint64_t>(r));
    for (int c = 0; c < d; ++c) result(r, c) = draw(stream);
  }
  return result;
}

// Rows of `gaussian` orthonormalized in order. With G^T = Q R and the signs chosen so that diag(R) > 0 the factorization is
// unique, and Q inherits the invariance of the Gaussian law: Haar (Mezzadri 2007). Householder QR alone is not.
Matrix orthonormalized(const Matrix& gaussian) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(gaussian.transpose());
  const Eigen::Index rows = gaussian.rows();
  Matrix q = (qr.householderQ() * Eigen::MatrixXd::Identity(gaussian.cols(), rows)).transpose();
  for (Eigen::Index r = 0; r < rows; ++r)
    if (qr.matrixQR()(r, r) < 0) q.row(r) = -q.row(r);
  return q;
}

}  // namespace

const char* name(Init kind) {
  switch (kind) {
    case Init::zero:
      return "zero";
    case Init::uniform:
      return "uniform";
    case Init::gaussian:
      return "gaussian";
    case Init::orthonormal:
      return "orthonormal";
  }
  return "?";
}

Init parse_init(const std::string& text) {
  for (const Init kind : {Init::zero, Init::uniform, Init::gaussian, Init::orthonormal})
    if (text == name(kind)) return kind;
  throw InputError("initialization", "'" + text + "'", "zero, uniform, gaussian or orthonormal");
}

const char* name(Table table) {
  constexpr std::array names = {"tok", "pos", "out", "wv1", "wo1", "wv2", "wk1", "wk2", "wo2", "wf"};
  return names[static_cast<unsigned>(table)];
}

double effective_scale(Table table, const InitSpec& spec, int d) {
  if (spec.kind == Init::zero) return 0;
  if (spec.scale) return *spec.scale;
  if (spec.kind == Init::orthonormal) return 1;
  return std::sqrt((spec.kind == Init::uniform && is_embedding(table) ? 3.0 : 1.0) / d);
}

std::string describe(Table table, const InitSpec& spec, int d) {
  if (spec.kind == Init::zero) return name(spec.kind);
  return fmt::format("{}({})", name(spec.kind), effective_scale(table, spec, d));
}

int rows_of(Table table, const ModelOptions& options) {
  if (table == Table::pos) return options.T;
  return is_embedding(table) ? options.N : options.d;
}

const InitSpec& ModelOptions::at(Table table) const {
  switch (table) {
    case Table::tok:
      return tok;
    case Table::pos:
      return pos;
    case Table::out:
      return out;
    case Table::wv1:
      return wv1;
    case Table::wo1:
      return wo1;
    case Table::wv2:
      return wv2;
    case Table::wk1:
      return wk1;
    case Table::wk2:
      return wk2;
    case Table::wo2:
      return wo2;
    case Table::wf:
      return wf;
  }
  throw HypothesisError("ModelOptions::at", "table", "tok .. wf", std::to_string(static_cast<int>(table)));
}

InitSpec& ModelOptions::at(Table table) { return const_cast<InitSpec&>(static_cast<const ModelOptions&>(*this).at(table)); }

void ModelOptions::validate() const {
  if (N < 2) throw InputError("N", std::to_string(N), "at least 2 tokens");
  if (T < 1) throw InputError("T", std::to_string(T), "at least 1 position");
  if (d < 1) throw InputError("d", std::to_string(d), "at least 1 dimension");
  if (!(std::isfinite(score_scale) && score_scale > 0))
    throw InputError("score_scale", fmt::format("{}", score_scale), "a finite number above 0");
  for (const Table table : every_table) popgrad::validate(table, at(table), rows_of(table, *this), d);
}

ModelOptions published_options(int N, int T, int d) {
  ModelOptions options;
  options.N = N;
  options.T = T;
  options.d = d;
  options.score_scale = 1 / std::sqrt(static_cast<double>(d));
  const InitSpec uniform{Init::uniform, options.score_scale};  // 1/sqrt(d)
  for (const Table table : every_table) options.at(table) = uniform;
  options.tok = options.pos = {Init::gaussian, 1.0};
  return options;
}

Matrix draw_table(Table table, const InitSpec& spec, int rows, int d, std::uint64_t seed) {
  require(rows >= 1 && d >= 1, "draw_table", "rows, d", "at least 1", fmt::format("{}, {}", rows, d));
  validate(table, spec, rows, d);
  const double scale = effective_scale(table, spec, d);
  switch (spec.kind) {
    case Init::zero:
      return Matrix::Zero(rows, d);
    case Init::uniform:
      return draw_rows(table, rows, d, seed, [=](Stream& s) { return scale * (2 * s.uniform() - 1); });
    case Init::gaussian:
      return draw_rows(table, rows, d, seed, [=](Stream& s) { return scale * s.normal(); });
    case Init::orthonormal:
      return scale * orthonormalized(draw_rows(table, rows, d, seed, [](Stream& s) { return s.normal(); }));
  }
  throw HypothesisError("draw_table", "kind", "zero .. orthonormal", std::to_string(static_cast<int>(spec.kind)));
}

FiniteModel make_model(const ModelOptions& options, std::uint64_t seed) {
  options.validate();
  const auto draw = [&](Table table) {
    return draw_table(table, options.at(table), rows_of(table, options), options.d, seed);
  };
  FiniteModel model;
  model.frozen = {draw(Table::tok), draw(Table::pos), draw(Table::out),
                  draw(Table::wv1), draw(Table::wo1), draw(Table::wv2)};
  model.trained = {draw(Table::wk1), draw(Table::wk2), draw(Table::wo2), Matrix::Zero(options.d, options.d)};
  if (options.feed_forward) model.trained.wf = draw(Table::wf);
  model.score_scale = options.score_scale;
  model.feed_forward = options.feed_forward;
  return model;
}

}  // namespace popgrad
