// Work on single pixels: to linear light and back, and from one depth to another. How it is started.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/parameters.h"

namespace convolve::cuda {

enum class PointLight { kKeep, kDecode, kEncode };

struct PointJob {
  SourceParameters source;  // only its buffer is used
  TargetParameters target;  // in picture pixels
  PointLight light;         // colour only
  bool alpha;               // the last channel is alpha
  float full_scale;         // the code value of 1.0
  FinishParameters finish;  // its store steps, after the light
};

void LaunchPoint(const PointJob& job, int channels, cudaStream_t stream);

}  // namespace convolve::cuda
