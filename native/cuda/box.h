// The box: sums of a rectangle of any size by running sums, in time that hardly depends on the size: in one launch
// where the box is not too large, else across and then down. How the picture is cut and how a pass is started.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "cuda/parameters.h"

namespace convolve::cuda {

class Device;

/// Running sums begin anew at multiples of these, positions of the input, so that their rounding does not depend on the
/// region that is asked for.
struct BoxCut {
  int segment;  // columns
  int strip;    // rows
};
constexpr int BoxSegment(int width) { return width <= 200 ? 480 : 960; }  // results across that a warp sums
inline constexpr int kBoxStrip = 128;                                     // rows that a thread sums down
/// In two launches, and in one:
constexpr BoxCut PairCut(int width) { return {BoxSegment(width), kBoxStrip}; }
struct BoxSize {
  int width, height;
};
/// Small boxes of floats, which start quickly; all others.
constexpr bool RingSuits(int channels, const BoxSize& box) {
  return (channels == 4 && box.width + box.height <= 80) || (channels == 1 && box.width + box.height <= 128);
}
BoxCut RingCut(int channels, const BoxSize& box, const BoxSize& picture);
BoxCut WalkCut(int channels, SampleType type, const BoxSize& box, const BoxSize& picture);

/// Whether a block may have the shared memory for a segment of such a box.
bool BoxFits(int channels, int width, int shared_bytes);

struct BoxJob {
  SourceParameters source;  // what lies outside must be a value of its sample type
  OutputParameters output;
  int width, height;
  int anchor_x, anchor_y;
  bool integers;   // the source holds integers, and every sum fits 32 bits: exact
  double divisor;  // not 0: the sums are divided by it in float64, because float32 would not hold them
};

/// `between` is called before each launch and may throw.
void LaunchBox(const BoxJob& job, int channels, const Device& device, cudaStream_t stream,
               const std::function<void()>& between);

}  // namespace convolve::cuda
