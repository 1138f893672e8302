#include "theory/claims/failure_region.hpp"

#include "check/exact_entry.hpp"

namespace popgrad {

Row judge_region(const std::string& claim, const std::string& part, const RegionGrid& grid, const Region& measured, const Region& stated,
                 const std::vector<WrongRegion>& wrong) {
  std::vector<std::pair<std::pair<int, int>, bool>> found;
  for (int N = 2; N <= grid.largest_N; ++N)
    for (int T = 4; T <= grid.largest_T; ++T) found.push_back({{N, T}, measured(N, T)});
  const auto against = [&](const Region& predicted) {
    std::vector<Entry> list;
    for (const auto& [at, fails] : found)
      list.push_back(exact_entry("N=" + std::to_string(at.first) + " T=" + std::to_string(at.second) + " fails",
                                 Rational(predicted(at.first, at.second) ? 1 : 0), Rational(fails ? 1 : 0), true));
    return list;
  };
  std::vector<Control> controls;
  for (const WrongRegion& region : wrong) controls.push_back({region.name, region.changes, [&] { return against(region.fails); }});
  return judge(claim, part,
               "N=2.." + std::to_string(grid.largest_N) + " T=4.." + std::to_string(grid.largest_T) + " " + name(grid.background) +
                   " query=" + name(grid.query),
               Grade::exact, against(stated), 1, controls);
}

}  // namespace popgrad
