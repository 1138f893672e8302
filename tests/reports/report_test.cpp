#include "reports/report.hpp"

#include "core/errors.hpp"
#include "reports/onestep_accuracy.hpp"
#include "tests/catch.hpp"
#include "tests/reports/figure_files.hpp"

using namespace popgrad;
using namespace popgrad::testing;

namespace {

using Names = std::vector<std::string>;

std::string results(const std::string& rows) {
  return R"({"format": "popgrad-results", "version": 1, "rows": [)" + rows + "]}";
}

std::string row(const std::string& configuration, const std::string& series) {
  return R"({"claim": "C", "configuration": ")" + configuration + R"(", "series": [)" + series + "]}";
}

std::string accuracy(const std::string& rows) {
  return R"({"figure": "onestep_accuracy", "columns": ["d", "predicted accuracy", "prediction error", "measured accuracy",
            "standard error"], "rows": [)" +
         rows + "]}";
}

// The matrix with entry 10 k + column, N = 2 outputs and T = 3 positions.
std::string memory(const std::string& last = "[1, 9, 19]") {
  std::string rows;
  for (int k = 0; k < 2; ++k)
    for (int c = 0; c < 10; ++c)
      if (k * 10 + c < 19)
        rows += "[" + std::to_string(k) + "," + std::to_string(c) + "," + std::to_string(10 * k + c) + "],";
  return R"({"figure": "step1_memory", "columns": ["output k", "column", "value"], "rows": [)" + rows + last + "]}";
}

