// The attention maps of a training run, from its folder.
#pragma once
#include <filesystem>

#include "reports/attention_maps.hpp"

namespace popgrad {

// Both layers at the initial and at the latest weights, along the beginning of a held-out sequence of the run: that of
// shown_sequence(), at most 24 tokens. InputError if the folder is damaged.
AttentionMaps attention_maps_of(const std::filesystem::path& run);

// A byte as one visible character where there is one: "␣" for a blank, "↵" for the end of a line, "\xe9" beyond ASCII.
std::string shown_byte(unsigned char byte);

}  // namespace popgrad
