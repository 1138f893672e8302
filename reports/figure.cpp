#include "reports/figure.hpp"

#include <unistd.h>

#include "core/atomic_file.hpp"
#include "core/errors.hpp"
#include "reports/gnuplot.hpp"
#include "reports/hold_interrupts.hpp"
#include "reports/style.hpp"

namespace popgrad {
namespace fs = std::filesystem;
namespace {

bool is_file_stem(const std::string& name) {
  return !name.empty() && name[0] != '.' &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.=") == std::string::npos;
}

// Empty if `target` now holds the drawing, else what went wrong.
std::string draw_format(const FigureSpec& figure, FigureFormat format, const fs::path& gnuplot, const fs::path& data,
                        const fs::path& target) {
  const std::string scratch = target.string() + "." + std::to_string(getpid());
  const fs::path temporary = scratch + ".tmp";
  const std::string commands = terminal(format, figure.width_cm, figure.height_cm) + "set output " +
                               gnuplot_quote(temporary.string()) + "\nDATA = " + gnuplot_quote(data.string()) + "\n" +
                               common_style() + figure.script + "\nunset output\n";
  std::string problem = run_gnuplot(gnuplot, commands, scratch + ".log.tmp");
  std::error_code failed;
  if (problem.empty() && (!fs::is_regular_file(temporary, failed) || fs::file_size(temporary, failed) == 0))
    problem = "gnuplot: exit status 0, but no drawing";
  if (problem.empty()) {
    fs::rename(temporary, target, failed);
    if (failed) problem = "cannot rename to " + target.string() + ": " + failed.message();
  }
  if (!problem.empty()) {
    fs::remove(temporary, failed);
    fs::remove(target, failed);
  }
  return problem;
}

}  // namespace

FigureOutcome draw(const FigureSpec& figure, const fs::path& folder) {
  require(is_file_stem(figure.name), "draw", "name", "a file stem", figure.name);
  const HoldInterrupts hold;  // no temporary file stays
  FigureOutcome outcome{figure.name, true, {}, ""};
  std::error_code failed;
  fs::create_directories(folder, failed);
  // Absolute, so that no character at its beginning means anything to gnuplot ('<' would be a pipe).
  const fs::path base = fs::absolute(folder) / figure.name;
  const fs::path data = base.string() + ".tsv";
  write_file_atomically(data, to_tsv(figure.table));
  outcome.files.push_back(folder / data.filename());

  std::string problem;
  const auto gnuplot = find_gnuplot();
  if (figure.script.empty())
    problem = "no drawing is known for it";
  else if (!gnuplot)
    problem = "gnuplot is not on PATH (Debian package gnuplot-nox)";
  else if (base.string().find_first_of("\r\n") != std::string::npos)
    problem = "the folder's name has a line break";
  for (const FigureFormat format : {FigureFormat::svg, FigureFormat::pdf}) {
    const fs::path target = base.string() + "." + extension(format);
    std::string trouble = problem;
    if (problem.empty())
      trouble = draw_format(figure, format, *gnuplot, data, target);
    else
      fs::remove(target, failed);
    if (trouble.empty())
      outcome.files.push_back(folder / target.filename());
    else if (outcome.reason.empty())
      outcome.reason = trouble;
  }
  outcome.drawn = outcome.reason.empty();
  return outcome;
}

}  // namespace popgrad
