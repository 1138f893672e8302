#include <cmath>
#include <nlohmann/json.hpp>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "reports/training_curves.hpp"

namespace popgrad {
namespace {

using Json = nlohmann::json;

// A number, or a member of an object; NaN where it is absent or null, which is how metrics.jsonl says "not measured".
double number(const Json& line, const char* key, const char* member = nullptr) {
  if (!line.contains(key) || line.at(key).is_null()) return NAN;
  return (member == nullptr ? line.at(key) : line.at(key).at(member)).get<double>();
}

std::vector<double> read_line(const Json& line) {
  std::vector<double> row = {line.at("step").get<double>(), number(line, "loss")};
  for (const char* probe : {"accuracy", "wo2", "wk2", "wk1"})
    for (const char* member : {"value", "chance"}) row.push_back(number(line, probe, member));
  row.push_back(number(line, "kl", "value"));
  return row;
}

}  // namespace

FigureTable read_metrics(const std::filesystem::path& metrics) {
  const std::string text = read_file("run", metrics);
  FigureTable table;
  table.columns = {"step (updates)",
                   "loss (nats)",
                   "in-context accuracy",
                   "in-context accuracy, chance",
                   "R(W_O2)",
                   "R(W_O2), chance",
                   "R(W_K2)",
                   "R(W_K2), chance",
                   "R(W_K1)",
                   "R(W_K1), chance",
                   "KL to the bigram law (nats)"};
  int line_number = 0;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++line_number;
    const auto bad = [&](const std::string& what) {
      return InputError("run", "line " + std::to_string(line_number) + " of '" + metrics.string() + "' (" + what + ")",
                        "metrics written by popgrad train");
    };
    try {
      table.rows.push_back(read_line(
          Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end))));
    } catch (const Json::exception& problem) {
      throw bad(problem.what());
    }
    const std::size_t n = table.rows.size();
    if (n > 1 && !(table.rows[n - 1][0] > table.rows[n - 2][0])) throw bad("its step does not increase");
  }
  if (table.rows.empty())
    throw InputError("run", "'" + metrics.string() + "' (no evaluation)", "metrics written by popgrad train");
  return table;
}

}  // namespace popgrad
