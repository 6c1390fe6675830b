// Tone curves on the device: from encoded values to linear light and back, as engine/tone_curve.h has them.
// Not-a-number stays what it is.
#pragma once

#include "cuda/point.h"

namespace convolve::cuda {

/// The larger, or `v` where that is not a number.
__device__ __forceinline__ float AtLeast(float v, float least) { return v < least ? least : v; }

/// Of a value that is not negative, by a curve of samples. In float64: the steps between samples may be smaller than
/// float32 tells apart.
__device__ __forceinline__ double SampledLinear(const PointCurve& curve, double value) {
  const double place = value * (curve.count - 1);
  if (!isfinite(place)) return place;
  const double from = fmin(floor(place), static_cast<double>(curve.count - 2));
  const int index = static_cast<int>(from);
  return curve.samples[index] + (curve.samples[index + 1] - curve.samples[index]) * (place - from);
}

__device__ __forceinline__ double SampledEncoded(const PointCurve& curve, double light) {
  if (light <= curve.samples[0]) return 0;
  if (!isfinite(light)) return light;
  // The first sample that is not below the light, or the last.
  int low = 1;
  int high = curve.count - 1;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (curve.samples[middle] < light) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const double below = curve.samples[low - 1];
  return (low - 1 + (light - below) / (curve.samples[low] - below)) / (curve.count - 1);
}

/// Linear light of an encoded share, odd-symmetric, extended above 1.
__device__ __forceinline__ float Linear(const PointCurve& curve, float encoded) {
  const float v = fabsf(encoded);
  if (curve.samples != nullptr) return copysignf(static_cast<float>(SampledLinear(curve, v)), encoded);
  const float light = v <= curve.knee ? v * curve.slope + curve.below
                                      : powf(AtLeast(v * curve.scale + curve.offset, 0.0f), curve.gamma) + curve.above;
  return copysignf(light, encoded);
}

__device__ __forceinline__ float Encoded(const PointCurve& curve, float linear) {
  const float v = fabsf(linear);
  if (curve.samples != nullptr) return copysignf(static_cast<float>(SampledEncoded(curve, v)), linear);
  float value = 0;
  if (!(v <= curve.linear_knee)) {
    const float power = powf(AtLeast(v - curve.above, 0.0f), 1.0f / curve.gamma);
    value = AtLeast((power - curve.offset) / curve.scale, curve.knee);
  } else if (curve.slope > 0) {
    value = AtLeast((v - curve.below) / curve.slope, 0.0f);
  }
  return copysignf(value, linear);
}

}  // namespace convolve::cuda
