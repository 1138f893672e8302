// The heat maps of popgrad gradient --out.
#pragma once
#include <filesystem>
#include <string>

#include "app/gradient_request.hpp"
#include "app/gradient_result.hpp"

namespace popgrad {

// Positions up to which a gradient is drawn: the map of W_K2 then has 73,984 entries.
inline constexpr int longest_picture = 128;

// Draws the terms of the gradient, one panel each on one colour scale, into `folder`: gradient_blocks.tsv, .svg and .pdf. One line on what was written.
std::string draw_gradient(const GradientRequest& request, const GradientResult& result, const std::filesystem::path& folder);

}  // namespace popgrad
