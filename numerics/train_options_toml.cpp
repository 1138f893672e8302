#include "numerics/train_options_toml.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "numerics/option_fields.hpp"

namespace popgrad {
namespace {

std::string toml(bool x) { return x ? "true" : "false"; }
std::string toml(int x) { return std::to_string(x); }
std::string toml(std::int64_t x) { return std::to_string(x); }
std::string toml(std::uint64_t x) { return std::to_string(x); }
// The shortest text that reads back to the same double; TOML takes a number without point and exponent for an integer.
std::string toml(double x) {
  const std::string text = fmt::format("{}", x);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}
std::string toml(const RateFrom& later) { return "[" + toml(later.step) + ", " + toml(later.rate) + "]"; }
template <class Value>
std::string toml(const std::vector<Value>& list) {
  std::string text;
  for (const Value& value : list) text += (text.empty() ? "" : ", ") + toml(value);
  return "[" + text + "]";
}

std::string in_quotes(const std::string& text) { return fmt::format("\"{}\"", text); }

struct Writer {
  ResolvedKeys keys;

  template <class Value>
  void value(const char* key, const Value& field) {
    keys.emplace_back(key, toml(field));
  }
  template <class Word, class Parse>
  void word(const char* key, Word field, Parse) {
    keys.emplace_back(key, in_quotes(name(field)));
  }
  void init(Table table, const InitSpec& spec, int d) {
    const std::string prefix = std::string("init.") + name(table);
    keys.emplace_back(prefix + ".kind", in_quotes(name(spec.kind)));
    if (spec.kind != Init::zero) keys.emplace_back(prefix + ".scale", toml(effective_scale(table, spec, d)));
  }
  void corpus() { keys.emplace_back("data.corpus", in_quotes(run_corpus_name)); }
};

}  // namespace

ResolvedKeys resolved_keys(const TrainOptions& options) {
  Writer writer;
  visit_fields(options, writer);
  return writer.keys;
}

bool only_records(const std::string& key) {
  for (const char* one : {"train.steps", "train.eval_every", "train.eval_sequences", "train.checkpoint_every", "train.snapshot_every"})
    if (key == one) return true;
  return false;
}

std::string to_toml(const TrainOptions& options, const std::string& program) {
  std::string writer = program;
  for (char& c : writer)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) c = '?';
  std::string text = fmt::format(
      "# A training run: popgrad train --config THIS --out NEW repeats it with the same bits.\nformat = {}\nprogram = {}\n",
      in_quotes(run_format), in_quotes(writer));
  std::string table;
  for (const auto& [key, value] : resolved_keys(options)) {
    const std::size_t dot = key.find('.');
    if (key.substr(0, dot) != table) text += "\n[" + (table = key.substr(0, dot)) + "]\n";
    text += key.substr(dot + 1) + " = " + value + "\n";
  }
  return text;
}

}  // namespace popgrad
