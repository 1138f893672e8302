// Small runs for the tests of training.
#pragma once
#include <filesystem>
#include <string>

#include "core/bigram_counts.hpp"
#include "numerics/train_options.hpp"

namespace popgrad::fixture {

inline BigramCounts small_corpus() { return count_bigrams("corpus", "abacabadabacaddbcaabbcdacbdabcabca", "test"); }

inline TrainOptions small_bigram() {
  TrainOptions options;
  options.bigram.T = 10;
  options.bigram.K = 2;
  options.model = published_options(4, 10, 6);
  options.batch = 9;
  options.steps = 20;
  options.eval_every = 4;
  options.eval_sequences = 12;
  options.checkpoint_every = 5;
  return options;
}

inline TrainOptions small_minimal() {
  TrainOptions options = small_bigram();
  options.task = TaskKind::minimal;
  options.minimal.N = 4;
  options.minimal.T = 6;
  return options;
}

// A folder that is empty at first and gone at the end.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / ("popgrad_test_" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace popgrad::fixture
