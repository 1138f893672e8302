#include "app/sweep_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/terminal.hpp"
#include "core/byte_text.hpp"

namespace popgrad {
namespace {

using Line = std::vector<std::string>;

// Names and values to the left, numbers to the right.
std::string layout(const std::vector<Line>& lines) {
  std::vector<int> width(lines.front().size(), 0);
  for (const Line& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) width[c] = std::max(width[c], display_width(line[c]));
  std::string text;
  for (const Line& line : lines) {
    std::string out = pad_right(line[0], width[0]);
    for (std::size_t c = 1; c < line.size(); ++c) out += "  " + pad_left(line[c], width[c]);
    text += out + "\n";
  }
  return text;
}

const char* title(const std::string& name) {
  if (name == "loss") return "loss, nats";
  if (name == "accuracy") return "accuracy";
  if (name == "wo2") return "R(W_O2)";
  if (name == "wk2") return "R(W_K2)";
  if (name == "wk1_64") return "R(W_K1) 1..64";
  if (name == "wk1") return "R(W_K1)";
  return "KL, nats";
}

std::string final_cell(const MeanOverSeeds& m) {
  if (m.n == 0) return "-";
  if (!m.limits) return fmt::format("{:.4g}", m.mean);
  return fmt::format("{:.4g} ±{:.2g}", m.mean, m.limits->high - m.mean);
}

std::string rise_cell(const RiseSummary& r, int runs) {
  if (r.risen == 0) return fmt::format("- 0/{}", runs);
  std::string text = fmt::format("{:.0f}", r.step.mean);
  if (r.step.limits) text += fmt::format(" ±{:.0f}", r.step.limits->high - r.step.mean);
  return text + fmt::format(" {}/{} ", r.risen, runs) + (r.median ? fmt::format("({:g})", *r.median) : "(-)");
}

// Columns that no setting has a number for are left out; so is the recall of W_K1 over all positions where there are at
// most 64.
template <class Has>
std::vector<std::size_t> shown_columns(std::size_t count, Has has) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < count; ++c)
    if (has(c)) columns.push_back(c);
  return columns;
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

std::string sweep_table(const SweepGrid& grid, const std::vector<SettingSummary>& all) {
  const auto name_at = [](std::size_t c) { return std::string(final_names()[c]); };
  const bool one_wk1 =
      std::ranges::all_of(all, [&](const SettingSummary& s) { return same(s.final[4].value.mean, s.final[5].value.mean); });
  const auto final_columns = shown_columns(final_names().size(), [&](std::size_t c) {
    if (name_at(c) == "wk1_64" && one_wk1) return false;
    return std::ranges::any_of(all, [&](const SettingSummary& s) { return s.final[c].value.n > 0; });
  });
  const auto rise_columns = shown_columns(
      rise_names().size(), [&](std::size_t c) { return !(rise_names()[c] == std::string("wk1_64") && one_wk1); });

  std::vector<Line> ends = {{"setting", "runs", "diverged"}}, rises = {{"step of the rise"}};
  for (const std::size_t c : final_columns) ends[0].emplace_back(title(final_names()[c]));
  for (const std::size_t c : rise_columns) rises[0].emplace_back(title(rise_names()[c]));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = one_line(grid.settings[i].name, 100);
    Line end = {name, std::to_string(all[i].runs), std::to_string(all[i].diverged)}, rise = {name};
    for (const std::size_t c : final_columns) end.push_back(final_cell(all[i].final[c].value));
    for (const std::size_t c : rise_columns) rise.push_back(rise_cell(all[i].rise[c], all[i].runs));
    ends.push_back(std::move(end));
    rises.push_back(std::move(rise));
  }
  return layout(ends) + "\n" + layout(rises) +
         "\nAfter the last update: mean over the runs that did not diverge, ± half of Student's 95 % interval (seeds "
         "independent, values normal).\n"
         "Rise: mean ± the same over the runs that rose, how many did, and in brackets the median over all, in which a run "
         "that never\n"
         "rose counts as later than all others (-: the median is such a run). A mean over the runs that rose alone is too "
         "early where\n"
         "others did not. sweep.json has the exact intervals of the fractions of runs that rose or diverged.\n";
}

std::string sweep_tsv(const SweepGrid& grid, const std::vector<SettingSummary>& all) {
  const auto number = [](double x) { return std::isfinite(x) ? fmt::format("\t{}", x) : std::string("\tNaN"); };
  const auto limits = [&](const std::optional<Limits>& l) {
    return l ? number(l->low) + number(l->high) : std::string("\tNaN\tNaN");
  };
  std::string text = "setting\tvariant";
  for (const std::string& key : grid.varied) text += "\t" + key;
  text += "\truns\tdiverged\tdiverged_low\tdiverged_high";
  for (const char* name : final_names()) text += fmt::format("\t{0}_n\t{0}\t{0}_low\t{0}_high", name);
  for (const char* name : rise_names())
    text += fmt::format(
        "\trise_{0}_n\trise_{0}_fraction_low\trise_{0}_fraction_high\trise_{0}\trise_{0}_low\trise_{0}_high\trise_{0}_"
        "median",
        name);
  text += "\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SweepSetting& setting = grid.settings[i];
    text += one_line(setting.name, 1000) + "\t" + (setting.variant.empty() ? "-" : setting.variant);
    for (const auto& [key, value] : setting.varied) text += "\t" + one_line(to_text(value), 1000);
    text += fmt::format("\t{}\t{}", all[i].runs, all[i].diverged) + limits(all[i].diverged_fraction);
    for (const FinalSummary& f : all[i].final)
      text += fmt::format("\t{}", f.value.n) + number(f.value.mean) + limits(f.value.limits);
    for (const RiseSummary& r : all[i].rise)
      text += fmt::format("\t{}", r.risen) + limits(r.fraction) + number(r.step.mean) + limits(r.step.limits) +
              number(r.median.value_or(NAN));
    text += "\n";
  }
  return text;
}

std::string sweep_list(const SweepGrid& grid) {
  std::string text;
  for (std::size_t i = 0; i < grid.settings.size(); ++i) {
    const SweepSetting& s = grid.settings[i];
    text +=
        fmt::format("{}: {} updates of {} sequences\n", one_line(s.name, 1000), s.config.train.steps, s.config.train.batch);
    for (const SweepRun& run : grid.runs)
      if (run.setting == i) text += "  " + run_folder({}, run).string() + "\n";
  }
  return text + fmt::format("{} settings x {} seeds = {} runs\n", grid.settings.size(), grid.seeds.size(), grid.runs.size());
}

}  // namespace popgrad
