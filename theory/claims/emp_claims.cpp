#include "theory/claims/emp_claims.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "theory/claims/emp_plan.hpp"

namespace popgrad {
namespace {

// The settings that each claim compares.
const std::map<std::string, std::vector<EmpSetting>> settings_of = {
    {"EMP.order", {EmpSetting::head}},
    {"EMP.gate", {EmpSetting::head, EmpSetting::frozen}},
    {"EMP.bigram", {EmpSetting::full}},
    {"EMP.K", {EmpSetting::full, EmpSetting::few}},
    {"EMP.rare", {EmpSetting::full, EmpSetting::rare}},
    {"EMP.random", {EmpSetting::full, EmpSetting::random}},
    {"EMP.outputs", {EmpSetting::full, EmpSetting::bigram}},
};

}  // namespace

Claim emp_claim(std::string id, std::string statement, std::vector<std::string> hypotheses,
                std::vector<Row> (*rows)(const EmpSizes&, const EmpRuns&)) {
  const std::vector<EmpSetting> settings = settings_of.at(id);
  hypotheses.insert(hypotheses.end(), {"published initialization, SGD 0.2, momentum 0.9, weight decay 1e-4, kappa = 1/sqrt(d)",
                                       "T = 32, d = 128, batch 64, or with --full T = 256, d = 128, batch 512",
                                       "\"rises\": first of three consecutive evaluations above (1 + chance)/2"});
  Claim claim{std::move(id), std::move(statement), std::move(hypotheses), "paper, section 4 and Figures 3 and 4; docs/theory.md, section 9", {},
              [settings, rows](const ClaimContext& context) {
                const EmpSizes sizes(context);
                return rows(sizes, emp_runs(context, sizes, settings));
              },
              {"T", "d"}};
  claim.on_request = true;
  return claim;
}

std::string emp_plan(const std::vector<Claim>& chosen, const ClaimContext& context) {
  std::set<EmpSetting> settings;
  for (const Claim& claim : chosen)
    if (const auto found = settings_of.find(claim.id); found != settings_of.end()) settings.insert(found->second.begin(), found->second.end());
  if (settings.empty()) return "";
  const EmpSizes sizes(context);
  EmpCost all;
  for (const EmpSetting setting : settings) {
    const EmpCost cost = emp_cost(sizes, setting, context);
    all.sequences += cost.sequences;
    all.seconds += cost.seconds;
  }
  const double at = emp_level / 2;
  return fmt::format(
      "EMP: {} runs of {} setting{}, {}; {:.3g} sequences, about {} here by the time of a few updates.\n"
      "EMP: level {:g} a row (not run.level). Two sign tests a row need {} seeds, two rank-sum tests {} on each side; {} seeds: with power 0.8 they find\n"
      "     an order of probability {:.3f} and {:.3f}.\n",
      settings.size() * static_cast<std::size_t>(sizes.seeds), settings.size(), settings.size() == 1 ? "" : "s", sizes.describe(), all.sequences,
      all.seconds < 120 ? fmt::format("{:.0f} s", all.seconds) : fmt::format("{:.0f} min", all.seconds / 60), emp_level, fewest_pairs(at),
      fewest_on_each_side(at), sizes.seeds, sign_test_power(sizes.seeds, at).detectable, rank_sum_power(sizes.seeds, sizes.seeds, at).detectable);
}

}  // namespace popgrad
