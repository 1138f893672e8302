// Running popgrad gradient and reading its JSON.
#pragma once
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run_popgrad.hpp"
#include "temporary_folder.hpp"
#include "tests/catch.hpp"

namespace popgrad {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

inline Words split(const std::string& text) {
  Words words(1);
  for (const char c : text) {
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

inline Finished gradient(const std::string& options) {
  Words words = split(options);
  words.insert(words.begin(), "gradient");
  return run_popgrad(words);
}

// What `popgrad gradient OPTIONS --json` prints.
inline Json gradient_of(const std::string& options) {
  const Finished run = gradient(options + " --json");
  INFO(options << "\n" << run.err);
  REQUIRE(run.code == 0);
  CHECK(run.err.empty());
  CHECK(lines(run.out) == 1);
  return Json::parse(run.out);
}

inline const Json& block(const Json& json, std::size_t term, const std::string& name) {
  return json.at("terms").at(term).at("blocks").at(name);
}

// Row t (from 1) of a position-position block, keys 1..t, as exact texts.
inline Words exact_row(const Json& block, std::size_t t) {
  Words row;
  for (std::size_t s = 0; s < t; ++s) row.push_back(block.at("entries").at(t - 1).at(s).at("exact"));
  return row;
}

// `popgrad gradient OPTIONS` ends with 2 and one line that has all of `said`.
inline void check_refused(const std::string& options, const Words& said) {
  const Finished run = options.empty() ? run_popgrad({"gradient"}) : gradient(options);
  INFO("popgrad gradient " << options << "\n" << run.err);
  CHECK(run.code == 2);
  CHECK(lines(run.err) == 1);
  CHECK(run.out.empty());
  for (const std::string& part : said) {
    INFO("says '" << part << "'");
    CHECK(contains(run.err, part));
  }
}

}  // namespace popgrad
