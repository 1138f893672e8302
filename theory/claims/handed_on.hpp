// What the W_O that a later step starts from may be. Internal to theory/claims.
#pragma once
#include "core/stages.hpp"

namespace popgrad {

// An ideal hand-off has no other blocks to hand on.
struct HandedOn {
  const char* name;
  Handoff handoff;
  Blocks blocks;
};
inline constexpr HandedOn handed_on_ways[] = {{"ideal", Handoff::ideal, Blocks::isolated},
                                              {"isolated", Handoff::actual, Blocks::isolated},
                                              {"full", Handoff::actual, Blocks::full}};

}  // namespace popgrad
