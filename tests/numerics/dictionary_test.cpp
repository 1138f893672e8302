#include "numerics/dictionary.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "core/errors.hpp"
#include "core/philox.hpp"
#include "finite_fixture.hpp"

using namespace popgrad;

namespace {

const std::vector<Map> all_maps = {Map::wk1, Map::wk2, Map::wo2, Map::wf};
constexpr int N = 3, T = 4;

// All atoms orthogonal, in general position, with norms 2 (E), 3 (P), 1/2 (U), 2 and 3 times 0.7 (R, S), and W_V2 a
// rotation times 0.4.
FiniteModel orthogonal_model() {
  FiniteModel model = coordinate_model(N, T);
  const int d = model.d();
  const Matrix Q = draw_table(Table::wk1, {Init::orthonormal, {}}, d, d, 31);
  model.frozen.tok = 2 * model.frozen.tok * Q.transpose();
  model.frozen.pos = 3 * model.frozen.pos * Q.transpose();
  model.frozen.out = 0.5 * model.frozen.out * Q.transpose();
  model.frozen.wo1 = 0.7 * Q * model.frozen.wo1 * Q.transpose();
  model.frozen.wv2 = draw_table(Table::wv2, {Init::orthonormal, 0.4}, d, d, 32);
  return model;
}

Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t sample) {
  Stream stream(33, Purpose::test, sample);
  Matrix result(rows, columns);
  for (Eigen::Index i = 0; i < result.size(); ++i) result.data()[i] = stream.normal();
  return result;
}

}  // namespace

TEST_CASE("an orthogonal dictionary gives back planted coefficients of every map") {
  const FiniteModel model = orthogonal_model();
  for (const Map map : all_maps) {
    const Matrix left = left_dictionary(model, map), right = right_dictionary(model, map);
    const Matrix planted = random_matrix(left.rows(), right.rows(), static_cast<std::uint64_t>(map));
    const Matrix found = coefficients(model, map, left.transpose() * planted * right);
    INFO(name(map));
    REQUIRE(found.rows() == planted.rows());
    REQUIRE(found.cols() == planted.cols());
    // d^2 products of a rotation with itself, atoms of norms within a factor of 10: 17^2 * 10 u is generous by the 10.
    CHECK((found - planted).cwiseAbs().maxCoeff() <= 17 * 17 * 10 * 0x1p-53 * planted.norm());
  }
}

TEST_CASE("coefficients sit where the ideal model keeps its parameters") {
  const FiniteModel model = orthogonal_model();
  const Coordinates at{N, T};
  const auto row = [](const Matrix& m, int i) { return Vector(m.row(i).transpose()); };
  const Vector w1 = row(model.remapped_tokens(), 2);
  struct Case {
    Map map;
    Matrix G;
    std::string block;
    int i, j;
  };
  const std::vector<Case> cases = {
      {Map::wo2, row(model.frozen.out, 1) * (model.frozen.wv2 * row(model.frozen.pos, 3)).transpose(), "U,P", 1, 3},
      {Map::wo2, row(model.frozen.out, 0) * (model.frozen.wv2 * w1).transpose(), "U,R", 0, 2},
      {Map::wk2, row(model.frozen.tok, 0) * w1.transpose(), "E,R", 0, 2},
      {Map::wk2, w1 * row(model.frozen.tok, 0).transpose(), "R,E", 2, 0},
      {Map::wk2, row(model.frozen.pos, 1) * row(model.remapped_positions(), 3).transpose(), "P,S", 1, 3},
      {Map::wk1, row(model.frozen.pos, 2) * row(model.frozen.pos, 1).transpose(), "P,P", 2, 1},
      {Map::wk1, row(model.frozen.tok, 2) * row(model.frozen.pos, 0).transpose(), "E,P", 2, 0},
      {Map::wf, row(model.frozen.out, 2) * row(model.frozen.tok, 1).transpose(), "U,E", 2, 1},
  };
  for (const Case& c : cases) {
    INFO(name(c.map) << " " << c.block);
    const Matrix all = coefficients(model, c.map, c.G);
    const DictionaryBlock block = dictionary_block(c.map, at, c.block);
    Matrix expected = Matrix::Zero(block.rows, block.columns);
    expected(c.i, c.j) = 1;
    CHECK((block_of(all, block) - expected).cwiseAbs().maxCoeff() <= 1e-13);
    CHECK(std::abs(all.cwiseAbs().sum() - 1) <= 1e-11);  // nothing anywhere else
  }
}

TEST_CASE("cross-talk by hand: u^T G v / (|u|^2 |v|^2) with oblique atoms") {
  FiniteModel model = coordinate_model(2, 2);
  model.frozen.tok.row(0) *= 2;
  model.frozen.tok.row(1) = model.frozen.tok.row(0) + 3 * model.frozen.pos.row(0);  // (2, 3), squared norm 13
  Matrix G = Matrix::Zero(model.d(), model.d());
  G(0, 2) = 5;  // E_0's axis against P_0's axis
  const Matrix c = coefficients(model, Map::wk1, G);
  CHECK(c(0, 2) == Approx(2 * 5 / 4.0));
  CHECK(c(1, 1) == Approx(2 * 5 * 3 / 169.0));
  CHECK(c(1, 2) == Approx(2 * 5 / 13.0));
  CHECK(c(2, 0) == 0);
}

TEST_CASE("blocks tile the coefficient matrix and carry the names of the ideal model") {
  const Coordinates at{N, T};
  const auto names_of = [&](Map map) {
    std::string all;
    for (const DictionaryBlock& block : dictionary_blocks(map, at)) all += block.name + " ";
    return all;
  };
  CHECK(names_of(Map::wo2) == "U,E U,P U,R U,S ");
  CHECK(names_of(Map::wf) == "U,E U,P U,R U,S ");
  CHECK(names_of(Map::wk1) == "E,E E,P P,E P,P ");
  CHECK(names_of(Map::wk2) == "E,E E,P E,R E,S P,E P,P P,R P,S R,E R,P R,R R,S S,E S,P S,R S,S ");
  const FiniteModel model = orthogonal_model();
  for (const Map map : all_maps) {
    Matrix covered = Matrix::Zero(left_dictionary(model, map).rows(), right_dictionary(model, map).rows());
    for (const DictionaryBlock& block : dictionary_blocks(map, at))
      covered.block(block.first_row, block.first_column, block.rows, block.columns).array() += 1;
    CHECK(covered == Matrix::Ones(covered.rows(), covered.cols()));
  }
}

TEST_CASE("zero atoms have coefficient 0, bad arguments are refused") {
  FiniteModel model = orthogonal_model();
  model.frozen.wo1.setZero();  // R and S vanish
  const int d = model.d();
  const Matrix c = coefficients(model, Map::wk2, Matrix::Ones(d, d));
  CHECK(c.allFinite());
  CHECK(block_of(c, dictionary_block(Map::wk2, {N, T}, "E,R")).isZero(0));
  CHECK_THROWS_AS(coefficients(model, Map::wk2, Matrix::Ones(d, d - 1)), HypothesisError);
  CHECK_THROWS_AS(dictionary_block(Map::wk1, {N, T}, "E,R"), HypothesisError);
  CHECK_THROWS_AS(block_of(Matrix::Ones(2, 2), dictionary_block(Map::wk1, {N, T}, "P,P")), HypothesisError);
}
