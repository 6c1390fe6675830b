// Borders: where a position outside the image finds its sample. One axis at a time; right for any distance.
#pragma once

#include <cstdint>

#include "engine/pass.h"

namespace convolve {

/// Index in 0...size-1 for `position`, or -1 where the border's constant applies (kZero, kConstant). size >= 1.
/// kReflect repeats the edge sample (cba|abc), kMirror does not (dcb|abcd).
int MapPosition(BorderKind border, int64_t position, int size);

}  // namespace convolve
