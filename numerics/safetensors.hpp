// The safetensors file format, restricted to what popgrad writes: matrices of 64-bit floats and text metadata.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "numerics/finite_model.hpp"

namespace popgrad {

// Bytes of a file: 8 bytes header length n (little-endian), n bytes of JSON {"name": {"dtype": "F64", "shape": [rows,
// columns], "data_offsets": [begin, end]}, "__metadata__": {"key": "text"}}, then the data, row-major and little-endian. The
// header is padded with spaces so that the data starts at a multiple of 8. Tensors are stored in the order of their names.
struct TensorFile {
  std::map<std::string, Matrix> tensors;
  std::map<std::string, std::string> metadata;

  // The tensor of that name; throws InputError(argument, ...) if it is missing or has another shape.
  const Matrix& at(const std::string& argument, const std::string& name, Eigen::Index rows, Eigen::Index columns) const;
};

std::string to_safetensors(const TensorFile& file);

// Throws InputError(argument, ...) on a header that is cut, is not JSON, names another type than F64 or another rank than 2,
// or whose offsets do not cover the data exactly once.
TensorFile parse_safetensors(const std::string& argument, const std::string& bytes);

void write_safetensors(const std::filesystem::path& path, const TensorFile& file);  // atomically; EnvironmentError
TensorFile read_safetensors(const std::string& argument, const std::filesystem::path& path);

}  // namespace popgrad
