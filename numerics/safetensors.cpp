#include "numerics/safetensors.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

static_assert(std::endian::native == std::endian::little,
              "safetensors data is little-endian; this machine needs a byte swap");

using nlohmann::json;
constexpr std::size_t prefix = 8;

std::size_t bytes_of(const Matrix& matrix) { return static_cast<std::size_t>(matrix.size()) * sizeof(double); }

struct Extent {
  std::size_t begin = 0, end = 0;
  std::int64_t rows = 0, columns = 0;
};

Extent parse_extent(const std::string& argument, const std::string& name, const json& entry) {
  const auto bad = [&](const std::string& got, const std::string& expected) {
    return InputError(argument, "tensor '" + name + "' with " + got, expected);
  };
  if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets"))
    throw bad("an incomplete description", "dtype, shape and data_offsets");
  if (entry["dtype"] != "F64") throw bad("dtype " + entry["dtype"].dump(), "dtype \"F64\"");
  const json& shape = entry["shape"];
  const json& offsets = entry["data_offsets"];
  const auto pair = [](const json& list) {
    return list.is_array() && list.size() == 2 && list[0].is_number_unsigned() && list[1].is_number_unsigned();
  };
  if (!pair(shape)) throw bad("shape " + shape.dump(), "two non-negative integers");
  if (!pair(offsets)) throw bad("data_offsets " + offsets.dump(), "two non-negative integers");
  const auto rows = shape[0].get<std::uint64_t>(), columns = shape[1].get<std::uint64_t>();
  const auto begin = offsets[0].get<std::uint64_t>(), end = offsets[1].get<std::uint64_t>();
  // Bounded first, so that rows * columns * 8 cannot overflow.
  constexpr std::uint64_t most = std::uint64_t{1} << 28;
  if (rows > most || columns > most || end < begin || end - begin != rows * columns * sizeof(double))
    throw bad("shape " + shape.dump() + " and data_offsets " + offsets.dump(), "8 bytes for each entry");
  return {begin, end, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
}

}  // namespace

const Matrix& TensorFile::at(const std::string& argument, const std::string& name, Eigen::Index rows,
                             Eigen::Index columns) const {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw InputError(argument, "no tensor '" + name + "'", "a file that popgrad train wrote");
  const Matrix& matrix = found->second;
  if (matrix.rows() != rows || matrix.cols() != columns)
    throw InputError(
        argument, "tensor '" + name + "' of shape " + std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()),
        std::to_string(rows) + " x " + std::to_string(columns));
  return matrix;
}

std::string to_safetensors(const TensorFile& file) {
  json header = json::object();
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  std::size_t offset = 0;
  for (const auto& [name, matrix] : file.tensors) {
    require(name != "__metadata__", "to_safetensors", "name", "other than __metadata__", name);
    const std::size_t end = offset + bytes_of(matrix);
    header[name] = {{"dtype", "F64"}, {"shape", {matrix.rows(), matrix.cols()}}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string bytes(prefix + text.size() + offset, '\0');
  const std::uint64_t length = text.size();
  std::memcpy(bytes.data(), &length, prefix);
  std::memcpy(bytes.data() + prefix, text.data(), text.size());
  char* data = bytes.data() + prefix + text.size();
  for (const auto& [name, matrix] : file.tensors) {
    if (matrix.size() > 0) std::memcpy(data, matrix.data(), bytes_of(matrix));
    data += bytes_of(matrix);
  }
  return bytes;
}

TensorFile parse_safetensors(const std::string& argument, const std::string& bytes) {
  const std::string expected = "a safetensors file";
  if (bytes.size() < prefix) throw InputError(argument, std::to_string(bytes.size()) + " bytes", expected);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), prefix);
  if (length > bytes.size() - prefix)
    throw InputError(
        argument, "a header of " + std::to_string(length) + " bytes in a file of " + std::to_string(bytes.size()), expected);
  const json header =
      json::parse(bytes.begin() + prefix, bytes.begin() + static_cast<std::ptrdiff_t>(prefix + length), nullptr, false);
  if (!header.is_object()) throw InputError(argument, "a header that is not a JSON object", expected);
  const std::size_t data = prefix + length, size = bytes.size() - data;

  TensorFile file;
  std::map<std::size_t, std::size_t> covered;  // begin -> end, in file order
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) throw InputError(argument, "metadata that is not an object", expected);
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) throw InputError(argument, "metadata '" + key + "' that is not text", expected);
        file.metadata[key] = value.get<std::string>();
      }
      continue;
    }
    const Extent extent = parse_extent(argument, name, entry);
    if (extent.end > size)
      throw InputError(argument,
                       "tensor '" + name + "' ending at byte " + std::to_string(extent.end) + " of " + std::to_string(size),
                       "data for every tensor");
    if (extent.end > extent.begin && !covered.emplace(extent.begin, extent.end).second)
      throw InputError(argument, "tensors that share their data", "every byte used once");
    Matrix matrix(extent.rows, extent.columns);
    if (matrix.size() > 0) std::memcpy(matrix.data(), bytes.data() + data + extent.begin, extent.end - extent.begin);
    file.tensors[name] = std::move(matrix);
  }
  std::size_t at = 0;
  for (const auto& [begin, end] : covered) {
    if (begin != at)
      throw InputError(argument, "data with a gap or an overlap at byte " + std::to_string(at), "every byte used once");
    at = end;
  }
  if (at != size)
    throw InputError(argument, std::to_string(size - at) + " bytes after the last tensor", "every byte used once");
  return file;
}

void write_safetensors(const std::filesystem::path& path, const TensorFile& file) {
  write_file_atomically(path, to_safetensors(file));
}

TensorFile read_safetensors(const std::string& argument, const std::filesystem::path& path) {
  return parse_safetensors(argument, read_file(argument, path));
}

}  // namespace popgrad
