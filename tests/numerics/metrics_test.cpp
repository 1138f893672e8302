#include "numerics/metrics.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "numerics/trainer.hpp"
#include "tests/catch.hpp"
#include "tests/numerics/train_fixture.hpp"

namespace popgrad {
namespace {

using nlohmann::json;

// Paths of every null in a line but those below "reasons".
void nulls(const json& value, const std::string& path, std::vector<std::string>& found) {
  if (value.is_null()) found.push_back(path);
  if (!value.is_object()) return;
  for (const auto& [key, inner] : value.items())
    if (key != "reasons") nulls(inner, path.empty() ? key : path + "." + key, found);
}

// A line is strict JSON, and every null in it has its reason, and every reason its null.
json checked(const Metrics& metrics) {
  const std::string text = metrics_line(metrics);
  INFO(text);
  const json line = json::parse(text);
  std::vector<std::string> paths;
  nulls(line, "", paths);
  const json reasons = line.value("reasons", json::object());
  for (const std::string& path : paths) {
    INFO(path);
    CHECK((reasons.contains(path) && !reasons[path].get<std::string>().empty()));
  }
  CHECK(reasons.size() == paths.size());
  return line;
}

TEST_CASE("a line of metrics gives a reason for every null, and none where all was measured") {
  TrainOptions options = fixture::small_bigram();
  options.freeze.wo2 = 1;
  Trainer trainer(options, fixture::small_corpus());
  CHECK(checked(trainer.measure())["reasons"] == json({{"batch", "no update yet"}}));
  trainer.update();
  CHECK(checked(trainer.measure())["reasons"] == json({{"batch.gradient_norm.wo2", "frozen"}}));
  trainer.update();
  const json line = checked(trainer.measure());
  CHECK_FALSE(line.contains("reasons"));
  CHECK(line["batch"]["gradient_norm"].size() == 3);  // what the run trains
  CHECK(line["batch"]["gradient_norm"]["wo2"].get<double>() > 0);
}

TEST_CASE("numbers that are not finite are null with that reason, never NaN") {
  Metrics metrics;
  metrics.loss_positions = 5;
  metrics.loss = std::numeric_limits<double>::infinity();
  metrics.accuracy = {0.5, 0.25, std::nan(""), 1, 5};
  metrics.batch = LastBatch{std::nan(""), 3, {{Table::wk1, std::nan("")}, {Table::out, 2.0}}};
  const json line = checked(metrics);
  CHECK(line["reasons"]["loss"] == "not finite");
  CHECK(line["reasons"]["accuracy.margin"] == "not finite");
  CHECK(line["reasons"]["batch.loss"] == "not finite");
  CHECK(line["batch"]["gradient_norm"]["out"] == 2.0);
  metrics.batch->loss_positions = 0;
  metrics.loss_positions = 0;
  const json empty = checked(metrics);
  CHECK(empty["reasons"]["batch.loss"] == "no loss position in the minibatch");
  CHECK(empty["reasons"]["loss"] == "no loss position among the held-out sequences");
}

}  // namespace
}  // namespace popgrad
