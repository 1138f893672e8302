#include <chrono>

#include "app/progress.hpp"
#include "app/verify.hpp"

namespace popgrad {

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
    std::vector<Row> found = claims[i].run(context);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    // A claim that does not time its rows has its time shared out, so that the column adds up to the time spent.
    double timed = 0;
    for (const Row& row : found) timed += row.seconds;
    for (Row& row : found) {
      if (timed == 0) row.seconds = seconds / static_cast<double>(found.size());
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

}  // namespace popgrad
