// A file of conjectures (docs/formats.md): what a user claims about a quantity, without touching C++.
#pragma once
#include <filesystem>
#include <vector>

#include "theory/claims/conjecture.hpp"

namespace popgrad {

// The [[conjecture]] tables of a TOML file, in order, each checked as far as that goes without measuring. InputError or
// Error (exit 2, one line "F.toml:LINE: key: got ..., expected ...") for a missing or unreadable file, broken TOML, unknown
// keys (with the nearest known one), missing keys, wrong types, two relations or none, names that are used twice, and what
// require_answerable refuses.
std::vector<Conjecture> read_conjectures(const std::filesystem::path& file);

}  // namespace popgrad
