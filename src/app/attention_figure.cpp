#include "app/attention_figure.hpp"

#include "core/byte_text.hpp"
#include "numerics/attention_window.hpp"
#include "numerics/run_folder.hpp"

namespace popgrad {
namespace {

constexpr int window = 24;  // as many letters as an axis of a printed panel has room for

std::vector<std::vector<double>> rows_of(const Matrix& m) {
  std::vector<std::vector<double>> rows;
  for (Eigen::Index t = 0; t < m.rows(); ++t) rows.emplace_back(m.row(t).data(), m.row(t).data() + m.cols());
  return rows;
}

}  // namespace

std::string shown_byte(unsigned char byte) {
  if (byte == ' ') return "␣";
  if (byte == '\n') return "↵";
  return byte == '\'' || byte == '"' || byte == '#' || byte == '\\' ? std::string(1, static_cast<char>(byte))
                                                                    : escape_byte(byte);
}

AttentionMaps attention_maps_of(const std::filesystem::path& folder) {
  const RunFolder run = RunFolder::open(folder);
  const TrainOptions& options = run.options();
  const Sequence sequence = shown_sequence(SequenceSource(options, run.corpus()), window);
  AttentionMaps maps;
  maps.tokens = sequence.example.tokens;
  for (const int z : maps.tokens) {
    const bool bigram = options.task == TaskKind::bigram;
    maps.names.push_back(bigram ? shown_byte(run.corpus().bytes[static_cast<std::size_t>(z)]) : std::to_string(z + 1));
    maps.triggers.push_back(std::ranges::find(sequence.triggers, z) != sequence.triggers.end());
  }
  for (const CopyPlace& place : copy_places(maps.tokens, sequence.heads)) maps.copies.emplace_back(place.query, place.key);
  const TrainState latest = run.latest();
  maps.last_step = latest.step;
  for (const int after : {0, 1}) {
    const Attention attention = attention_of(after == 1 ? run.model(latest) : run.initial_model(), maps.tokens);
    maps.weights[0][after] = rows_of(attention.layer1);
    maps.weights[1][after] = rows_of(attention.layer2);
  }
  return maps;
}

}  // namespace popgrad
