// The main job: run claims, show their verdicts, write results, compare with a baseline.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/config.hpp"
#include "app/results.hpp"
#include "app/terminal.hpp"
#include "core/errors.hpp"
#include "theory/claims/claim.hpp"

namespace popgrad {

// Claims that are not in the registry, and what to show of them besides their rows.
struct ExtraClaims {
  std::vector<Claim> claims;
  std::function<std::string()> text;  // after the table; empty: nothing
  std::vector<std::pair<std::string, std::function<std::string()>>> files;  // name and content, into --out
};

struct VerifyRequest {
  Config config;
  std::vector<std::string> patterns;         // claim ids or patterns; empty: all claims, or with extra ones none
  ExtraClaims extra;
  std::optional<std::filesystem::path> out;  // results.json and figures go here; nothing is written otherwise
  std::optional<std::filesystem::path> baseline;
  bool figures = true;
  bool quiet = false;
  TableStyle style;
  std::function<void(const std::string&)> print;  // standard output
  std::function<std::string()> table;             // shown in place of the table of verdicts, once the claims have run; empty: that table
};

// Everything a user can get wrong is reported before the work starts, but for what a claim itself refuses; then nothing is
// left on the disk. Returns exit_code(rows, changed).
ExitCode verify(const VerifyRequest& request, const std::vector<Claim>& registry);

// What the configuration fixes for the claims.
ClaimContext context_of(const Config& config);

// Runs each claim, with its time in seconds. A progress bar on a terminal unless `quiet`.
std::vector<Row> run_claims(const std::vector<Claim>& claims, ClaimContext context, bool quiet);

}  // namespace popgrad
