// The stencil: a 3 x 3 kernel applied several times in one trip through memory (temporal blocking). How it is started.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/parameters.h"

namespace convolve::cuda {

/// Most times that a kernel is applied in one trip.
inline constexpr int kStencilSteps = 8;

struct StencilJob {
  SourceParameters source;  // not premultiplied
  TargetParameters target;
  FinishParameters finish;  // of the last step, without divisor, mix and own
  float weights[9];
  bool bounded;      // every step's values are clamped to 0 ... full scale
  bool opaque;       // every step's alpha (the last channel) is full scale
  float full_scale;  // code value
  int steps;         // 1 ... kStencilSteps
};

void LaunchStencil(const StencilJob& job, int channels, int multiprocessors, cudaStream_t stream);

}  // namespace convolve::cuda
