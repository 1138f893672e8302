#include "check/compare.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/errors.hpp"

namespace popgrad {

double default_effect(const std::vector<Entry>& entries) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Entry& e : entries)
    if (e.signal && e.predicted != 0) smallest = std::min(smallest, std::abs(e.predicted));
  return std::isinf(smallest) ? 0 : 0.1 * smallest;
}

std::function<bool(const std::string&)> named_with(std::vector<std::string> parts) {
  return [parts = std::move(parts)](const std::string& name) {
    return std::ranges::any_of(parts, [&](const std::string& part) { return name.find(part) != std::string::npos; });
  };
}

Comparison compare(const std::vector<Entry>& entries, double effect) {
  require(!entries.empty(), "compare", "entries", "at least one", "none");
  Comparison result;
  result.entries = entries.size();
  result.effect = effect;
  result.worst = entries.front();
  result.headline = entries.front();
  for (const Entry& e : entries) {
    if (e.ratio() > 1) ++result.outside;
    if (e.ratio() > result.worst.ratio()) result.worst = e;
    const double wider = e.budget.total() - result.headline.budget.total();
    if (wider > 0 || (wider == 0 && std::abs(e.predicted) > std::abs(result.headline.predicted))) result.headline = e;
    result.widest = std::max(result.widest, e.budget.total());
  }
  if (result.outside > 0)
    result.verdict = Verdict::refuted;
  else
    result.verdict = result.widest > effect ? Verdict::undecided : Verdict::verified;
  return result;
}

}  // namespace popgrad
