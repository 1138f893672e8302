#include "app/draw_figures.hpp"

#include "reports/report.hpp"

namespace popgrad {

std::string figure_text(const FigureOutcome& outcome) {
  std::string files;
  for (const std::filesystem::path& file : outcome.files) files += (files.empty() ? "" : ", ") + file.string();
  if (outcome.drawn) return "figure " + outcome.name + ": " + files + "\n";
  return "figure " + outcome.name + " not drawn: " + outcome.reason + " (its numbers: " + files + ")\n";
}

std::string draw_figures(const std::filesystem::path& source, const std::filesystem::path& folder) {
  const bool run = std::filesystem::is_directory(source);
  std::string text;
  for (const FigureOutcome& outcome : run ? draw_run(source, folder) : draw_results(source, folder)) text += figure_text(outcome);
  return text;
}

}  // namespace popgrad
