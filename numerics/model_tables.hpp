// The ten matrices of the finite-d model under one name each: maps and embeddings, trained or not.
#pragma once
#include <map>
#include <optional>

#include "numerics/initialization.hpp"

namespace popgrad {

using TableSet = std::map<Table, Matrix>;  // some of the matrices of a model

Table table_of(Map map);
std::optional<Map> map_of(Table table);  // nothing for embeddings and frozen maps

Matrix& matrix(FiniteModel& model, Table table);
const Matrix& matrix(const FiniteModel& model, Table table);

}  // namespace popgrad
