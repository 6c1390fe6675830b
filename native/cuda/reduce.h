// Levels, extremes and opacity on the device: everything that makes few values of many.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "engine/view.h"

namespace convolve::cuda {

struct ReduceJob {
  const void* source;  // first pixel of the first block
  int64_t source_pitch;
  int width, height;  // pixels of the source, from its first block to the result's edge
  SampleType source_type;
  void* target;
  int64_t target_pitch;
  int target_width, target_height;
  SampleType target_type;  // the source's, or kF64 for a kF32 source
  int channels;
  bool alpha;
  int level;
};

/// engine/reduce.h on the device; integers exactly, floating point in float64.
void LaunchReduce(const ReduceJob& job, cudaStream_t stream);

/// Two ordered keys (see KeyValue) that start at kNoMinimum, kNoMaximum.
inline constexpr uint32_t kNoMinimum = 0xffffffffu;
inline constexpr uint32_t kNoMaximum = 0;

/// Joins the colour samples of an f32 rectangle to keys[0] (smallest) and keys[1] (largest); not-a-number is passed
/// over.
void LaunchExtremes(const float* source, int64_t pitch, int width, int height, int channels, bool alpha, uint32_t* keys,
                    cudaStream_t stream);

/// The float that an ordered key stands for.
float KeyValue(uint32_t key);

/// Sets *opaque to 0 where any pixel's alpha (the last channel) is not full scale.
void LaunchOpaque(const void* source, int64_t pitch, int width, int height, int channels, SampleType type,
                  uint32_t* opaque, cudaStream_t stream);

}  // namespace convolve::cuda
