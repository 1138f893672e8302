#include "app/option_names.hpp"

#include <map>

namespace popgrad {

std::string config_key_of(const std::string& field) {
  static const std::map<std::string, std::string> renamed = {{"data.N", "data.vocab"},
                                                             {"data.T", "data.length"},
                                                             {"model.N", "data.vocab"},
                                                             {"model.T", "data.length"},
                                                             {"model.d", "model.dim"},
                                                             {"data.K", "data.triggers_count"},
                                                             {"data.distinct", "data.distinct_outputs"},
                                                             {"init", "init.*.scale"},
                                                             {"out", "--out"},
                                                             {"run", "--out"},
                                                             {"longest", "--longest"},
                                                             {"rates", "--rates"},
                                                             {"accuracy", "--accuracy"}};
  const auto found = renamed.find(field);
  if (found != renamed.end()) return found->second;
  if (field.starts_with("train.freeze.")) return field.substr(6);
  for (const char* table : {"tok", "pos", "out", "wv1", "wo1", "wv2", "wk1", "wk2", "wo2", "wf"}) {
    if (field == std::string("model.") + table) return std::string("init.") + table + ".kind";
    if (field == std::string("model.") + table + ".scale") return std::string("init.") + table + ".scale";
  }
  return field;
}

}  // namespace popgrad
