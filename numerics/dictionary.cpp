#include "numerics/dictionary.hpp"

#include <algorithm>

#include "core/errors.hpp"

namespace popgrad {
namespace {

// E, P (and R, S if `layer` is 2) stacked as rows, in the order of Coordinates.
Matrix residual_atoms(const FiniteModel& model, int layer) {
  const Coordinates at{model.N(), model.T()};
  Matrix atoms(layer == 1 ? at.input_size() : at.size(), model.d());
  atoms.middleRows(at.first(Block::E), at.N) = model.frozen.tok;
  atoms.middleRows(at.first(Block::P), at.T) = model.frozen.pos;
  if (layer == 2) {
    atoms.middleRows(at.first(Block::R), at.N) = model.remapped_tokens();
    atoms.middleRows(at.first(Block::S), at.T) = model.remapped_positions();
  }
  return atoms;
}

bool reads_logits(Map map) { return map == Map::wo2 || map == Map::wf; }

// 1 / |atom|^2, and 0 for a zero atom.
Vector inverse_squares(const Matrix& atoms) {
  return atoms.rowwise().squaredNorm().unaryExpr([](double square) { return square > 0 ? 1 / square : 0.0; });
}

struct Side {
  std::string name;
  int first = 0, count = 0;
};

std::vector<Side> sides(const Coordinates& at, std::initializer_list<Block> blocks) {
  std::vector<Side> result;
  for (const Block block : blocks) result.push_back({name(block), at.first(block), at.count(block)});
  return result;
}

std::vector<Side> right_sides(Map map, const Coordinates& at) {
  if (map == Map::wk1) return sides(at, {Block::E, Block::P});
  return sides(at, {Block::E, Block::P, Block::R, Block::S});
}

std::vector<Side> left_sides(Map map, const Coordinates& at) {
  if (reads_logits(map)) return {{"U", 0, at.N}};
  return right_sides(map, at);
}

}  // namespace

Matrix left_dictionary(const FiniteModel& model, Map map) {
  if (reads_logits(map)) return model.frozen.out;
  return residual_atoms(model, map == Map::wk1 ? 1 : 2);
}

Matrix right_dictionary(const FiniteModel& model, Map map) {
  if (map == Map::wk1) return residual_atoms(model, 1);
  if (map == Map::wo2) return residual_atoms(model, 2) * model.frozen.wv2.transpose();
  return residual_atoms(model, 2);
}

Matrix coefficients(const FiniteModel& model, Map map, const Matrix& G) {
  model.validate();
  require(G.rows() == model.d() && G.cols() == model.d(), "coefficients", "G", "d x d with d = " + std::to_string(model.d()),
          std::to_string(G.rows()) + " x " + std::to_string(G.cols()));
  const Matrix left = left_dictionary(model, map);
  const Matrix right = right_dictionary(model, map);
  return inverse_squares(left).asDiagonal() * (left * G * right.transpose()) * inverse_squares(right).asDiagonal();
}

std::vector<DictionaryBlock> dictionary_blocks(Map map, const Coordinates& at) {
  std::vector<DictionaryBlock> blocks;
  for (const Side& left : left_sides(map, at))
    for (const Side& right : right_sides(map, at))
      blocks.push_back({left.name + "," + right.name, left.first, right.first, left.count, right.count});
  return blocks;
}

DictionaryBlock dictionary_block(Map map, const Coordinates& at, const std::string& block) {
  const std::vector<DictionaryBlock> blocks = dictionary_blocks(map, at);
  const auto found = std::ranges::find(blocks, block, &DictionaryBlock::name);
  require(found != blocks.end(), "dictionary_block", "block",
          std::string("a block of ") + name(map) + " such as " + blocks.front().name, block);
  return *found;
}

Matrix block_of(const Matrix& coefficients, const DictionaryBlock& block) {
  require(block.first_row + block.rows <= coefficients.rows() && block.first_column + block.columns <= coefficients.cols(),
          "block_of", "coefficients", "a matrix that contains block " + block.name,
          std::to_string(coefficients.rows()) + " x " + std::to_string(coefficients.cols()));
  return coefficients.block(block.first_row, block.first_column, block.rows, block.columns);
}

}  // namespace popgrad
