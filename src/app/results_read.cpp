#include <limits>
#include <nlohmann/json.hpp>

#include "app/results_json.hpp"
#include "core/atomic_file.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

using Json = nlohmann::ordered_json;

// A place in the document, for messages: "rows[3].budget".
struct Reader {
  const std::string& argument;
  const std::string& file;
  const Json& json;
  std::string path;

  [[noreturn]] void fail(const std::string& got, const std::string& expected) const {
    throw InputError(argument, "'" + file + "' (" + (path.empty() ? "document" : path) + " is " + got + ")", expected);
  }
  Reader operator[](const char* field) const {
    if (!json.is_object()) fail(json.type_name(), "an object");
    const std::string inner = path.empty() ? field : path + "." + field;
    const auto found = json.find(field);
    if (found == json.end()) Reader{argument, file, json, inner}.fail("missing", "a results.json written by popgrad verify");
    return {argument, file, *found, inner};
  }
  Reader at(std::size_t i) const { return {argument, file, json[i], path + "[" + std::to_string(i) + "]"}; }
  std::size_t size() const {
    if (!json.is_array()) fail(json.type_name(), "an array");
    return json.size();
  }
  bool null() const { return json.is_null(); }

  double number() const {
    if (json.is_number()) return json.get<double>();
    if (json == "inf") return std::numeric_limits<double>::infinity();
    if (json == "-inf") return -std::numeric_limits<double>::infinity();
    if (json.is_null()) return std::numeric_limits<double>::quiet_NaN();
    fail(json.type_name(), "a number, \"inf\", \"-inf\" or null");
  }
  std::uint64_t whole() const {
    if (!json.is_number_unsigned()) fail(json.type_name(), "a whole number");
    return json.get<std::uint64_t>();
  }
  std::string text() const {
    if (!json.is_string()) fail(json.type_name(), "a text");
    return json.get<std::string>();
  }
  bool truth() const {
    if (!json.is_boolean()) fail(json.type_name(), "true or false");
    return json.get<bool>();
  }
};

template <class Parse>
auto parse_name(const Reader& r, Parse parse) {
  try {
    return parse(r.text());
  } catch (const InputError& error) {
    r.fail("'" + r.text() + "'", std::string("a known name (") + error.what() + ")");
  }
}

Entry read_entry(const Reader& r) {
  Entry e;
  e.name = r["name"].text();
  e.predicted = r["predicted"].number();
  e.measured = r["measured"].number();
  e.difference = r["difference"].number();
  e.exact = r["exact"].null() ? "" : r["exact"].text();
  e.signal = r["signal"].truth();
  const Reader budget = r["budget"];
  e.budget = {budget["roundoff"].number(), budget["truncation"].number(), budget["sampling"].number()};
  return e;
}

Comparison read_comparison(const Reader& r, const char* verdict) {
  Comparison c;
  c.entries = r["entries"].whole();
  c.outside = r["outside"].whole();
  c.effect = r["effect"].number();
  c.widest = r["widest"].number();
  if (!r["headline"].null()) c.headline = read_entry(r["headline"]);
  if (!r["worst"].null()) c.worst = read_entry(r["worst"]);
  c.verdict = parse_name(r[verdict], parse_verdict);
  return c;
}

Series read_series(const Reader& r) {
  Series series;
  series.figure = r["figure"].text();
  const Reader columns = r["columns"];
  for (std::size_t i = 0; i < columns.size(); ++i) series.columns.push_back(columns.at(i).text());
  const Reader rows = r["rows"];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Reader row = rows.at(i);
    if (row.size() != series.columns.size()) row.fail(std::to_string(row.size()) + " cells", "one cell a column");
    series.rows.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j) series.rows.back().push_back(row.at(j).number());
  }
  return series;
}

Row read_row(const Reader& r) {
  Row row;
  row.claim = r["claim"].text();
  row.part = r["part"].text();
  row.configuration = r["configuration"].text();
  row.grade = parse_name(r["grade"], parse_grade);
  row.verdict = parse_name(r["verdict"], parse_verdict);
  row.reason = r["reason"].text();
  row.next = r["next"].text();
  row.comparison = read_comparison(r, "comparison_verdict");
  const Reader controls = r["controls"];
  for (std::size_t i = 0; i < controls.size(); ++i) {
    const Reader control = controls.at(i);
    row.controls.push_back({control["name"].text(), control["changes"].text(), read_comparison(control, "verdict")});
  }
  row.seconds = r["seconds"].number();
  const Reader series = r["series"];
  for (std::size_t i = 0; i < series.size(); ++i) row.series.push_back(read_series(series.at(i)));
  return row;
}

KeyValue read_value(const Reader& r) {
  if (r.null()) return {};
  if (r.json.is_boolean()) return r.json.get<bool>();
  if (r.json.is_number_integer()) return r.json.get<std::int64_t>();
  if (r.json.is_string()) return r.json.get<std::string>();
  return r.number();
}

}  // namespace

Results parse_results(const std::string& argument, const std::string& file, const std::string& text) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw InputError(argument, "'" + file + "' (not JSON: byte " + std::to_string(error.byte) + ")",
                     "a results.json written by popgrad verify");
  }
  const Reader r{argument, file, json, ""};
  if (r["format"].text() != "popgrad-results")
    r["format"].fail("'" + r["format"].text() + "'", "'popgrad-results', a results.json written by popgrad verify");
  if (r["version"].whole() != results_version)
    r["version"].fail(std::to_string(r["version"].whole()), "version " + std::to_string(results_version) + " of the format");
  Results results;
  results.version = r["popgrad"].text();
  results.revision = r["revision"].text();
  results.seed = r["seed"].whole();
  results.level = r["level"].number();
  results.corpus = r["corpus"].text();
  const Reader configuration = r["configuration"];
  if (!configuration.json.is_object()) configuration.fail(configuration.json.type_name(), "an object");
  for (const auto& item : configuration.json.items())
    results.configuration.emplace_back(item.key(),
                                       read_value({argument, file, item.value(), "configuration." + item.key()}));
  const Reader rows = r["rows"];
  for (std::size_t i = 0; i < rows.size(); ++i) results.rows.push_back(read_row(rows.at(i)));
  return results;
}

Results read_results(const std::string& argument, const std::filesystem::path& file) {
  return parse_results(argument, file.string(), read_file(argument, file));
}

}  // namespace popgrad