std::string words(const std::filesystem::path& svg) { return xml_text(slurp(svg)).value_or("not well-formed"); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string message(const std::filesystem::path& file, const std::filesystem::path& folder) {
  try {
    draw_results(file, folder);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError";
}

}  // namespace

TEST_CASE("accuracy: rows that differ in d are one figure, sorted, null kept as a gap, every measured point drawn") {
  const ScratchFolder scratch;
  const auto file = scratch.write(
      "results.json", results(row("N=64 d=64 T=32", accuracy("[64, 0.9, 0.01, 0.89, 0.002], [48, 0.7, 0.01, null, null]")) +
                              "," + row("N=64 d=32 T=32", accuracy("[32, 0.4, 0.02, 0.43, 0.003]"))));
  const auto outcomes = draw_results(file, scratch.path / "f");
  REQUIRE(outcomes.size() == 1);
  CHECK(outcomes[0].reason == "");
  CHECK(slurp(scratch.path / "f/onestep_accuracy.tsv") ==
        "d\tpredicted accuracy\tprediction error\tmeasured accuracy\tstandard error\n"
        "32\t0.4\t0.02\t0.43\t0.003\n48\t0.7\t0.01\tNaN\tNaN\n64\t0.9\t0.01\t0.89\t0.002\n");
  const std::string svg = slurp(scratch.path / "f/onestep_accuracy.svg"),
                    text = words(scratch.path / "f/onestep_accuracy.svg");
  for (const char* title : {"embedding dimension d (log scale)", "accuracy (fraction of inputs)", "measured − predicted",
                            "predicted", "measured, 2 standard errors", "One gradient step from zero: N=64 T=32"})
    CHECK(has(text, title));
  CHECK(circles(svg) == 2 + 2 + 1);  // two measured points in each panel, one in the key
}

TEST_CASE("accuracy: one dimension alone is a ring around its measured point, at a tic of its own") {
  const ScratchFolder scratch;
  const auto file = scratch.write("results.json", results(row("N=64 T=32 d=48", accuracy("[48, 0.9, 0.01, 0.89, 0.002]"))));
  CHECK(draw_results(file, scratch.path / "f").at(0).reason == "");
  const std::string svg = slurp(scratch.path / "f/onestep_accuracy.svg"), text = words(scratch.path / "f/onestep_accuracy.svg");
  CHECK(circles(svg) == 1 + 1 + 1);              // measured in each panel, and in the key
  CHECK(count(svg, "'#gpPt5' transform") == 2);  // predicted, and in the key
  CHECK(has(text, "stated error of the prediction"));
  CHECK(has(text, "48"));
}

TEST_CASE("accuracy: the key is not where a low curve ends") {
  const auto script = [](double accuracy) {
    const FigureTable table = {{"d", "predicted accuracy", "prediction error", "measured accuracy", "standard error"},
                               {{16, accuracy, 0, accuracy, 0.01}}};
    return onestep_accuracy_figure("a", {"onestep_accuracy", "L2.onestep", "N=64", table}).script;
  };
  CHECK(has(script(0.9), "set key bottom right"));
  CHECK(has(script(0.14), "set key top right"));
}

TEST_CASE("accuracy: a stated error that no eye can see is not in the key") {
  const ScratchFolder scratch;
  const auto file = scratch.write(
      "results.json", results(row("N=64 d=32..64", accuracy("[32, 0.4, 1e-9, 0.41, 0.003], [64, 0.9, 1e-9, 0.89, 0.002]"))));
  CHECK(draw_results(file, scratch.path / "f").at(0).reason == "");
  CHECK_FALSE(has(words(scratch.path / "f/onestep_accuracy.svg"), "stated error"));
}

TEST_CASE("accuracy: different problems are different figures, predictions alone can be drawn") {
  const ScratchFolder scratch;
  const auto file = scratch.write("results.json", results(row("N=64 d=64", accuracy("[64, 0.9, 0, null, null]")) + "," +
                                                          row("N=8 d=32", accuracy("[32, 0.4, null, null, null]"))));
  const auto outcomes = draw_results(file, scratch.path / "f");
  REQUIRE(outcomes.size() == 2);
  CHECK(outcomes[0].name == "onestep_accuracy_N64");
  CHECK(outcomes[1].name == "onestep_accuracy_N8");
  for (const auto& outcome : outcomes) CHECK(outcome.reason == "");
}

TEST_CASE("memory: one figure a configuration, blocks and axes named, all entries in the data") {
  const ScratchFolder scratch;
  const auto file = scratch.write(
      "results.json",
      results(row("N=2 T=3 any", memory()) + "," + row("N=2 T=3 avoid", memory()) + "," + row("N=2 T=3 avoid", memory())));
  const auto outcomes = draw_results(file, scratch.path / "f");
  REQUIRE(outcomes.size() == 3);
  CHECK(outcomes[0].name == "step1_memory_N2_T3_any");
  CHECK(outcomes[1].name == "step1_memory_N2_T3_avoid");
  CHECK(outcomes[2].name == "step1_memory_N2_T3_avoid_2");
  for (const auto& outcome : outcomes) CHECK(outcome.reason == "");
  const std::string tsv = slurp(scratch.path / "f/step1_memory_N2_T3_any.tsv");
  CHECK(tsv.substr(0, 34) == "output k\tcolumn\tvalue\n0\t0\t0\n0\t1\t1\n");
  CHECK(count(tsv, "\n") == 21);
  const std::string text = words(scratch.path / "f/step1_memory_N2_T3_any.svg");
  for (const char* title : {"output token k", "index within the block", "E token, P position", "entry of −∂L/∂W_O"})
    CHECK(has(text, title));
}

TEST_CASE("memory: entries that are not a whole N x 2(N+T) matrix are refused") {
  const ScratchFolder scratch;
  for (const char* last : {"[0, 0, 19]", "[1, 8.5, 19]", "[1, -1, 19]", "[2, 9, 19]", "[1, 10, 19]", "[null, 9, 19]"}) {
    CAPTURE(last);
    const auto file = scratch.write("results.json", results(row("N=2 T=3", memory(last))));
    CHECK(has(message(file, scratch.path / "f"), "results: got figure 'step1_memory'"));
  }
  CHECK_FALSE(std::filesystem::exists(scratch.path / "f"));
}

TEST_CASE("a results file that does not fit gives one line and nothing is written") {
  const ScratchFolder scratch;
  const std::pair<const char*, std::string> cases[] = {
      {"(no such file)", ""},
      {"(", "{"},
      {"(another format)", R"({"format": "x", "rows": []})"},
      {"(", R"({"rows": []})"},
      {"(", "[]"},
      {"(", results(R"({"claim": 1, "configuration": "", "series": [{"figure": "a", "columns": [], "rows": []}]})")},
      {"of another width", results(row("d=1", R"({"figure": "a", "columns": ["x"], "rows": [[1, 2]]})"))},
      {"without a column 'd'", results(row("", R"({"figure": "onestep_accuracy", "columns": ["x"], "rows": [[1]]})"))},
      {"without rows", results(row("", accuracy("")))},
      {"d = 0", results(row("", accuracy("[0, 1, 0, 1, 0]")))},
      // A bad figure after a good one: the good one is not written either.
      {"without rows", results(row("d=2", memory()) + "," + row("", accuracy("")))},
  };
  for (const auto& [part, text] : cases) {
    CAPTURE(text);
    const auto file = text.empty() ? scratch.path / "missing.json" : scratch.write("results.json", text);
    const std::string line = message(file, scratch.path / "f");
    CHECK(line.find("results: got ") == 0);
    CHECK(has(line, part));
    CHECK_FALSE(has(line, "\n"));
  }
  CHECK_FALSE(std::filesystem::exists(scratch.path / "f"));
}

TEST_CASE("rows without series draw nothing, a series that no figure is known for becomes a TSV") {
  const ScratchFolder scratch;
  CHECK(draw_results(scratch.write("results.json", results(R"({"claim": "C", "configuration": ""})")), scratch.path / "f")
            .empty());
  const auto outcomes = draw_results(
      scratch.write("results.json", results(row("", R"({"figure": "../odd", "columns": ["x"], "rows": [[1], ["-inf"]]})"))),
      scratch.path / "f");
  REQUIRE(outcomes.size() == 1);
  CHECK_FALSE(outcomes[0].drawn);
  CHECK(outcomes[0].reason == "no drawing is known for it");
  CHECK(slurp(outcomes[0].files.at(0)) == "x\n1\n-Inf\n");
  CHECK(scratch.files().size() == 2);
}
