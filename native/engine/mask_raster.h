// RasteriseMask: a mask as a picture of one channel, for a plan to mix by.
#pragma once

#include <memory>

#include "engine/backend.h"
#include "engine/image.h"
#include "engine/mask.h"
#include "engine/view.h"

namespace convolve {

/// A mask that was made before: `image` is its picture of the same region, and outside of `change`, in pixels of the
/// picture, this mask is the same.
struct MaskBefore {
  std::shared_ptr<const Image> image;
  Region change;
};

/// One channel of 16 bits, of the region's size: 0 where the mask has nothing, 65535 where all, rounded half up. The
/// region's (x, y) is its pixel (0, 0) in the picture. `picture`, whose brightness counts where the mask has a range of
/// it, is the whole one; beyond its edge counts the nearest pixel. It may be null for masks without a range. What a
/// pixel gets depends on its own place and brightness alone: any cut of the region gives the same bytes. With `before`
/// only what changed is computed, and the rest copied. Runs on all threads of the computer.
///
/// Throws Error kInvalidArgument (a picture that is missing, a mask before of another size), kImageTooLarge,
/// kOutOfMemory, or kCancelled.
std::shared_ptr<const Image> RasteriseMask(const Mask& mask, const Region& region, const Image* picture,
                                           const CancelToken& cancel, const MaskBefore* before = nullptr);

}  // namespace convolve
