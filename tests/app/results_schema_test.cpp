// docs/results.schema.json describes what is written: results.json is checked against it by the part of JSON Schema that it
// uses.
#include <limits>
#include <nlohmann/json.hpp>

#include "app/results_json.hpp"
#include "tests/catch.hpp"
#include "sample_rows.hpp"
#include "temporary_folder.hpp"

using namespace popgrad;

namespace {

using Json = nlohmann::json;

bool has_type(const Json& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  return type == "object" && value.is_object();
}

class Schema {
 public:
  explicit Schema(Json root) : root_(std::move(root)) {}

  // Where the value breaks the schema; empty if it does not.
  std::string broken(const Json& value) const { return broken(value, root_, "document"); }

 private:
  const Json& resolve(const Json& schema) const {
    const std::string prefix = "#/$defs/", reference = schema["$ref"];
    REQUIRE(reference.starts_with(prefix));
    return root_["$defs"][reference.substr(prefix.size())];
  }

  std::string broken(const Json& value, const Json& schema, const std::string& at) const {
    if (schema.contains("$ref")) return broken(value, resolve(schema), at);
    if (schema.contains("const") && value != schema["const"]) return at + ": not the constant";
    if (schema.contains("enum") && std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
      return at + ": not one of the values";
    if (schema.contains("type")) {
      bool fits = false;
      const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
      for (const Json& type : types) fits = fits || has_type(value, type);
      if (!fits) return at + ": of another type";
    }
    if (schema.contains("minimum") && value < schema["minimum"]) return at + ": below the minimum";
    if (schema.contains("anyOf")) {
      bool any = false;
      for (const Json& option : schema["anyOf"]) any = any || broken(value, option, at).empty();
      return any ? "" : at + ": fits none of the alternatives";
    }
    if (schema.contains("allOf"))
      for (const Json& part : schema["allOf"])
        if (std::string inner = broken(value, part, at); !inner.empty()) return inner;
    if (schema.contains("required"))
      for (const std::string field : schema["required"])
        if (!value.contains(field)) return at + "." + field + ": missing";
    if (value.is_object()) return broken_fields(value, schema, at);
    if (value.is_array() && schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        if (std::string inner = broken(value[i], schema["items"], at + "[" + std::to_string(i) + "]"); !inner.empty())
          return inner;
    return "";
  }

  // JSON Schema lets unknown fields pass; here a field that the schema does not describe is a fault of the schema.
  std::string broken_fields(const Json& value, const Json& schema, const std::string& at) const {
    for (const auto& [field, inner] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(field)) {
        if (std::string fault = broken(inner, schema["properties"][field], at + "." + field); !fault.empty()) return fault;
      } else if (schema.contains("additionalProperties")) {
        if (std::string fault = broken(inner, schema["additionalProperties"], at + "." + field); !fault.empty())
          return fault;
      } else if (!described_elsewhere(field)) {
        return at + "." + field + ": not described";
      }
    }
    return "";
  }

  // Rows and controls describe their fields in two places: their own and the comparison's.
  bool described_elsewhere(const std::string& field) const {
    for (const char* part : {"comparison", "row", "control"})
      if (root_["$defs"][part]["properties"].contains(field)) return true;
    return false;
  }

  Json root_;
};

Json written() {
  Results results;
  results.configuration = {{"data.vocab", std::int64_t{4}}, {"data.length", KeyValue()}};
  results.rows = {exact_row(), exact_row(Rational(1, 25)), sampled_row(0.5),
                  sampled_row(std::numeric_limits<double>::infinity()), not_applicable("L1", "", "N=4", "uniform labels")};
  results.rows[2].series = {{"onestep_accuracy", {"d"}, {{32}, {std::nan("")}}}};
  return Json::parse(to_json(results));
}

Schema schema() { return Schema(Json::parse(text_of(POPGRAD_SOURCE_DIR "/docs/results.schema.json"))); }

}  // namespace

TEST_CASE("results.json fits its documented schema, and the schema describes every field") {
  CHECK(schema().broken(written()).empty());
}

TEST_CASE("the schema refuses a missing field, another type, another version and an undescribed field") {
  Json json = written();
  json["rows"][0].erase("margin");
  CHECK(schema().broken(json) == "document.rows[0].margin: missing");
  json = written();
  json["rows"][0]["headline"]["name"] = 3;
  CHECK_FALSE(schema().broken(json).empty());
  json = written();
  json["version"] = 2;
  CHECK(schema().broken(json) == "document.version: not the constant");
  json = written();
  json["rows"][0]["verdict"] = "maybe";
  CHECK(schema().broken(json) == "document.rows[0].verdict: not one of the values");
  json = written();
  json["extra"] = 1;
  CHECK(schema().broken(json) == "document.extra: not described");
}
