// Work on single pixels: to linear light and back, and from one depth to another. How it is started.
#pragma once

#include <cuda_runtime_api.h>

#include "cuda/parameters.h"
#include "engine/tone_curve.h"

namespace convolve::cuda {

enum class PointLight { kKeep, kDecode, kEncode };

/// engine/tone_curve.h's curve: its CurveParameters in float32, or its samples in device memory.
struct PointCurve {
  float gamma, scale, offset, slope, knee, above, below;
  float linear_knee;      // light at the knee, of the part below it
  const double* samples;  // `count` of them; null for a formula
  int count;
};

struct PointJob {
  SourceParameters source;  // only its buffer is used
  TargetParameters target;  // in picture pixels
  PointLight light;         // colour only
  PointCurve curve;         // where light is not kept
  bool alpha;               // the last channel is alpha
  float full_scale;         // the code value of 1.0
  FinishParameters finish;  // its store steps, after the light
};

/// `samples`: the curve's own, in device memory.
PointCurve PointCurveOf(const ToneCurve& curve, const double* samples);

void LaunchPoint(const PointJob& job, int channels, cudaStream_t stream);

}  // namespace convolve::cuda
