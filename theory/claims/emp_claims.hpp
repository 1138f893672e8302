// The empirical claims: rows from curves, so that a test can put curves of its own in, and the claims around them.
#pragma once
#include <string>
#include <vector>

#include "theory/claims/emp_parts.hpp"

namespace popgrad {

std::vector<Row> emp_order(const EmpSizes& sizes, const EmpRuns& runs);
std::vector<Row> emp_gate(const EmpSizes& sizes, const EmpRuns& runs);
std::vector<Row> emp_bigram(const EmpSizes& sizes, const EmpRuns& runs);
std::vector<Row> emp_k(const EmpSizes& sizes, const EmpRuns& runs);
std::vector<Row> emp_rare(const EmpSizes& sizes, const EmpRuns& runs);
std::vector<Row> emp_random(const EmpSizes& sizes, const EmpRuns& runs);
std::vector<Row> emp_outputs(const EmpSizes& sizes, const EmpRuns& runs);

// The row that accuracy rises with `early` before it does with `late`.
struct EmpNamed {
  EmpSetting setting;
  std::string words;  // "random triggers"
};
Row emp_later(const std::string& claim, const EmpSizes& sizes, const EmpRuns& runs, const EmpNamed& early, const EmpNamed& late);

// A claim that makes the runs of its settings and judges them; run on request only. Hypotheses that all share are added.
Claim emp_claim(std::string id, std::string statement, std::vector<std::string> hypotheses,
                std::vector<Row> (*rows)(const EmpSizes&, const EmpRuns&));

}  // namespace popgrad
