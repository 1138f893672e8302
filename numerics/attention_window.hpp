// Attention of both layers on the beginning of one sequence: whole rows, since no position attends to later ones.
#pragma once
#include <vector>

#include "numerics/sequence_source.hpp"

namespace popgrad {

// Row t: a_{ts}, s <= t; zero above the diagonal. L x L for L tokens.
struct Attention {
  Matrix layer1, layer2;
};
// HypothesisError on no token, more than T of them, or one out of range.
Attention attention_of(const FiniteModel& model, const std::vector<int>& tokens);

// Where an induction head looks from t if it copies: the positions after the earlier occurrences of z_t, for t in `heads`;
// 0-based.
struct CopyPlace {
  int query = 0, key = 0;
};
std::vector<CopyPlace> copy_places(const std::vector<int>& tokens, const std::vector<Target>& heads);

// The first `length` tokens (all, if there are fewer) of that held-out sequence, among the first 64, in which the most
// triggers are repeated there; the first of equals. (The most heads would choose a sequence that runs between two tokens.)
// One that an absorbing cycle may trap is taken only if all are such. targets are the heads.
Sequence shown_sequence(const SequenceSource& source, int length);

}  // namespace popgrad
