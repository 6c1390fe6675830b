// The ring: separable kernels of any tap counts, sums of r pairs, both directions in one launch. When it fits, and how
// it is started.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "cuda/parameters.h"

namespace convolve::cuda {

/// Weights that travel with a launch.
inline constexpr int kRingWeights = 768;

struct RingJob {
  SourceParameters source;  // what lies outside must be a value of its sample type
  OutputParameters output;
  int pairs;
  int width, height;
  int anchor_x, anchor_y;
  float weights[kRingWeights +
                1];  // for each pair its row (width values), then its column (height values); one more is read
};

/// Whether a kernel fits the shared memory of a block (for sources of any type) and the launch's weights.
bool RingFits(int channels, int width, int height, int pairs, int shared_bytes);

/// Launches in bands of rows; `between` is called before each launch and may throw.
void LaunchRing(const RingJob& job, int channels, int multiprocessors, cudaStream_t stream,
                const std::function<void()>& between);

}  // namespace convolve::cuda
