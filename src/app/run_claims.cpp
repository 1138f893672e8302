#include <chrono>
#include <new>
#include <stdexcept>

#include "app/progress.hpp"
#include "app/verify.hpp"
#include "core/errors.hpp"

namespace popgrad {

namespace {

// A size that one claim cannot take must not cost the user the rows of all others. What the user typed wrong (InputError) still
// ends the run.
std::vector<Row> run_or_explain(const Claim& claim, const ClaimContext& context) {
  std::string reason;
  try {
    return claim.run(context);
  } catch (const HypothesisError& error) {
    reason = error.what();
  } catch (const std::length_error&) {
    reason = "too large for memory";
  } catch (const std::bad_alloc&) {
    reason = "too large for memory";
  }
  return {undecided(claim.id, "", "as asked", "cannot be computed at these sizes: " + reason, "choose other values of N, T or d")};
}

}  // namespace

std::vector<Row> run_claims(const std::vector<Claim>& claims, ClaimContext context, bool quiet) {
  ProgressBar bar("claim", static_cast<std::int64_t>(claims.size()), quiet);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const auto show = [&](const std::string& message) {
      bar.show(static_cast<std::int64_t>(i + 1), claims[i].id + (message.empty() ? "" : ": " + message));
    };
    context.progress = show;
    show("");
    const auto start = std::chrono::steady_clock::now();
    std::vector<Row> found = run_or_explain(claims[i], context);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    // A claim that does not time its rows has its time shared out, so that the column adds up to the time spent.
    double timed = 0;
    for (const Row& row : found) timed += row.seconds;
    for (Row& row : found) {
      if (timed == 0) row.seconds = seconds / static_cast<double>(found.size());
      advise_work(row, context.work);
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace popgrad
