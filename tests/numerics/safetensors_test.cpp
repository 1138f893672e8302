#include "numerics/safetensors.hpp"

#include <cstring>
#include <limits>

#include "tests/catch.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

std::string with_header(const std::string& header, const std::string& data) {
  std::string bytes(8, '\0');
  const std::uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  return bytes + header + data;
}

std::string complaint(const std::string& bytes) {
  try {
    parse_safetensors("file", bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("a written file is byte for byte what the format prescribes") {
  TensorFile file;
  Matrix m(1, 2);
  m << 1, -2;  // 3ff0000000000000 and c000000000000000
  file.tensors["a"] = m;
  file.metadata["k"] = "v";
  std::string header = R"({"__metadata__":{"k":"v"},"a":{"data_offsets":[0,16],"dtype":"F64","shape":[1,2]}})";
  header.append((8 - header.size() % 8) % 8, ' ');
  const std::string data("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\0\xc0", 16);
  CHECK(to_safetensors(file) == with_header(header, data));
}

TEST_CASE("the data starts at a multiple of 8 whatever the length of the header") {
  for (int i = 0; i < 9; ++i) {
    TensorFile file;
    file.tensors[std::string(static_cast<std::size_t>(i + 1), 'x')] = Matrix::Ones(1, 1);
    const std::string bytes = to_safetensors(file);
    CHECK(bytes.size() % 8 == 0);
  }
}

TEST_CASE("an asymmetric matrix reads back with its layout and its bits") {
  TensorFile file;
  Matrix m(2, 3);
  m << 1, 2, 3, std::numeric_limits<double>::denorm_min(), -0.0, std::numeric_limits<double>::infinity();
  file.tensors["m"] = m;
  file.tensors["empty"] = Matrix(0, 5);
  file.metadata["step"] = "12";
  const TensorFile back = parse_safetensors("file", to_safetensors(file));
  const Matrix& read = back.at("file", "m", 2, 3);
  CHECK(std::memcmp(read.data(), m.data(), 6 * sizeof(double)) == 0);
  CHECK(read(0, 2) == 3);
  CHECK(back.at("file", "empty", 0, 5).size() == 0);
  CHECK(back.metadata.at("step") == "12");
  CHECK_THROWS_AS(back.at("file", "m", 3, 2), InputError);
  CHECK_THROWS_AS(back.at("file", "absent", 1, 1), InputError);
}

TEST_CASE("every way in which a header can lie is refused") {
  const std::string eight(8, '\0');
  REQUIRE(complaint(with_header(R"({"a":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}})", eight)).empty());
  CHECK_FALSE(complaint("").empty());
  CHECK_FALSE(complaint("1234567").empty());
  CHECK_FALSE(complaint(std::string(8, '\xff')).empty());  // header longer than the file
  CHECK_FALSE(complaint(with_header("not json", "")).empty());
  CHECK_FALSE(complaint(with_header("[1]", "")).empty());
  CHECK_FALSE(complaint(with_header(R"({"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})", eight)).empty());
  CHECK_FALSE(complaint(with_header(R"({"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}})", eight)).empty());
  CHECK_FALSE(complaint(with_header(R"({"a":{"dtype":"F64","shape":[1,2],"data_offsets":[0,8]}})", eight)).empty());
  CHECK_FALSE(complaint(with_header(R"({"a":{"dtype":"F64","shape":[-1,-1],"data_offsets":[0,8]}})", eight)).empty());
  CHECK_FALSE(complaint(with_header(R"({"a":{"dtype":"F64","shape":[1,1],"data_offsets":[8,16]}})", eight + eight)).empty());
  CHECK_FALSE(complaint(with_header(R"({"a":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}})", "")).empty());
  CHECK_FALSE(complaint(with_header(R"({"a":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}})", eight + "x")).empty());
  CHECK_FALSE(complaint(with_header(R"({"a":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]},)"
                                    R"("b":{"dtype":"F64","shape":[1,1],"data_offsets":[0,8]}})",
                                    eight))
                  .empty());
  CHECK_FALSE(
      complaint(with_header(R"({"a":{"dtype":"F64","shape":[4294967296,536870912],"data_offsets":[0,0]}})", "")).empty());
  CHECK_FALSE(complaint(with_header(R"({"a":1})", "")).empty());
  CHECK_FALSE(complaint(with_header(R"({"__metadata__":{"k":1}})", "")).empty());
  CHECK_FALSE(complaint(with_header(R"({"__metadata__":"text"})", "")).empty());
}

TEST_CASE("a cut file is refused at every length") {
  TensorFile file;
  file.tensors["m"] = Matrix::Ones(2, 2);
  const std::string bytes = to_safetensors(file);
  int accepted = 0;
  for (std::size_t n = 0; n < bytes.size(); ++n) accepted += complaint(bytes.substr(0, n)).empty() ? 1 : 0;
  CHECK(accepted == 0);
}

}  // namespace
}  // namespace popgrad
