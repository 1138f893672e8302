// TrainOptions as JSON: the config.json of a run folder.
#pragma once
#include <string>

#include "numerics/train_options.hpp"

namespace popgrad {

// Resolved options: sections data, model, train under the keys that validate() names; the part of the task that is not in
// use is left out. Initializations are {"kind": "gaussian", "scale": number or null for the default of the kind}.
std::string to_json(const TrainOptions& options, const std::string& program);

// The inverse. Throws InputError(argument, ...) if it is not such a text, naming the first key that is missing or of another
// type; validate() judges the values.
TrainOptions parse_train_options(const std::string& argument, const std::string& text);

}  // namespace popgrad
