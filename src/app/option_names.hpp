// Errors of the numerics name options by their field ("data.K"); the user knows configuration keys ("data.triggers_count").
#pragma once
#include <string>

#include "core/errors.hpp"

namespace popgrad {

// The configuration key for a field that TrainOptions::validate() names; unknown names stay as they are.
std::string config_key_of(const std::string& field);

// Runs body(); an InputError is thrown on under the configuration key.
template <class Body>
auto with_config_keys(Body body) {
  try {
    return body();
  } catch (const InputError& error) {
    const std::string text = error.what();
    const std::size_t end = text.find(": got ");
    if (end == std::string::npos) throw;
    throw Error(ExitCode::usage, config_key_of(text.substr(0, end)) + text.substr(end));
  }
}

}  // namespace popgrad
