// Levels: the mean of 2^level x 2^level blocks, the same arithmetic for a source image and for stored results, so that
// a tile of a level is the same however it was cut.
#pragma once

#include "engine/view.h"

namespace convolve {

/// The coarsest level: every image that an Image can hold is one pixel there.
inline constexpr int kMaximumLevel = 20;

/// Throws Error kInvalidArgument unless 0 <= level <= kMaximumLevel.
void RequireLevel(int level);

/// Pixels along one axis at this level: length / 2^level, rounded up, because the last block may be cut at the edge.
constexpr int ReducedLength(int length, int level) {
  return static_cast<int>((static_cast<int64_t>(length) + (int64_t{1} << level) - 1) >> level);
}

/// Each destination pixel becomes the mean of its block of source pixels (blocks start at the source's first pixel and
/// are cut at its far edges). With alpha (the last channel) colour is the alpha-weighted mean, and 0 where the block's
/// mean alpha is below a millionth of full scale. Integers are summed exactly and rounded once, half away from zero;
/// floating point is summed in float64, row after row. Level 0 copies. Source and destination have one sample type and
/// channel count, and the destination is ReducedLength(source) in both directions: anything else throws
/// kInvalidArgument.
void ReduceInto(const AnyConstView& source, bool alpha, int level, const AnyView& destination);

}  // namespace convolve
