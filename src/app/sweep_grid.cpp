#include "app/sweep_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "app/config_parse.hpp"
#include "app/load_corpus.hpp"
#include "app/option_names.hpp"
#include "app/sweep_checks.hpp"
#include "core/errors.hpp"
#include "core/sha1.hpp"

namespace popgrad {
namespace {

// One way through the lists: an index into each varied key's values.
using Choice = std::vector<std::size_t>;

std::vector<Choice> choices(const std::vector<const SweepKey*>& varied) {
  std::vector<Choice> all = {{}};
  for (const SweepKey* key : varied) {
    std::vector<Choice> longer;
    for (const Choice& choice : all)
      for (std::size_t i = 0; i < key->values.size(); ++i) {
        longer.push_back(choice);
        longer.back().push_back(i);
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<std::uint64_t> seeds_of(const SweepKey& key) {
  std::vector<std::uint64_t> seeds;
  for (const Setting& value : key.values) {
    const auto seed = static_cast<std::uint64_t>(parse_integer(value, 0, std::numeric_limits<std::int64_t>::max()));
    if (std::ranges::find(seeds, seed) != seeds.end())
      throw InputError(value.where, std::to_string(seed) + " a second time", "every seed once");
    seeds.push_back(seed);
  }
  if (seeds.empty()) seeds.push_back(Config{}.seed);
  return seeds;
}

const Key& key_named(const std::string& name) {
  return *std::ranges::find_if(config_keys(), [&](const Key& key) { return key.name == name; });
}

void add_name(SweepSetting& setting) {
  setting.name = setting.variant;
  for (const auto& [key, value] : setting.varied)
    setting.name += (setting.name.empty() ? "" : " ") + key + "=" + to_text(value);
  if (setting.name.empty()) setting.name = "all";
}

std::string folder_of(const SweepSetting& setting, std::uint64_t seed) {
  std::string name;
  if (!setting.variant.empty()) name = setting.variant + ",";
  // Values may hold anything; encoded one by one, so that no comma of a value looks like the end of one.
  for (const auto& [key, value] : setting.varied) name += key + "=" + file_name_of(to_text(value)) + ",";
  if (name.size() > 200) name = name.substr(0, 150) + "," + sha1_hex(name) + ",";  // file systems end at 255
  return name + fmt::format("seed={}", seed);
}

// Throws under the setting's name what its validation says.
void validate(const SweepSetting& setting) {
  try {
    require_vocabulary_is_used(setting.config, *setting.corpus);
    with_config_keys([&] { setting.config.train.validate(*setting.corpus); });
  } catch (const Error& error) {
    if (error.code() != ExitCode::usage) throw;
    throw Error(ExitCode::usage, "setting '" + setting.name + "': " + error.what());
  }
}

}  // namespace

std::string file_name_of(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
                       c == '-' || c == '+';
    name += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return name;
}

KeyValues run_options(const Config& config, const BigramCounts& corpus) {
  const bool bigram = config.train.task == TaskKind::bigram;
  const std::set<std::string> bigram_alone = {"data.corpus",  "data.triggers_count",   "data.triggers", "data.offset",
                                              "data.outputs", "data.distinct_outputs", "data.loss"};
  const std::set<std::string> minimal_alone = {"data.vocab", "data.background", "data.query", "data.output_weights"};
  KeyValues options;
  for (const Key& key : config_keys()) {
    if (!key.read_by("train") || !key.in_results || key.name == "run.seed") continue;
    if ((bigram ? minimal_alone : bigram_alone).contains(key.name)) continue;
    options.emplace_back(key.name, key.name == "data.corpus" ? KeyValue(corpus.source) : key.get(config, true));
  }
  return options;
}

TrainOptions SweepGrid::options(const SweepRun& run) const {
  TrainOptions options = settings[run.setting].config.train;
  options.seed = run.seed;
  return options;
}

SweepGrid make_sweep_grid(const SweepFile& file, const std::vector<Setting>& sets) {
  require_known_keys(file, sets);
  SweepGrid grid;
  grid.seeds = seeds_of(file.seeds);
  std::vector<const SweepKey*> varied;
  std::vector<Setting> fixed;
  for (const SweepKey& key : file.keys) {
    if (key.varied)
      varied.push_back(&key);
    else
      fixed.push_back(key.values.front());
  }
  for (const SweepKey* key : varied) grid.varied.push_back(key->key);
  std::vector<SweepVariant> variants = file.variants;
  if (variants.empty()) variants.emplace_back();

  std::map<std::string, std::shared_ptr<const BigramCounts>> corpora;
  for (const SweepVariant& variant : variants)
    for (const Choice& choice : choices(varied)) {
      std::vector<Setting> settings = fixed;
      for (std::size_t i = 0; i < varied.size(); ++i) settings.push_back(varied[i]->values[choice[i]]);
      settings.insert(settings.end(), variant.settings.begin(), variant.settings.end());
      settings.insert(settings.end(), sets.begin(), sets.end());
      SweepSetting setting;
      setting.config = load_config({}, settings, "train");
      setting.config.seed = setting.config.train.seed = grid.seeds.front();
      setting.variant = variant.name;
      for (std::size_t i = 0; i < varied.size(); ++i) {
        const std::string& key = varied[i]->key;  // a corpus under the name that the file gives it
        setting.varied.emplace_back(key, key == "data.corpus" ? KeyValue(varied[i]->values[choice[i]].value)
                                                              : key_named(key).get(setting.config, true));
      }
      add_name(setting);
      auto& corpus = corpora[setting.config.corpus ? setting.config.corpus->string() : ""];
      if (corpus == nullptr)
        corpus = std::make_shared<const BigramCounts>(load_corpus("data.corpus", setting.config.corpus));
      setting.corpus = corpus;
      validate(setting);
      setting.options = run_options(setting.config, *corpus);
      for (const SweepSetting& other : grid.settings)
        if (other.options == setting.options)
          throw Error(ExitCode::usage, "settings '" + other.name + "' and '" + setting.name +
                                           "': got the same runs, expected settings that differ");
      grid.settings.push_back(std::move(setting));
    }
  std::set<std::string> folders;
  for (std::size_t i = 0; i < grid.settings.size(); ++i)
    for (const std::uint64_t seed : grid.seeds) {
      grid.runs.push_back({i, seed, folder_of(grid.settings[i], seed)});
      require(folders.insert(grid.runs.back().folder).second, "make_sweep_grid", "folder", "a name of its own",
              grid.runs.back().folder);
    }
  return grid;
}

}  // namespace popgrad
