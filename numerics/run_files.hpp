// The files of a run folder: their names, and how they are added to and cleared away.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace popgrad {

inline constexpr const char* config_name = "config.toml";
inline constexpr const char* initial_name = "initial.safetensors";
inline constexpr const char* first_name = "first_gradient.safetensors";
inline constexpr const char* latest_name = "latest.safetensors";
inline constexpr const char* snapshots_name = "checkpoints";
inline constexpr const char* metrics_name = "metrics.jsonl";
inline constexpr const char* summary_name = "summary.json";

inline constexpr const char* initial_format = "popgrad-theta0-1";

// The steps in the names of checkpoints/step-*.safetensors, in order; empty without the folder.
std::vector<std::int64_t> snapshot_steps(const std::filesystem::path& folder);

// Adds a line to a file. EnvironmentError if that fails; the file is then as long as before.
void append_line(const std::filesystem::path& path, const std::string& line);

// Removes what a killed process left of files that it was writing, "NAME.PID.tmp" in the folder.
void remove_unfinished(const std::filesystem::path& folder);

}  // namespace popgrad
