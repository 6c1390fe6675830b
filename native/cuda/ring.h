// The ring: separable kernels of any tap counts, sums of r pairs, both directions in one launch. When it fits, and how
// it is started.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "cuda/parameters.h"

namespace convolve::cuda {

struct RingJob {
  SourceParameters source;
  OutputParameters output;
  const float* weights;  // device memory; for each pair its row (width values), then its column (height values)
  int pairs;
  int width, height;
  int anchor_x, anchor_y;
};

/// Shared memory that a block needs, in bytes.
int64_t RingBytes(int channels, int width, int height, int pairs);

/// Launches in bands of rows; `between` is called before each launch and may throw.
void LaunchRing(const RingJob& job, int channels, int multiprocessors, cudaStream_t stream,
                const std::function<void()>& between);

}  // namespace convolve::cuda
