#include "reports/report.hpp"

#include <algorithm>
#include <set>
#include <sstream>

#include "reports/emergence.hpp"
#include "reports/gate_decay.hpp"
#include "reports/gradient_blocks.hpp"
#include "reports/lattice_accuracy.hpp"
#include "reports/margin_map.hpp"
#include "reports/onestep_accuracy.hpp"
#include "reports/onset_curves.hpp"
#include "reports/seed_bands.hpp"
#include "reports/step1_memory.hpp"
#include "reports/step_sizes.hpp"
#include "reports/training_curves.hpp"
#include "reports/variance_saved.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

// The configuration without its d: what the points of one accuracy curve have in common.
std::string without_d(const std::string& configuration) {
  std::istringstream words(configuration);
  std::string word, rest;
  while (words >> word)
    if (word.rfind("d=", 0) != 0) rest += (rest.empty() ? "" : " ") + word;
  return rest;
}

// "ideal, full, N=4 T=6 avoid query=last" -> "N=4 T=6": what the rows of a lattice have in common.
std::string sizes_alone(const std::string& configuration) {
  std::istringstream words(configuration);
  std::string word, rest;
  while (words >> word)
    if (word.rfind("N=", 0) == 0 || word.rfind("T=", 0) == 0 || word.rfind("eta=", 0) == 0) rest += (rest.empty() ? "" : " ") + word;
  return rest;
}

// Points of one curve, panels of one figure, and rows of one lattice may come from several rows of the table of verdicts.
std::vector<FigureSeries> merged(const std::vector<FigureSeries>& all) {
  std::vector<FigureSeries> result;
  for (FigureSeries series : all) {
    if (series.figure == "lattice_blocks") continue;  // the numbers behind a diagnosis, not a figure
    if (series.figure == "onestep_accuracy" || series.figure == "gradient_blocks" || series.figure == "variance_saved" ||
        series.figure == "lattice_accuracy" || series.figure == "figure3" || series.figure == "figure4") {
      if (series.figure == "onestep_accuracy") series.configuration = without_d(series.configuration);
      if (series.figure == "lattice_accuracy") series.configuration = sizes_alone(series.configuration);
      const auto same = std::find_if(result.begin(), result.end(), [&](const FigureSeries& other) {
        return other.figure == series.figure && other.configuration == series.configuration &&
               other.table.columns == series.table.columns;
      });
      if (same != result.end()) {
        same->table.rows.insert(same->table.rows.end(), series.table.rows.begin(), series.table.rows.end());
        continue;
      }
    }
    result.push_back(std::move(series));
  }
  return result;
}

// "N=4 T=6 avoid" -> "N4_T6_avoid"
std::string slug(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || (!result.empty() && (c == '.' || c == '-')))
      result += c;
    else if (c != '=' && !result.empty() && result.back() != '_')
      result += '_';
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  return result;
}

// One name a figure; the plain one where there is no choice.
std::vector<std::string> names(const std::vector<FigureSeries>& all) {
  std::vector<std::string> result;
  std::set<std::string> taken;
  for (const FigureSeries& series : all) {
    const std::string figure = slug(series.figure).empty() ? "figure" : slug(series.figure);
    const auto alike =
        std::count_if(all.begin(), all.end(), [&](const FigureSeries& s) { return s.figure == series.figure; });
    const std::string wanted = alike == 1 ? figure : figure + "_" + slug(series.configuration);
    std::string name = wanted;
    for (int i = 2; !taken.insert(name).second; ++i) name = wanted + "_" + std::to_string(i);
    result.push_back(name);
  }
  return result;
}

}  // namespace

std::vector<FigureOutcome> draw_results(const fs::path& results, const fs::path& folder) {
  const std::vector<FigureSeries> all = merged(read_series(results));
  const std::vector<std::string> stems = names(all);
  std::vector<FigureSpec> figures;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].figure == "onestep_accuracy")
      figures.push_back(onestep_accuracy_figure(stems[i], all[i]));
    else if (all[i].figure == "emergence_T" || all[i].figure == "emergence_N")
      figures.push_back(emergence_figure(stems[i], all[i]));
    else if (all[i].figure == "onset_full" || all[i].figure == "onset_isolated")
      figures.push_back(onset_curves_figure(stems[i], all[i]));
    else if (all[i].figure == "figure3")
      figures.push_back(figure3(stems[i], all[i]));
    else if (all[i].figure == "figure4")
      figures.push_back(figure4(stems[i], all[i]));
    else if (all[i].figure == "lattice_accuracy")
      figures.push_back(lattice_accuracy_figure(stems[i], all[i]));
    else if (all[i].figure == "gate_decay")
      figures.push_back(gate_decay_figure(stems[i], all[i]));
    else if (all[i].figure == "step_sizes")
      figures.push_back(step_sizes_figure(stems[i], all[i]));
    else if (all[i].figure == "step1_memory")
      figures.push_back(step1_memory_figure(stems[i], all[i]));
    else if (all[i].figure == "gradient_blocks")
      figures.push_back(stage_gradients_figure(stems[i], all[i]));
    else if (all[i].figure == "variance_saved")
      figures.push_back(variance_saved_figure(stems[i], all[i]));
    else if (all[i].figure == "step2_margin")
      figures.push_back(margin_map_figure(stems[i], all[i], "Step 2: memory signal of (E,R), diag − off",
                                          "margin in α/(N T²) (ideal) or η₁/(N² T³) (actual)"));
    else if (all[i].figure == "step3_margin")
      figures.push_back(margin_map_figure(stems[i], all[i], "Step 3: smallest margin of (P,P) over rows 2..T−1",
                                          "margin of row t in αβ/(t T (T−2))"));
    else
      figures.push_back({stems[i], all[i].table, "", 0, 0});
  }
  std::vector<FigureOutcome> outcomes;
  for (const FigureSpec& figure : figures) outcomes.push_back(draw(figure, folder));
  return outcomes;
}

std::vector<FigureOutcome> draw_run(const fs::path& run, const fs::path& folder) {
  // A folder given as "runs/a/" has an empty last component.
  const fs::path folder_name = run.has_filename() ? run.filename() : run.parent_path().filename();
  const FigureTable table = read_metrics(run / "metrics.jsonl");
  return {draw(training_curves_figure("training_curves", "Run " + folder_name.string(), table), folder)};
}

}  // namespace popgrad
