#include "core/minimal_task.hpp"

#include <algorithm>
#include <numeric>

#include "core/errors.hpp"

namespace popgrad {

const char* name(Background background) { return background == Background::any ? "any" : "avoid"; }
const char* name(Query query) { return query == Query::last ? "last" : "any"; }

Background parse_background(const std::string& text) {
  if (text == "any") return Background::any;
  if (text == "avoid") return Background::avoid;
  throw InputError("background", "'" + text + "'", "any or avoid");
}

Query parse_query(const std::string& text) {
  if (text == "last") return Query::last;
  if (text == "any") return Query::any;
  throw InputError("query", "'" + text + "'", "last or any");
}

void MinimalTask::validate() const {
  if (N < 2) throw InputError("N", std::to_string(N), "at least 2 tokens");
  if (T < 4) throw InputError("T", std::to_string(T), "at least 4 positions (trigger, output, one other, second trigger)");
  if (output_weights.empty()) return;
  if (output_weights.size() != static_cast<std::size_t>(N))
    throw InputError("output_weights", std::to_string(output_weights.size()) + " weights", "N = " + std::to_string(N));
  if (std::ranges::any_of(output_weights, [](int w) { return w < 0; }) ||
      std::accumulate(output_weights.begin(), output_weights.end(), 0L) == 0)
    throw InputError("output_weights", "a negative weight or only zeros", "non-negative weights, not all zero");
}

std::string MinimalTask::describe() const {
  return "N=" + std::to_string(N) + " T=" + std::to_string(T) + " " + name(background) + " query=" + name(query) +
         (output_weights.empty() ? "" : " labels=weighted");
}

}  // namespace popgrad
