// A training run of a second, for tests of the program.
#pragma once
#include <string>
#include <vector>

namespace popgrad {

// popgrad train --out FOLDER on the minimal task, then `more`. One thread: the steps are too small to share.
inline std::vector<std::string> tiny_train(const std::string& folder, const std::vector<std::string>& more) {
  std::vector<std::string> words = {"train", "--out", folder, "--no-figures", "-N", "5", "-T", "6", "-d", "8", "--threads", "1"};
  for (const char* set : {"data.task=minimal", "train.batch=4", "train.eval_sequences=8", "train.eval_every=5"}) {
    words.push_back("--set");
    words.push_back(set);
  }
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline std::vector<std::string> resume(const std::string& folder, const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"train", "--resume", "--no-figures", "--threads", "1", "--out", folder};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace popgrad
