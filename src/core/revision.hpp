#pragma once

namespace popgrad {

const char* version();       // semantic version of the build
const char* git_revision();  // short hash, "+changes" if the tree differed from it, "unknown" outside git

}  // namespace popgrad
