// What this program calls itself.
#pragma once
#include <string>

namespace popgrad {

const char* version();       // semantic version of the build
const char* git_revision();  // short hash, "+changes" if the tree differed from it, "unknown" outside git

// "popgrad 0.1.0 (0123456789ab)", as a run records what made it.
inline std::string program_name() { return std::string("popgrad ") + version() + " (" + git_revision() + ")"; }

}  // namespace popgrad
