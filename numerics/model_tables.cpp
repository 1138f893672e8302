#include "numerics/model_tables.hpp"

#include "core/errors.hpp"

namespace popgrad {

Table table_of(Map map) {
  switch (map) {
    case Map::wk1:
      return Table::wk1;
    case Map::wk2:
      return Table::wk2;
    case Map::wo2:
      return Table::wo2;
    case Map::wf:
      return Table::wf;
  }
  throw HypothesisError("table_of", "map", "wk1, wk2, wo2 or wf", std::to_string(static_cast<int>(map)));
}

std::optional<Map> map_of(Table table) {
  for (const Map map : {Map::wk1, Map::wk2, Map::wo2, Map::wf})
    if (table_of(map) == table) return map;
  return std::nullopt;
}

const Matrix& matrix(const FiniteModel& model, Table table) {
  if (const auto map = map_of(table)) return model.trained.at(*map);
  switch (table) {
    case Table::tok:
      return model.frozen.tok;
    case Table::pos:
      return model.frozen.pos;
    case Table::out:
      return model.frozen.out;
    case Table::wv1:
      return model.frozen.wv1;
    case Table::wo1:
      return model.frozen.wo1;
    case Table::wv2:
      return model.frozen.wv2;
    default:
      throw HypothesisError("matrix", "table", "tok .. wf", std::to_string(static_cast<int>(table)));
  }
}

Matrix& matrix(FiniteModel& model, Table table) { return const_cast<Matrix&>(matrix(static_cast<const FiniteModel&>(model), table)); }

}  // namespace popgrad
