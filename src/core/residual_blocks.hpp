// Coordinates of the ideal residual stream: E_k (token), P_t (position), R_k (remapped token), S_t (remapped position).
#pragma once
#include <array>

namespace popgrad {

enum class Block { E, P, R, S };
inline constexpr std::array<Block, 4> all_blocks = {Block::E, Block::P, Block::R, Block::S};

inline const char* name(Block block) {
  constexpr std::array names = {"E", "P", "R", "S"};
  return names[static_cast<unsigned>(block)];
}
inline bool is_token(Block block) { return block == Block::E || block == Block::R; }

// Order of coordinates: E_0..E_{N-1}, P_0..P_{T-1}, R_0..R_{N-1}, S_0..S_{T-1}. W_K1 sees the first N + T only.
struct Coordinates {
  int N = 0;
  int T = 0;

  int size() const { return 2 * (N + T); }
  int input_size() const { return N + T; }
  int count(Block block) const { return is_token(block) ? N : T; }
  int first(Block block) const {
    switch (block) {
      case Block::E: return 0;
      case Block::P: return N;
      case Block::R: return N + T;
      case Block::S: return 2 * N + T;
    }
    return -1;
  }
  int at(Block block, int index) const { return first(block) + index; }
};

}  // namespace popgrad
