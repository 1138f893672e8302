#include "reports/training_curves.hpp"

#include <cmath>

#include "core/errors.hpp"
#include "reports/report.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

// As popgrad train writes it; fields that the figure does not show are there too.
std::string line(int step, const std::string& loss, const std::string& kl) {
  return R"({"step":)" + std::to_string(step) + R"(,"loss":)" + loss +
         R"(,"loss_positions":9,"accuracy":{"value":0.5,"chance":0.25,"margin":0.1,"ties":0,"rows":9},)"
         R"("wo2":{"value":0.75,"chance":0.125},"wk2":null,"wk1":{"value":0.2,"chance":0.3},"wk1_64":{"value":0.9,"chance":0.9})" +
         (kl.empty() ? "" : R"(,"kl":{"value":)" + kl + R"(,"chance":1})") + R"(,"stream":{"sequences":3},"batch":null})";
}

std::string message(const std::filesystem::path& run) {
  try {
    draw_run(run, run / "figures");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

}  // namespace

TEST_CASE("metrics become one row an evaluation, what was not measured is NaN, an unfinished line is left out") {
  const ScratchFolder scratch;
  const auto file =
      scratch.write("metrics.jsonl", line(0, "4.5", "1.5") + "\n" + line(10, "null", "") + "\n" + R"({"step": 2)");
  const FigureTable table = read_metrics(file);
  REQUIRE(table.rows.size() == 2);
  const auto at = [&](std::size_t row, const char* column) { return table.rows[row][table.column(column)]; };
  CHECK(at(1, "step (updates)") == 10);
  CHECK(at(0, "loss (nats)") == 4.5);
  CHECK(std::isnan(at(1, "loss (nats)")));
  CHECK(at(0, "in-context accuracy") == 0.5);
  CHECK(at(0, "in-context accuracy, chance") == 0.25);
  CHECK(at(0, "R(W_O2)") == 0.75);
  CHECK(at(0, "R(W_O2), chance") == 0.125);
  CHECK(std::isnan(at(0, "R(W_K2)")));
  CHECK(at(0, "R(W_K1)") == 0.2);
  CHECK(at(0, "R(W_K1), chance") == 0.3);
  CHECK(at(0, "KL to the bigram law (nats)") == 1.5);
  CHECK(std::isnan(at(1, "KL to the bigram law (nats)")));
}

TEST_CASE("a run is drawn with named axes, every curve that was measured and no other") {
  const ScratchFolder scratch;
  scratch.write("run/metrics.jsonl", line(0, "4.5", "") + "\n" + line(10, "4", "") + "\n" + line(20, "3", "") + "\n");
  const auto outcomes = draw_run(scratch.path / "run/", scratch.path / "f");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].reason == "");
  CHECK(outcomes[0].name == "training_curves");
  const std::string svg = slurp(scratch.path / "f/training_curves.svg");
  const auto text = xml_text(svg);
  REQUIRE(text);
  for (const char* title : {"step (updates)", "loss (nats)", "fraction (chance dotted)", "loss",
                            "in-context accuracy", "R(W_O2)", "R(W_K1)", "Run run"})
    CHECK(text->find(title) != std::string::npos);
  CHECK(text->find("R(W_K2)") == std::string::npos);  // never measured here
  CHECK(text->find("KL") == std::string::npos);
  // Filled circles: three evaluations of loss and of accuracy, and accuracy in the key; the loss panel has one curve and no key.
  CHECK(circles(svg) == 3 + 3 + 1);
}

TEST_CASE("a loss that diverged is shown in decades, which leaves room for the label, but fractions are not") {
  const ScratchFolder scratch;
  scratch.write("run/metrics.jsonl", line(0, "4.5", "") + "\n" + line(10, "1e83", "") + "\n");
  REQUIRE(draw_run(scratch.path / "run", scratch.path / "f").at(0).reason == "");
  const auto text = xml_text(slurp(scratch.path / "f/training_curves.svg"));
  REQUIRE(text);
  CHECK(text->find("×10") == std::string::npos);
  CHECK(text->find("0.4") != std::string::npos);
}

TEST_CASE("where the loss has company, both curves are named") {
  const ScratchFolder scratch;
  scratch.write("run/metrics.jsonl", line(0, "4.5", "1.5") + "\n" + line(10, "4", "1") + "\n");
  REQUIRE(draw_run(scratch.path / "run", scratch.path / "f").at(0).reason == "");
  const auto text = xml_text(slurp(scratch.path / "f/training_curves.svg"));
  REQUIRE(text);
  for (const char* title : {"loss", "KL to the bigram law", "loss, KL (nats)"})
    CHECK(text->find(title) != std::string::npos);
}

TEST_CASE("a run with one evaluation, and one with nothing measured, are drawn") {
  const ScratchFolder scratch;
  scratch.write("one/metrics.jsonl", line(0, "4.5", "1") + "\n");
  CHECK(draw_run(scratch.path / "one", scratch.path / "f").at(0).reason == "");
  scratch.write("none/metrics.jsonl", "{\"step\":0,\"loss\":null,\"accuracy\":null}\n{\"step\":1}\n");
  CHECK(draw_run(scratch.path / "none", scratch.path / "g").at(0).reason == "");
}

TEST_CASE("metrics that do not fit give one line that names the line, and nothing is written") {
  const ScratchFolder scratch;
  CHECK(message(scratch.path / "nowhere").find("run: got ") == 0);
  const std::pair<std::string, const char*> cases[] = {
      {"", "(no evaluation)"},
      {"{\"step\": 1", "(no evaluation)"},
      {line(0, "1", "") + "\n{\n", "line 2 of"},
      {line(0, "1", "") + "\n" + line(0, "1", "") + "\n", "line 2 of"},
      {"{\"loss\": 1}\n", "line 1 of"},
      {"[]\n", "line 1 of"},
      {"\n", "line 1 of"},
      {"{\"step\": 0, \"wo2\": 3}\n", "line 1 of"},
  };
  for (const auto& [text, part] : cases) {
    CAPTURE(text);
    scratch.write("run/metrics.jsonl", text);
    const std::string got = message(scratch.path / "run");
    CHECK(got.find("run: got ") == 0);
    CHECK(got.find(part) != std::string::npos);
    CHECK(got.find('\n') == std::string::npos);
  }
  CHECK(scratch.files() == std::vector<std::string>{"run/metrics.jsonl"});
}
