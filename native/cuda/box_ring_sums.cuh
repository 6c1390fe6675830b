// The sums of a small box of floats: of a run of a row across, into the ring; down, of the ring's rows.
#pragma once

#include <cstdint>

#include "cuda/samples.cuh"

namespace convolve::cuda {

inline constexpr int kRingThreads = 256;
inline constexpr int kRingStep = 32;                        // rows: a lane takes one across
inline constexpr int kRingRuns = kRingThreads / kRingStep;  // of a row: a warp takes one of each row
inline constexpr int kRingSamples = kRingThreads;           // of a row

constexpr int RingPitch(int channels) {  // bytes: 1024, and a pixel's so that rows use different banks
  return 1024 + (channels == 1 ? 4 : 16);
}

/// Sums a run across: `from` is the first pixel of the first result's box, `to` the ring's place of that result. Says
/// whether all sums are finite.
template <int C, int kRun, bool kPremultiply>
__device__ __forceinline__ bool SumFloats(const float* from, int width, float alpha_scale, float* to) {
  float sum[C] = {};
  float pixel[C];
  const auto read = [&](int i) {
    ReadPixel<C>(from + i * C, pixel);
    if constexpr (kPremultiply) Premultiply<C>(pixel, alpha_scale);
  };
  const auto add = [&](int i) {
    read(i);
#pragma unroll
    for (int c = 0; c < C; ++c) sum[c] = __fadd_rn(sum[c], pixel[c]);
  };
  const auto put = [&](int p) {
    if constexpr (C == 4) {
      reinterpret_cast<float4*>(to)[p] = make_float4(sum[0], sum[1], sum[2], sum[3]);
    } else {
      to[p] = sum[0];
    }
  };
  // In short pieces, so that little is lost.
#pragma unroll 1
  for (int i = 0; i < width - 1; i += 16) {
    float piece[C] = {};
#pragma unroll 4
    for (int k = i; k < min(i + 16, width - 1); ++k) {
      read(k);
#pragma unroll
      for (int c = 0; c < C; ++c) piece[c] = __fadd_rn(piece[c], pixel[c]);
    }
#pragma unroll
    for (int c = 0; c < C; ++c) sum[c] = __fadd_rn(sum[c], piece[c]);
  }
#pragma unroll
  for (int p = 0; p < kRun; ++p) {
    add(p + width - 1);
    put(p);
    read(p);
#pragma unroll
    for (int c = 0; c < C; ++c) sum[c] = __fsub_rn(sum[c], pixel[c]);
  }
  float none = 0;
#pragma unroll
  for (int c = 0; c < C; ++c) none = __fmaf_rn(sum[c], 0.0f, none);
  if (none == 0.0f) return true;
#pragma unroll 1
  for (int p = 0; p < kRun; ++p) {
#pragma unroll
    for (int c = 0; c < C; ++c) sum[c] = 0;
#pragma unroll 1
    for (int i = 0; i < width; ++i) add(p + i);
    put(p);
  }
  return false;
}

/// The sum down of a thread's sample: takes in rows of the ring and lets go of others.
/// Summed anew at the beginning of each step, so that little is lost, and what is not finite does not stay.
struct Down {
  static constexpr int kKept = 3;  // whole steps that a box may reach back over
  float sum;
  float step;           // of all rows of the step
  float before[kKept];  // of the steps before, the last one first
  bool slow;            // every result is summed by itself

  /// The step's first row is row `first` of the strip and comes into the ring at `newest`; the rows of the box before
  /// it are in the ring.
  __device__ __forceinline__ void Begin(int first, int height, const char* newest, const char* begin, const char* end,
                                        int pitch) {
#pragma unroll
    for (int i = kKept - 1; i > 0; --i) before[i] = before[i - 1];
    before[0] = step;
    step = 0;
    const int rows = min(first, height - 1);
    const int whole = rows / kRingStep;
    float older = 0;
    const char* place = newest - static_cast<ptrdiff_t>(rows) * pitch;
    if (place < begin) place += end - begin;
#pragma unroll 4
    for (int i = rows % kRingStep; i > 0; --i) {
      older = __fadd_rn(older, *reinterpret_cast<const float*>(place));
      place += pitch;
      if (place >= end) place -= end - begin;
    }
    sum = older;
#pragma unroll
    for (int i = kKept - 1; i >= 0; --i) {
      if (i < whole) sum = __fadd_rn(sum, before[i]);
    }
  }
  __device__ __forceinline__ void Add(const char* place) {
    const float v = *reinterpret_cast<const float*>(place);
    sum = __fadd_rn(sum, v);
    step = __fadd_rn(step, v);
  }
  __device__ __forceinline__ void Take(const char* place) {
    sum = __fsub_rn(sum, *reinterpret_cast<const float*>(place));
  }
  /// `oldest` is the box's first row in the ring from `begin` to `end`.
  __device__ __forceinline__ float Sum(const char* oldest, const char* begin, const char* end, int pitch,
                                       int height) const {
    if (!slow) return sum;
    float whole = 0;
#pragma unroll 1
    for (int i = 0; i < height; ++i) {
      whole += *reinterpret_cast<const float*>(oldest);
      oldest += pitch;
      if (oldest >= end) oldest = begin + (oldest - end);
    }
    return whole;
  }
};

}  // namespace convolve::cuda
