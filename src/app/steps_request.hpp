// A map of step sizes as the user asked for it.
#pragma once
#include <optional>
#include <string>

#include "core/minimal_task.hpp"
#include "core/stages.hpp"
#include "numerics/step_map.hpp"

namespace popgrad {

struct StepsRequest {
  MinimalTask task{16, 24, Background::avoid, Query::last, {}};
  Handoff handoff = Handoff::actual;
  Blocks blocks = Blocks::isolated;
  ConstructionOptions construction;
  bool absolute = false;            // the sizes are step sizes, not multiples of their units
  std::optional<double> threshold;  // of success; empty: halfway from chance to the perfect head
  StepAxes axes;                    // unit is filled in when the map is made
};

// What the command line says, as text; empty where it says nothing.
struct StepsWords {
  std::string handoff, blocks, eta1, eta2, eta3, samples, gradient_samples, threshold;
};

// Reads the words into `request`, whose task and seed are set already. InputError, naming the option, for anything that is no value
// of it and for a map that would take more than longest_steps.
void read_words(const StepsWords& words, StepsRequest& request);

// Sizes as "FROM:TO:COUNT", equal ratios, or as a list "0.3,1,3"; at most `most` of them (the figure has no room for more).
std::vector<double> parse_sizes(const std::string& option, const std::string& text, std::size_t most);

// About the time on two cores, in seconds.
double steps_seconds(const StepsRequest& request);
inline constexpr double longest_steps = 24 * 3600;

// "actual hand-off, isolated blocks, N=16 T=24 avoid query=last"
std::string describe(const StepsRequest& request);

}  // namespace popgrad
