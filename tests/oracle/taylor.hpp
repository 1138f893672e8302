// The Taylor-remainder test of a gradient: no step size to choose, three outcomes.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace popgrad::oracle {

enum class TaylorVerdict { pass, fail, undecided };

struct TaylorPoint {
  double h = 0;
  double remainder = 0;  // |f(theta + h v) - f(theta) - h <g, v>|
  double roundoff = 0;   // bound on the error of `remainder`
  bool usable = false;   // remainder >= 16 roundoff
};

struct TaylorResult {
  TaylorVerdict verdict = TaylorVerdict::undecided;
  double slope = 0;      // of log remainder against log h, on the smaller steps in use
  double coarse = 0;     // the same on the larger ones
  double tolerance = 0;  // |coarse - slope| plus what roundoff can do to either
  std::vector<TaylorPoint> points;
  std::string reason;
};

// f(h) = f(theta + h v), each value within value_error(h, f(h)) of the exact one; directional = <g, v>, within
// directional_error. Steps h = 2^-first .. 2^-last.
//
// A right gradient leaves r(h) = c h^2 (1 + O(h)), a wrong one e h + c h^2. The usable steps (at most the eight smallest)
// are split in two, and a line is fitted to each half; the halves are at least two binary steps apart. The O(h) term moves
// the slope by b h: the fine half is then off by less than |coarse - fine|. A linear term moves the slope by -e/(c h), and
// the fine half is off by MORE than |coarse - fine|. Hence, with tolerance = |coarse - fine| + roundoff:
//   fail       slope < 2 - tolerance
//   undecided  fewer than four usable steps; or the slope passes but tolerance > 1/4, so that it is not settled; or it
//   passes
//              but an error of 3 % of <g, v> would change the smallest remainder by less than the fraction `tolerance`
//   pass       otherwise (a slope above 2 means that c = 0: the gradient is right)
TaylorResult taylor_test(const std::function<double(double)>& f, double directional, double directional_error,
                         const std::function<double(double h, double value)>& value_error, int first = 2, int last = 12);

}  // namespace popgrad::oracle
