// The numbers behind a log-log figure of measured sizes and fitted powers.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "check/power_law.hpp"
#include "check/row.hpp"

namespace popgrad {

struct PowerCurve {
  std::string title;
  std::vector<double> x, y, error;
  std::optional<PowerLaw> law;
};

// Columns: `axis`; and for each curve its title, "<title> error", "<title> fit", "<title> low", "<title> high". One row for each size of any
// curve, NaN where a curve has none, then rows without a measurement up to twice the largest size. fit: log y = a + p log x + b/x; low and
// high: the extreme ones of the four fits of PowerLaw, so that they show the choice of model and not the errors of the data.
Series power_law_series(const std::string& figure, const std::string& axis, const std::vector<PowerCurve>& curves);

}  // namespace popgrad
