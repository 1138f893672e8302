// The files in experiments/ and the claims that say they test them are about the same settings.
#include "app/config.hpp"
#include "numerics/train_options_toml.hpp"
#include "tests/catch.hpp"
#include "theory/claims/emp_runs.hpp"

using namespace popgrad;

namespace {

// All that decides weights; how long a run is and when it is measured may differ.
ResolvedKeys deciding(const TrainOptions& options) {
  ResolvedKeys keys;
  for (const auto& key : resolved_keys(options))
    if (!only_records(key.first)) keys.push_back(key);
  return keys;
}

ResolvedKeys of_file(const std::string& name) {
  return deciding(load_config(std::string(POPGRAD_SOURCE_DIR) + "/experiments/" + name + ".toml", {}, "train").train);
}

ResolvedKeys of_claim(EmpSetting setting) {
  ClaimContext context;
  context.full = true;
  return deciding(emp_options(EmpSizes(context), setting, TrainOptions().seed));
}

}  // namespace

TEST_CASE("the files of Figures 3 and 4 have the settings of the EMP claims at the paper's size, and of no other") {
  const std::vector<std::pair<std::string, EmpSetting>> files = {{"figure3", EmpSetting::head},
                                                                 {"figure3_frozen", EmpSetting::frozen},
                                                                 {"figure4", EmpSetting::full},
                                                                 {"figure4_few", EmpSetting::few},
                                                                 {"figure4_rare", EmpSetting::rare},
                                                                 {"figure4_random", EmpSetting::random},
                                                                 {"figure4_bigram_outputs", EmpSetting::bigram}};
  REQUIRE(files.size() == emp_settings);
  for (const auto& [file, setting] : files)
    for (const auto& [other, asked] : files) {
      INFO(file << " against the setting of " << other);
      CHECK((of_file(file) == of_claim(asked)) == (setting == asked));
    }
}
