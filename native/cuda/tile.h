// The tile: any dense kernel of 1 to 511 cells a side, any anchor, one kernel or the two of a magnitude. How it is
// started.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "cuda/parameters.h"

namespace convolve::cuda {

struct TileJob {
  SourceParameters source;
  OutputParameters output;
  DeviceKernel kernels[2];
  bool magnitude;  // both kernels
};

/// Launches in bands of rows, none of them long; `between` is called before each launch and may throw.
void LaunchTile(const TileJob& job, int channels, cudaStream_t stream, const std::function<void()>& between);

}  // namespace convolve::cuda
