// The keys of how a run is trained: train.*, freeze.*, learn.*.
#pragma once
#include <vector>

#include "app/config_keys.hpp"

namespace popgrad {

void add_train_keys(std::vector<Key>& keys);

}  // namespace popgrad
