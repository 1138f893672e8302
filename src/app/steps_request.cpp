#include "app/steps_request.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "app/config_parse.hpp"
#include "app/gradient_cost.hpp"
#include "core/errors.hpp"

namespace popgrad {
namespace {

std::vector<std::string> pieces(const std::string& text, char separator) {
  std::vector<std::string> list(1);
  for (const char c : text)
    if (c == separator)
      list.emplace_back();
    else
      list.back() += c;
  return list;
}

}  // namespace

std::vector<double> parse_sizes(const std::string& option, const std::string& text, std::size_t most) {
  // Far above any step that trains anything, far below where products of sizes overflow.
  constexpr Range size{-1e9, 1e9};
  const std::vector<std::string> range = pieces(text, ':');
  if (range.size() == 1) {
    std::vector<double> values;
    for (const std::string& piece : pieces(text, ',')) values.push_back(parse_number(typed(option, piece), size));
    if (values.size() > most) throw InputError(option, std::to_string(values.size()) + " sizes", fmt::format("at most {}", most));
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      throw InputError(option, "'" + text + "'", "every size once");
    return values;
  }
  if (range.size() != 3) throw InputError(option, "'" + text + "'", "FROM:TO:COUNT in equal ratios, or sizes with commas between");
  const double from = parse_number(typed(option, range[0]), {0, 1e9, false, true});
  const double to = parse_number(typed(option, range[1]), {0, 1e9, false, true});
  const auto count = parse_integer(typed(option, range[2]), 2, static_cast<std::int64_t>(most));
  if (!(from < to)) throw InputError(option, "'" + text + "'", "FROM below TO");
  return geometric(from, to, static_cast<int>(count));
}

double steps_seconds(const StepsRequest& request) {
  const double T = request.task.T, pairs = static_cast<double>(request.axes.first.size() * request.axes.second.size());
  const double cells = pairs * static_cast<double>(1 + request.axes.third.size());
  const double sequence = 1e-6 + 1e-8 * T * T;
  if (T <= request.construction.longest_sum) return (pairs + cells) * (count_orbits(request.task) * sequence + 1e-3);
  // A gradient with its control variate and pilots costs about three forward passes.
  const bool sampled = request.handoff == Handoff::actual;
  return sequence * (cells * static_cast<double>(request.construction.samples) +
                     (sampled ? 3 * pairs * static_cast<double>(request.construction.gradient_samples) : 0));
}

void read_words(const StepsWords& words, StepsRequest& request) {
  if (!words.handoff.empty()) request.handoff = parse_handoff(parse_word(typed("--handoff", words.handoff), {"ideal", "actual"}));
  if (!words.blocks.empty()) request.blocks = parse_blocks(parse_word(typed("--blocks", words.blocks), {"isolated", "full"}));
  request.axes.first = parse_sizes("--eta1", words.eta1, 12);
  request.axes.second = parse_sizes("--eta2", words.eta2, 40);
  request.axes.third = parse_sizes("--eta3", words.eta3, 40);
  const auto count = [](const char* option, const std::string& value, std::int64_t& into) {
    if (!value.empty()) into = parse_integer(typed(option, value), 100, 1'000'000'000);
  };
  count("--samples", words.samples, request.construction.samples);
  count("--gradient-samples", words.gradient_samples, request.construction.gradient_samples);
  if (!words.threshold.empty()) request.threshold = parse_number(typed("--threshold", words.threshold), {0, 1});
  if (const double seconds = steps_seconds(request); seconds > longest_steps)
    throw InputError("-N, -T, --samples, --eta1, --eta2, --eta3", "a map that takes about " + readable_time(seconds), "less than a day of work");
}

std::string describe(const StepsRequest& request) {
  const std::string from = request.handoff == Handoff::ideal ? "ideal hand-off" : std::string("actual hand-off, ") + name(request.blocks) + " blocks";
  return from + ", " + request.task.describe();
}

}  // namespace popgrad
