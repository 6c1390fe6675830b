// EdgePicture: a whole picture with its edges in white on black. Whether a pixel is an edge may depend on a far end of
// the line that it lies on, so this is no pass that runs tile by tile: it is made once, and further passes run from it.
#pragma once

#include <memory>

#include "engine/backend.h"
#include "engine/edges.h"
#include "engine/image.h"
#include "engine/pass.h"

namespace convolve {

/// What becomes of the gradient: the edges in it, or its direction.
enum class GradientUse { kEdges, kDirection };

/// How the edges of a picture are found, or which way its brightness rises.
struct EdgeFilter {
  Work x;  // linear kernels, two of one size and anchor: the gradient to the right and downwards
  Work y;
  Border border;
  SizeMode size = SizeMode::kSame;
  /// kWeighted: the picture as it looks on black. Else colour alone. Alpha itself is kept, and is no colour.
  AlphaMode alpha = AlphaMode::kWeighted;
  LightMode light = LightMode::kEncoded;
  EdgeThresholds thresholds;  // shares of full scale; no matter to directions
  GradientUse use = GradientUse::kEdges;
};

/// The result of `before` over the image, with full scale where there is an edge and 0 elsewhere, in every colour
/// channel. It has the image's channels and sample type (floating point where alpha has gone through passes).
///
/// kDirection instead: in every colour channel the direction of its own gradient, counter-clockwise from the right, as
/// a share of a full turn in 0 <= share < 1, and 0 where the gradient is 0. It is floating point, full scale being 1.
///
/// The picture is first rounded to steps of 1/65535 of full scale and its gradient to such steps again, so that the
/// same picture in 8 bits, 16 bits or floating point has exactly the same edges, and the rounding of a backend's sums
/// seldom chooses between equal neighbours. Gradients of 8-bit pictures with whole weights are exact.
///
/// Memory while it works, beside image and result: 4 bytes a sample for the whole picture, what EdgeTracer needs, and
/// two bands of gradient of at most kEdgeBandPixels pixels. Throws what Backend::Run throws; a field of the filter that
/// does not fit is named `edges.…`.
std::shared_ptr<const Image> EdgePicture(Backend& backend, const Plan& before, const EdgeFilter& filter,
                                         const std::shared_ptr<const Image>& image, const CancelToken& cancel);

inline constexpr int kEdgeBandPixels = 1 << 22;

}  // namespace convolve
