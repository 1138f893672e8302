#include "check/power_law_series.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/errors.hpp"

namespace popgrad {

Series power_law_series(const std::string& figure, const std::string& axis, const std::vector<PowerCurve>& curves) {
  Series series{figure, {axis}, {}};
  std::set<double> sizes;
  for (const PowerCurve& curve : curves) {
    require(curve.x.size() == curve.y.size() && curve.x.size() == curve.error.size() && !curve.x.empty(), "power_law_series", "curves",
            "as many values and errors as sizes, at least one", curve.title);
    for (const char* what : {"", " error", " fit", " low", " high"}) series.columns.push_back(curve.title + what);
    sizes.insert(curve.x.begin(), curve.x.end());
  }
  require(!sizes.empty(), "power_law_series", "curves", "at least one", "none");
  const double largest = *sizes.rbegin();
  constexpr int more = 8;
  for (int i = 1; i <= more; ++i) sizes.insert(largest * std::exp2(static_cast<double>(i) / more));
  for (const double x : sizes) {
    std::vector<double> row = {x};
    for (const PowerCurve& curve : curves) {
      const auto at = std::find(curve.x.begin(), curve.x.end(), x);
      const auto i = static_cast<std::size_t>(at - curve.x.begin());
      const bool measured = at != curve.x.end();
      row.push_back(measured ? curve.y[i] : NAN);
      row.push_back(measured ? curve.error[i] : NAN);
      double fit = NAN, low = NAN, high = NAN;
      if (curve.law && x >= curve.x.front()) {
        fit = low = high = curve.law->at(x);
        for (std::size_t model = 1; model < curve.law->models.size(); ++model) {
          low = std::min(low, curve.law->at(x, model));
          high = std::max(high, curve.law->at(x, model));
        }
      }
      row.insert(row.end(), {fit, low, high});
    }
    series.rows.push_back(row);
  }
  return series;
}

}  // namespace popgrad
