// The sparse sum: only the cells of a kernel that are not 0, each with its offset. How it is started.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "cuda/parameters.h"

namespace convolve::cuda {

/// One cell: where it reads, from the result's own position, and its weight.
struct SparseTap {
  int x, y;
  float weight;
  int unused;  // taps are read 16 bytes at once
};

struct SparseJob {
  SourceParameters source;
  OutputParameters output;
  const SparseTap* taps;  // in device memory
  int count;
  int left, top, right, bottom;  // how far they reach
};

/// Launches in bands of rows, none of them long; `between` is called before each launch and may throw.
void LaunchSparse(const SparseJob& job, int channels, cudaStream_t stream, const std::function<void()>& between);

}  // namespace convolve::cuda
