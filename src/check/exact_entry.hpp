// Entries compared as rationals: budget zero, difference formed before rounding.
#pragma once
#include <string>

#include "check/entry.hpp"
#include "core/rational.hpp"

namespace popgrad {

inline Entry exact_entry(std::string name, const Rational& predicted, const Rational& measured, bool signal = false) {
  return {std::move(name),  to_double(predicted), to_double(measured), to_double(Rational(measured - predicted)),
          Budget{},         signal,               to_string(measured)};
}

}  // namespace popgrad
