// What the tests of figures share: a folder that goes away, a PATH that comes back, and readers for SVG.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace popgrad::testing {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "popgrad test XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path = name;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path path;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const auto file = path / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  // Every file below, sorted, relative.
  std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
      if (entry.is_regular_file()) all.push_back(std::filesystem::relative(entry.path(), path).string());
    std::sort(all.begin(), all.end());
    return all;
  }
};

class PathVariable {
 public:
  explicit PathVariable(const std::string& value) {
    if (const char* now = std::getenv("PATH")) before_ = now;
    setenv("PATH", value.c_str(), 1);
  }
  ~PathVariable() {
    if (before_)
      setenv("PATH", before_->c_str(), 1);
    else
      unsetenv("PATH");
  }
  PathVariable(const PathVariable&) = delete;
  PathVariable& operator=(const PathVariable&) = delete;

 private:
  std::optional<std::string> before_;
};

// An executable named gnuplot in `folder` that runs this shell script.
inline void fake_gnuplot(const ScratchFolder& folder, const std::string& script) {
  namespace fs = std::filesystem;
  fs::permissions(folder.write("gnuplot", "#!/bin/sh\n" + script + "\n"), fs::perms::owner_all);
}

inline std::string slurp(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
  return n;
}

// Filled circles (point type 7) in a gnuplot SVG, without the white halo that goes below some of them.
inline std::size_t circles(const std::string& svg) {
  std::istringstream lines(svg);
  std::size_t n = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.find("'#gpPt6' transform") != std::string::npos && line.find("#FFFFFF") == std::string::npos) ++n;
  return n;
}

// The character data of an XML text if its tags nest properly and end with the root element; nothing otherwise.
inline std::optional<std::string> xml_text(const std::string& xml) {
  std::vector<std::string> open;
  std::string text;
  bool root = false;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] != '<') {
      if (open.empty() && xml.find_first_not_of(" \t\r\n", at) == at) return std::nullopt;
      text += xml[at++];
      continue;
    }
    const bool comment = xml.compare(at, 4, "<!--") == 0, data = xml.compare(at, 9, "<![CDATA[") == 0;
    const std::string closing = comment ? "-->" : data ? "]]>" : ">";
    const std::size_t end = xml.find(closing, at);
    if (end == std::string::npos) return std::nullopt;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    at = end + closing.size();
    if (comment || data || tag[0] == '?' || tag[0] == '!') continue;
    const std::string name = tag.substr(tag[0] == '/' ? 1 : 0, tag.find_first_of(" \t\r\n/", 1) - (tag[0] == '/' ? 1 : 0));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1, tag.find_first_of(" \t\r\n", 1) - 1)) return std::nullopt;
      open.pop_back();
    } else if (tag.back() != '/') {
      if (open.empty() && root) return std::nullopt;
      root = true;
      open.push_back(name);
    }
  }
  if (!open.empty() || !root) return std::nullopt;
  return text;
}

}  // namespace popgrad::testing
