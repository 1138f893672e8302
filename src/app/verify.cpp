#include "app/verify.hpp"

#include <algorithm>

#include "app/baseline.hpp"
#include "app/draw_figures.hpp"
#include "app/exit_code.hpp"
#include "app/load_corpus.hpp"
#include "app/output_folder.hpp"
#include "app/results_json.hpp"
#include "app/table.hpp"
#include "core/atomic_file.hpp"
#include "core/revision.hpp"
#include "theory/claims/emp_plan.hpp"
#include "theory/claims/select.hpp"

namespace popgrad {
namespace {

std::vector<std::string> ids(const std::vector<Claim>& claims) {
  std::vector<std::string> names;
  for (const Claim& claim : claims) names.push_back(claim.id);
  return names;
}

// A baseline of other claims only would be noticed after the work, when it is too late.
void require_shared_claim(const Results& baseline, const std::vector<std::string>& claims, const std::string& file) {
  const bool shared = std::any_of(baseline.rows.begin(), baseline.rows.end(), [&](const Row& row) {
    return std::find(claims.begin(), claims.end(), row.claim) != claims.end();
  });
  if (!shared)
    throw InputError("--baseline", "'" + file + "' (no claim in common with this run)",
                     "the results.json of a run of the same claims");
}

std::vector<Claim> chosen_claims(const VerifyRequest& request, const std::vector<Claim>& registry) {
  std::vector<Claim> chosen;
  if (!request.patterns.empty() || request.extra.claims.empty()) chosen = select_from(registry, request.patterns);
  if (request.patterns.empty() && !request.config.full) std::erase_if(chosen, [](const Claim& claim) { return claim.on_request; });
  chosen.insert(chosen.end(), request.extra.claims.begin(), request.extra.claims.end());
  return chosen;
}

Results results_of(const Config& config, const ClaimContext& context, std::vector<Row> rows) {
  Results results;
  results.version = version();
  results.revision = git_revision();
  results.seed = config.seed;
  results.level = config.level;
  results.corpus = context.corpus.source;
  for (const Key& key : config_keys())
    if (key.in_results && key.read_by("verify")) results.configuration.emplace_back(key.name, key.get(config, false));
  results.rows = std::move(rows);
  return results;
}

}  // namespace

std::string unread_options(const std::vector<Claim>& claims, const ClaimContext& context) {
  const std::vector<std::pair<std::string, bool>> fixed = {{"N", context.N.has_value()},
                                                           {"T", context.T.has_value()},
                                                           {"d", context.d.has_value()},
                                                           {"background", context.background.has_value()},
                                                           {"query", context.query.has_value()}};
  std::string text;
  for (const auto& [option, given] : fixed) {
    if (!given) continue;
    std::string names;
    for (const Claim& claim : claims)
      if (!claim.reads.contains(option)) names += (names.empty() ? "" : ", ") + claim.id;
    if (!names.empty()) text += "note: " + option + " does not change " + names + "\n";
  }
  return text;
}

ClaimContext context_of(const Config& config) {
  ClaimContext context;
  context.seed = config.seed;
  context.level = config.level;
  context.corpus = load_corpus("data.corpus", config.corpus);
  context.N = config.N;
  context.T = config.T;
  context.d = config.d;
  context.background = config.background;
  context.query = config.query;
  context.work = config.work;
  context.full = config.full;
  return context;
}

ExitCode verify(const VerifyRequest& request, const std::vector<Claim>& registry) {
  const std::vector<Claim> chosen = chosen_claims(request, registry);
  ClaimContext context = context_of(request.config);
  std::optional<Results> baseline;
  if (request.baseline) {
    baseline = read_results("--baseline", *request.baseline);
    require_shared_claim(*baseline, ids(chosen), request.baseline->string());
  }
  std::optional<OutputFolder> out;
  if (request.out) out.emplace("--out", *request.out);

  if (!request.quiet) request.print(emp_plan(chosen, context));
  const Results results = results_of(request.config, context, run_claims(chosen, context, request.quiet));
  std::optional<BaselineReport> changes;
  if (baseline) changes = compare_with_baseline(*baseline, results, ids(chosen), request.baseline->string());

  const bool own_table = request.table && !request.quiet;
  if (own_table) request.print(request.table());
  request.print(verdict_text(results, request.quiet || own_table, request.style));
  if (!request.quiet && request.extra.text) request.print(request.extra.text());
  if (!request.quiet) request.print(unread_options(chosen, context));
  if (changes) request.print(describe(*changes, request.baseline->string()));
  if (out) {
    const std::filesystem::path file = out->path() / "results.json";
    write_results(file, results);
    out->keep();
    request.print("wrote " + file.string() + "\n");
    for (const auto& [name, content] : request.extra.files) {
      write_file_atomically(out->path() / name, content());
      request.print("wrote " + (out->path() / name).string() + "\n");
    }
    if (request.figures) request.print(draw_figures(file, out->path()));
  } else if (!request.quiet) {
    request.print(std::string("(--out DIR writes results.json") + (request.figures ? " and the figures" : "") + ")\n");
  }
  return exit_code(results.rows, changes && changes->changed());
}

}  // namespace popgrad
