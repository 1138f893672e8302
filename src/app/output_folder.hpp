// A folder for results that leaves no trace of a run that fails.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace popgrad {

class OutputFolder {
 public:
  // Creates the folder (and its parents) and proves that it can be written to; InputError(argument, ...) otherwise.
  OutputFolder(const std::string& argument, std::filesystem::path folder);
  // Removes the folders that the constructor made, as far as they are empty, unless keep() was called.
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  void keep() { keep_ = true; }
  const std::filesystem::path& path() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  // innermost first
  bool keep_ = false;
};

// InputError(argument, ...) unless a file can be written at `file`: its folder exists and is writable, and it is no folder.
void require_writable_file(const std::string& argument, const std::filesystem::path& file);

}  // namespace popgrad
