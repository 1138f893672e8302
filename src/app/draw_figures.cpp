#include "app/draw_figures.hpp"

#include "app/attention_figure.hpp"
#include "numerics/flow_run.hpp"
#include "reports/report.hpp"

namespace popgrad {
namespace {

namespace fs = std::filesystem;

std::vector<FigureOutcome> draw_training(const fs::path& run, const fs::path& folder) {
  std::vector<FigureOutcome> outcomes = draw_run(run, folder);
  if (is_flow_run(run)) return outcomes;  // the population has no sequence to show
  const fs::path name = run.has_filename() ? run.filename() : run.parent_path().filename();
  const AttentionMaps maps = attention_maps_of(run);
  outcomes.push_back(
      draw(attention_maps_figure("attention_maps", "Run " + name.string() + ": attention along a held-out sequence", maps),
           folder));
  return outcomes;
}

}  // namespace

std::string figure_text(const FigureOutcome& outcome) {
  std::string files;
  for (const fs::path& file : outcome.files) files += (files.empty() ? "" : ", ") + file.string();
  if (outcome.drawn) return "figure " + outcome.name + ": " + files + "\n";
  return "figure " + outcome.name + " not drawn: " + outcome.reason + " (its numbers: " + files + ")\n";
}

std::string draw_figures(const fs::path& source, const fs::path& folder) {
  std::string text;
  for (const FigureOutcome& outcome :
       fs::is_directory(source) ? draw_training(source, folder) : draw_results(source, folder))
    text += figure_text(outcome);
  return text;
}

}  // namespace popgrad
