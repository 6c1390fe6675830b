// The box: sums of a rectangle of any size by running sums, down and across, in time that does not depend on the size.
// How the picture is cut and how a pass is started.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "cuda/parameters.h"

namespace convolve::cuda {

class Device;

/// Running sums begin anew at multiples of these, positions of the input, so that their rounding does not depend on the
/// region that is asked for.
inline constexpr int kBoxStrip = 128;         // rows
inline constexpr int kBoxColumns = 512;       // columns that a block sums down
inline constexpr int kBoxFusedWidth = 256;    // widest box whose two directions share a launch
inline constexpr int kBoxAcrossStrip = 1024;  // results across that a warp sums, for wider boxes

/// Results beside each other between two such beginnings.
constexpr int BoxStepX(int width) { return width <= kBoxFusedWidth ? kBoxColumns - (width - 1) : kBoxAcrossStrip; }

struct BoxJob {
  SourceParameters source;  // what lies outside must be a value of its sample type
  OutputParameters output;
  int width, height;
  int anchor_x, anchor_y;
  bool integers;   // the source holds bytes, and every sum fits 32 bits: exact
  double divisor;  // not 0: the sums are divided by it in float64, because float32 would not hold them
};

/// Launches in bands; `between` is called before each launch and may throw.
void LaunchBox(const BoxJob& job, int channels, const Device& device, cudaStream_t stream,
               const std::function<void()>& between);

}  // namespace convolve::cuda
