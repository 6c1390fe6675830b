// Plan geometry: how far a pass looks around each pixel. Halos, valid results and tiling all follow from it.
#pragma once

#include "engine/pass.h"

namespace convolve {

/// Largest kernel side, in cells.
inline constexpr int kMaximumKernelSide = 511;

/// How many pixels a pass reads to each side of the pixel that it writes; never negative for a valid pass.
struct Reach {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

/// The reach of the pass's kernel; of a magnitude, the larger of its two kernels on each side. A `valid` result starts
/// at input position (left, top) and is left + right narrower and top + bottom lower than the input.
Reach ReachOf(const Pass& pass);

/// The part of Validate (engine/backend.h) that needs no destination: throws Error kInvalidKernel or kInvalidPlan
/// unless every pass is sound and something is left of an image of this size.
void ValidatePlan(const Plan& plan, int width, int height);

}  // namespace convolve
