// The minimal task of docs/theory.md: its parameters, not its samples.
#pragma once
#include <string>
#include <vector>

namespace popgrad {

enum class Background { any, avoid };  // background tokens uniform on [N], or on [N] without the trigger
enum class Query { last, any };        // the second trigger is at T, or at T' ~ U{4..T} (the sequence then ends there)

const char* name(Background background);
const char* name(Query query);
Background parse_background(const std::string& text);  // throws InputError
Query parse_query(const std::string& text);            // throws InputError

// trigger q ~ U[N]; output o ~ output_weights (uniform if empty; o = q allowed); tau ~ U{1..T'-2}; z_tau = q,
// z_{tau+1} = o, z_{T'} = q; all other tokens i.i.d. background. Label y = o.
struct MinimalTask {
  int N = 4;
  int T = 6;
  Background background = Background::avoid;
  Query query = Query::last;
  std::vector<int> output_weights;  // empty, or N non-negative integers, not all zero: P(o = k) proportional to them

  void validate() const;           // InputError naming N, T or output_weights unless N >= 2 and T >= 4 and the weights fit
  std::string describe() const;    // "N=4 T=6 avoid last"
  int shortest() const { return query == Query::last ? T : 4; }  // smallest possible sequence length
};

}  // namespace popgrad
