#include "app/metrics_table.hpp"

#include <fmt/core.h>

#include <cmath>

namespace popgrad {
namespace {

std::string line(const char* what, const Probe& probe) {
  if (probe.empty()) return fmt::format("  {:<37} {:>8}  {:>8}  {:>9}  {:>5}  {:>6}\n", what, "-", "-", "-", "-", 0);
  return fmt::format("  {:<37} {:>8.4f}  {:>8.4f}  {:>9.3g}  {:>5}  {:>6}\n", what, probe.value, probe.chance, probe.margin,
                     probe.ties, probe.rows);
}

// All probes, each on its line.
std::string probe_lines(const Metrics& m) {
  std::string text = fmt::format("  {:<37} {:>8}  {:>8}  {:>9}  {:>5}  {:>6}\n", "probe", "value", "chance", "margin", "ties", "rows");
  text += line("in-context accuracy", m.accuracy);
  text += line("R(W_O2)", m.wo2);
  text += line("R(W_K2)", m.wk2);
  // With at most 64 positions the two are the same.
  const bool longer = m.wk1.rows > m.wk1_64.rows;
  if (longer) text += line("R(W_K1), positions 1..64", m.wk1_64);
  text += line("R(W_K1), all positions", m.wk1);
  if (longer) text += line("R(W_K1), 1..64, without mask", m.wk1_64_unmasked);
  text += line("R(W_K1), all, without mask", m.wk1_unmasked);
  if (m.kl) text += line("KL to the bigram law, nats", *m.kl);
  return text;
}

std::string loss_text(double loss) { return std::isfinite(loss) ? fmt::format("{:.5g} nats", loss) : "not finite"; }

}  // namespace

std::string metrics_table(const Metrics& m) {
  std::string text = fmt::format("after step {}: ", m.step);
  text += m.loss_positions > 0 ? fmt::format("held-out loss {} over {} loss positions\n", loss_text(m.loss), m.loss_positions)
                               : "no loss position among the held-out sequences\n";
  text += probe_lines(m);
  text += fmt::format(
      "{} sequences trained on, {} loss positions, {} absorbing trigger cycles, {} batches without a loss position\n",
      m.stream.sequences, m.stream.loss_positions, m.stream.cycles, m.stream.empty_batches);
  return text;
}

std::string population_table(const Metrics& m) {
  return fmt::format("after step {}: population loss {}, sequences of {} kinds up to relabelling of tokens\n", m.step, loss_text(m.loss),
                     m.accuracy.rows) +
         probe_lines(m);
}

std::string excess_loss(const Metrics& m, std::optional<std::int64_t> since, int N) {
  const double uniform = std::log(N);
  if (m.loss_positions == 0 || m.loss <= uniform) return "";
  const std::string loss = loss_text(m.loss);
  if (since)
    return fmt::format("diverged: the held-out loss is {}, and from step {} on above 10 log N = {:.4g} nats, ten times what "
                       "the uniform prediction over N = {} tokens costs; a smaller train.rate may help",
                       loss, *since, 10 * uniform, N);
  return fmt::format("worse than uniform: the held-out loss is {}, the uniform prediction over N = {} tokens costs log N = "
                     "{:.4g} nats",
                     loss, N, uniform);
}

const char* probes_legend() {
  return "Of each probe (R: recall of a memory): value, the fraction of rows, the tokens or positions asked, whose best answer is\n"
         "right; chance, the value if all answers scored alike; margin, the mean score of the right answer minus the best other;\n"
         "ties, rows in which the right answer shares the top. \"without mask\": later positions are answers too.";
}

std::string metrics_line_for_bar(const Metrics& m) {
  return fmt::format("accuracy {:.2f} W_O2 {:.2f} W_K2 {:.2f} W_K1 {:.2f}", m.accuracy.value, m.wo2.value, m.wk2.value,
                     m.wk1.value);
}

}  // namespace popgrad
