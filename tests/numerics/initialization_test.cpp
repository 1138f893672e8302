#include "numerics/initialization.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "numerics/finite_model.hpp"

using namespace popgrad;

namespace {

// Sample mean of f over all entries, in standard errors of its known law.
template <class F>
double z_score(const Matrix& m, F f, double mean, double variance) {
  double sum = 0;
  for (Eigen::Index i = 0; i < m.size(); ++i) sum += f(m.data()[i]);
  const double n = static_cast<double>(m.size());
  return (sum / n - mean) / std::sqrt(variance / n);
}

double identity(double x) { return x; }
double square(double x) { return x * x; }
double fourth(double x) { return x * x * x * x; }

bool same(const FiniteModel& a, const FiniteModel& b, const std::string& except) {
  const auto equal = [&](const char* table, const Matrix& x, const Matrix& y) { return table == except ? x != y : x == y; };
  return equal("tok", a.frozen.tok, b.frozen.tok) && equal("pos", a.frozen.pos, b.frozen.pos) &&
         equal("out", a.frozen.out, b.frozen.out) && equal("wv1", a.frozen.wv1, b.frozen.wv1) &&
         equal("wo1", a.frozen.wo1, b.frozen.wo1) && equal("wv2", a.frozen.wv2, b.frozen.wv2) &&
         equal("wk1", a.trained.wk1, b.trained.wk1) && equal("wk2", a.trained.wk2, b.trained.wk2) &&
         equal("wo2", a.trained.wo2, b.trained.wo2) && equal("wf", a.trained.wf, b.trained.wf);
}

std::string complaint(const ModelOptions& options) {
  try {
    options.validate();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

bool names(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::vector<Table> all_tables = {Table::tok, Table::pos, Table::out, Table::wv1, Table::wo1,
                                       Table::wv2, Table::wk1, Table::wk2, Table::wo2, Table::wf};

constexpr double z = 5;  // two-sided level 6e-7 a comparison

}  // namespace

TEST_CASE("uniform entries have the moments of U(-scale, scale)") {
  const double s = 0.25;
  const Matrix m = draw_table(Table::wk1, {Init::uniform, s}, 200, 200, 1);
  CHECK(m.cwiseAbs().maxCoeff() <= s);
  CHECK(m.cwiseAbs().maxCoeff() > 0.999 * s);  // missed by 40000 draws with probability 1e-17
  CHECK(std::abs(z_score(m, identity, 0, s * s / 3)) < z);
  CHECK(std::abs(z_score(m, square, s * s / 3, std::pow(s, 4) * (1.0 / 5 - 1.0 / 9))) < z);
}

TEST_CASE("Gaussian entries have the moments of N(0, scale^2)") {
  const double s = 0.5;
  const Matrix m = draw_table(Table::tok, {Init::gaussian, s}, 150, 200, 2);
  CHECK(std::abs(z_score(m, identity, 0, s * s)) < z);
  CHECK(std::abs(z_score(m, square, s * s, 2 * std::pow(s, 4))) < z);
  CHECK(std::abs(z_score(m, fourth, 3 * std::pow(s, 4), 96 * std::pow(s, 8))) < z);
}

TEST_CASE("the embeddings of the experiments: N(0,1) as published, N(0,1/d), orthonormal, and kappa 1 or 1/sqrt(d)") {
  const int N = 60, d = 100;
  const ModelOptions published = published_options(N, 40, d);
  CHECK(published.score_scale == 0.1);
  CHECK(std::abs(z_score(make_model(published, 8).frozen.tok, square, 1, 2)) < z);
  ModelOptions theory;
  theory.N = N;
  theory.T = 40;
  theory.d = d;
  CHECK(make_model(theory, 8).score_scale == 1);
  CHECK(std::abs(z_score(make_model(theory, 8).frozen.pos, square, 1.0 / d, 2.0 / (d * d))) < z);
  theory.tok = theory.pos = theory.out = {Init::orthonormal, {}};
  const FiniteModel model = make_model(theory, 8);
  CHECK((model.frozen.tok * model.frozen.tok.transpose() - Matrix::Identity(N, N)).norm() < 1e-12);
  CHECK((model.frozen.tok * model.frozen.out.transpose()).norm() > 1);  // tables are orthonormal each, not to each other
}

TEST_CASE("default scales: unit-norm embeddings, 1/sqrt(d) for maps, 1 for orthonormal") {
  CHECK(effective_scale(Table::tok, {Init::gaussian, {}}, 16) == 0.25);
  CHECK(effective_scale(Table::wv1, {Init::gaussian, {}}, 16) == 0.25);
  CHECK(effective_scale(Table::wk1, {Init::uniform, {}}, 16) == 0.25);
  CHECK(effective_scale(Table::pos, {Init::uniform, {}}, 12) == 0.5);
  CHECK(effective_scale(Table::out, {Init::orthonormal, {}}, 16) == 1);
  CHECK(effective_scale(Table::out, {Init::zero, 3.0}, 16) == 0);
  CHECK(effective_scale(Table::wo2, {Init::gaussian, 0.3}, 16) == 0.3);
  // The squared norm of a row of tok has mean 1 under both default laws.
  for (const Init kind : {Init::gaussian, Init::uniform}) {
    const Matrix m = draw_table(Table::tok, {kind, {}}, 300, 100, 3);
    const double entry_variance = kind == Init::gaussian ? 2e-4 : 0.8e-4;  // of x^2: 2/d^2, 4/(5 d^2)
    CHECK(std::abs(z_score(m, square, 0.01, entry_variance)) < z);
  }
}

TEST_CASE("orthonormal rows and orthogonal maps, up to roundoff") {
  const int d = 40;
  const double tolerance = 10 * std::pow(d, 1.5) * 0x1p-53;  // Householder QR: c d^(3/2) u in Frobenius norm
  const Matrix rows = draw_table(Table::tok, {Init::orthonormal, {}}, 25, d, 4);
  CHECK((rows * rows.transpose() - Matrix::Identity(25, 25)).cwiseAbs().maxCoeff() <= tolerance);
  const Matrix map = draw_table(Table::wo1, {Init::orthonormal, 3.0}, d, d, 4);
  CHECK((map.transpose() * map - 9 * Matrix::Identity(d, d)).cwiseAbs().maxCoeff() <= 9 * tolerance);
}

TEST_CASE("orthogonal maps have Haar law: signs, second moment, trace") {
  // For Haar on O(d): E q_ij = 0, E q_ij^2 = 1/d, E q_11^4 = 3/(d(d+2)); E tr = 0, E tr^2 = 1, E tr^4 = 3 (d >= 4).
  const int d = 5, samples = 2000;
  const double root = std::sqrt(static_cast<double>(samples));
  double first = 0, last = 0, first_square = 0, trace_square = 0;
  for (int i = 0; i < samples; ++i) {
    const Matrix q = draw_table(Table::wv1, {Init::orthonormal, {}}, d, d, static_cast<std::uint64_t>(i));
    first += q(0, 0) > 0 ? 1 : -1;
    last += q(d - 1, d - 1) > 0 ? 1 : -1;
    first_square += q(0, 0) * q(0, 0) - 1.0 / d;
    trace_square += q.trace() * q.trace() - 1;
  }
  CHECK(std::abs(first) < z * root);  // Householder QR without the sign fix has q_11 < 0 always
  CHECK(std::abs(last) < z * root);
  CHECK(std::abs(first_square) < z * root * std::sqrt(3.0 / (d * (d + 2)) - 1.0 / (d * d)));
  CHECK(std::abs(trace_square) < z * root * std::sqrt(3.0 - 1.0));
}

TEST_CASE("changing one option changes that table only") {
  ModelOptions base;
  base.N = 4;
  base.T = 5;
  base.d = 6;
  base.feed_forward = true;
  for (const Table table : all_tables) base.at(table) = {Init::gaussian, {}};
  const FiniteModel reference = make_model(base, 9);
  for (const Table table : all_tables)
    for (const InitSpec& other : {InitSpec{Init::zero, {}}, InitSpec{Init::uniform, {}}, InitSpec{Init::gaussian, 2.0},
                                  InitSpec{Init::orthonormal, {}}}) {
      ModelOptions changed = base;
      changed.at(table) = other;
      INFO(name(table) << " " << name(other.kind));
      CHECK(same(reference, make_model(changed, 9), name(table)));
    }
}

TEST_CASE("the seed decides every bit, and tables never share draws") {
  ModelOptions options;
  options.N = options.T = options.d = 6;
  options.feed_forward = true;
  for (const Table table : all_tables) options.at(table) = {Init::gaussian, {}};
  const FiniteModel a = make_model(options, 5);
  CHECK(same(a, make_model(options, 5), ""));
  const FiniteModel b = make_model(options, 6);
  std::vector<Matrix> tables = {a.frozen.tok,  a.frozen.pos,  a.frozen.out,  a.frozen.wv1, a.frozen.wo1, a.frozen.wv2,
                                a.trained.wk1, a.trained.wk2, a.trained.wo2, a.trained.wf, b.frozen.tok, b.trained.wk1};
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(tables[i].row(0) != tables[j].row(0));
  CHECK(a.frozen.tok.row(0) != a.frozen.tok.row(1));
}

TEST_CASE("more tokens or positions keep the rows there were") {
  const InitSpec gaussian{Init::gaussian, {}};
  const Matrix small = draw_table(Table::pos, gaussian, 3, 8, 7);
  CHECK(draw_table(Table::pos, gaussian, 6, 8, 7).topRows(3) == small);
}

TEST_CASE("theory defaults: trained maps zero, kappa 1, published settings: uniform maps, kappa 1/sqrt(d)") {
  ModelOptions options;
  options.N = 5;
  options.T = 6;
  options.d = 16;
  const FiniteModel theory = make_model(options, 1);
  CHECK(theory.score_scale == 1);
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf}) CHECK(theory.trained.at(map).isZero(0));
  CHECK(theory.frozen.wo1.cwiseAbs().minCoeff() > 0);
  const FiniteModel published = make_model(published_options(5, 6, 16), 1);
  CHECK(published.score_scale == 0.25);
  CHECK_FALSE(published.feed_forward);
  CHECK(published.trained.wf.isZero(0));  // no feed-forward layer: not even drawn
  for (const Matrix& map : {published.frozen.wv1, published.frozen.out, published.trained.wk1, published.trained.wo2}) {
    CHECK(map.cwiseAbs().maxCoeff() <= 0.25);
    CHECK(map.cwiseAbs().minCoeff() > 0);
  }
  CHECK(published.frozen.tok.cwiseAbs().maxCoeff() > 1);
}

TEST_CASE("bad options are refused with the name of the option") {
  ModelOptions options;
  options.N = 8;
  options.T = 5;
  options.d = 6;
  CHECK(complaint(options) == "no error");
  ModelOptions bad = options;
  bad.out = {Init::orthonormal, {}};
  CHECK(names(complaint(bad), "out: got orthonormal with 8 rows"));
  bad = options;
  bad.pos = {Init::orthonormal, {}};  // 5 rows in 6 dimensions
  CHECK(complaint(bad) == "no error");
  for (const double scale : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    bad = options;
    bad.wo2 = {Init::gaussian, scale};
    CHECK(names(complaint(bad), "wo2.scale"));
  }
  bad = options;
  bad.N = 1;
  CHECK(names(complaint(bad), "N"));
  bad = options;
  bad.d = 0;
  CHECK(names(complaint(bad), "d"));
  bad = options;
  bad.score_scale = 0;
  CHECK(names(complaint(bad), "score_scale"));
}

TEST_CASE("kinds can be written and read, descriptions keep every digit of the scale") {
  for (const Init kind : {Init::zero, Init::uniform, Init::gaussian, Init::orthonormal})
    CHECK(parse_init(name(kind)) == kind);
  CHECK_THROWS_AS(parse_init("Gaussian"), InputError);
  CHECK(describe(Table::wk1, {}, 16) == "zero");
  CHECK(describe(Table::wk1, {Init::uniform, {}}, 16) == "uniform(0.25)");
  CHECK(describe(Table::wk1, {Init::gaussian, 0.0005}, 16) != describe(Table::wk1, {Init::gaussian, 0.00050001}, 16));
}
