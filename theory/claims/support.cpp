#include "theory/claims/support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "numerics/orbits.hpp"
#include "theory/formulas/catalogue.hpp"

namespace popgrad {

Row timed(const std::function<Row()>& make) {
  const auto start = std::chrono::steady_clock::now();
  Row row = make();
  row.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return row;
}

std::vector<std::pair<int, int>> sizes(const ClaimContext& context, const std::vector<std::pair<int, int>>& defaults) {
  if (!context.N && !context.T) return defaults;
  return {{context.N.value_or(defaults.front().first), context.T.value_or(defaults.front().second)}};
}

std::vector<Background> backgrounds(const ClaimContext& context) {
  if (context.background) return {*context.background};
  return {Background::any, Background::avoid};
}

double sequence_count(const MinimalTask& task) {
  const double background = task.background == Background::any ? task.N : task.N - 1;
  double count = 0;
  for (int length = task.shortest(); length <= task.T; ++length)
    count += static_cast<double>(task.N) * task.N * (length - 2) * std::pow(background, length - 3);
  return count;
}

std::optional<Row> too_many_sequences(const std::string& claim, const std::string& part, const MinimalTask& task, double limit) {
  const double count = sequence_count(task);
  if (count <= limit) return std::nullopt;
  return undecided(claim, part, task.describe(),
                   fmt::format("{:.3g} sequences, more than the {:.3g} that are enumerated for this row", count, limit),
                   "choose a smaller N or T");
}

std::optional<Row> too_many_orbits(const std::string& claim, const std::string& part, const MinimalTask& task) {
  constexpr int longest = 9;  // 2e4 partitions of positions, about 1 ms each
  if (task.T <= longest) return std::nullopt;
  return undecided(claim, part, task.describe(),
                   fmt::format("{:.3g} orbits of sequences, more than are summed for this row", bell_number(std::min(task.T, 30))),
                   fmt::format("choose T up to {}", longest));
}

std::vector<ClosedForm> closed_forms(const std::string& claim) {
  std::vector<ClosedForm> forms;
  for (const CatalogueEntry& entry : catalogue(claim)) forms.push_back({entry.name, entry.text, entry.latex, entry.mathml});
  return forms;
}

std::string coordinate_name(const Coordinates& at, int coordinate) {
  for (const Block block : all_blocks)
    if (coordinate < at.first(block) + at.count(block) && coordinate >= at.first(block))
      return name(block) + std::to_string(coordinate - at.first(block) + 1);
  return "?";
}

void claim_zero(std::vector<Entry>& entries, const std::string& map, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    entries.push_back(entry(map + " #" + std::to_string(i), 0, values[i], Budget{}));
}

}  // namespace popgrad
