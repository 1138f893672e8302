#include "app/draw_figures.hpp"

#include <vector>

#include "reports/report.hpp"

namespace popgrad {
namespace {

std::string files_of(const FigureOutcome& outcome) {
  std::string text;
  for (const std::filesystem::path& file : outcome.files) text += (text.empty() ? "" : ", ") + file.string();
  return text;
}

}  // namespace

std::string draw_figures(const std::filesystem::path& source, const std::filesystem::path& folder) {
  const bool run = std::filesystem::is_directory(source);
  std::string text;
  for (const FigureOutcome& outcome : run ? draw_run(source, folder) : draw_results(source, folder)) {
    if (outcome.drawn)
      text += "figure " + outcome.name + ": " + files_of(outcome) + "\n";
    else
      text += "figure " + outcome.name + " not drawn: " + outcome.reason + " (its numbers: " + files_of(outcome) + ")\n";
  }
  return text;
}

}  // namespace popgrad
