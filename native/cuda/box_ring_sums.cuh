// The sums of a box in one launch: of a run of a row across, into the ring; down, of the ring's rows.
#pragma once

#include <cstdint>

#include "cuda/box_sums.cuh"
#include "cuda/samples.cuh"

namespace convolve::cuda {

inline constexpr int kRingThreads = 256;
inline constexpr int kRingStep = 32;                        // rows: a lane takes one across
inline constexpr int kRingRuns = kRingThreads / kRingStep;  // of a row: a warp takes one of each row

/// What sums across are kept as: 16 bits, of bytes, or float32.
enum class RingSums { kWords, kFloats };

constexpr int RowSamples(RingSums sums) { return sums == RingSums::kWords ? 512 : 256; }
constexpr int RingPitch(RingSums sums, int channels) {  // bytes: 1024, and a pixel's so that rows use different banks
  return 1024 + (channels == 1 ? 4 : (sums == RingSums::kWords ? 8 : 16));
}

/// The sums across of one pixel of bytes, two to a word.
struct Words {
  uint32_t low = 0;
  uint32_t high = 0;
  __device__ __forceinline__ void Add(uint32_t pixel) {
    low += __byte_perm(pixel, 0, 0x4140);
    high += __byte_perm(pixel, 0, 0x4342);
  }
  __device__ __forceinline__ void Take(uint32_t pixel) {
    low -= __byte_perm(pixel, 0, 0x4140);
    high -= __byte_perm(pixel, 0, 0x4342);
  }
};

/// A pixel's samples as they are summed.
template <int C>
__device__ __forceinline__ void ReadSamples(const float* from, const SourceParameters& source, float (&to)[C]) {
  ReadPixel<C>(from, to);
  if constexpr (C == 4) {
    if (source.premultiply) Premultiply<C>(to, source.alpha_scale);
  }
}

/// Sums a run of bytes across: `from` is the first pixel of the first result's box, `to` the ring's place of that
/// result.
template <int kRun>
__device__ __forceinline__ void SumBytes(const uint32_t* from, int width, uint2* to) {
  Words sum;
#pragma unroll 4
  for (int i = 0; i < width - 1; ++i) sum.Add(from[i]);
  const uint32_t* in = from + width - 1;
#pragma unroll
  for (int p = 0; p < kRun; ++p) {
    sum.Add(in[p]);
    to[p] = make_uint2(sum.low, sum.high);
    sum.Take(from[p]);
  }
}

/// The same of floats.
template <int C, int kRun>
__device__ __forceinline__ void SumFloats(const SourceParameters& source, const float* from, int width, float* to) {
  float sum[C] = {};
  float pixel[C];
  const auto add = [&](int i, float sign) {
    ReadSamples<C>(from + i * C, source, pixel);
#pragma unroll
    for (int c = 0; c < C; ++c) sum[c] = __fmaf_rn(sign, pixel[c], sum[c]);
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
      ReadSamples<C>(from + k * C, source, pixel);
#pragma unroll
      for (int c = 0; c < C; ++c) piece[c] += pixel[c];
    }
#pragma unroll
    for (int c = 0; c < C; ++c) sum[c] += piece[c];
  }
#pragma unroll 4
  for (int p = 0; p < kRun; ++p) {
    add(p + width - 1, 1);
    put(p);
    add(p, -1);
  }
  float none = 0;
#pragma unroll
  for (int c = 0; c < C; ++c) none = __fmaf_rn(sum[c], 0.0f, none);
  if (none == 0.0f) return;
#pragma unroll 1
  for (int p = 0; p < kRun; ++p) {
#pragma unroll
    for (int c = 0; c < C; ++c) sum[c] = 0;
#pragma unroll 1
    for (int i = 0; i < width; ++i) add(p + i, 1);
    put(p);
  }
}

/// The sums down of a thread's samples, neighbours of a row: takes in rows of the ring and lets go of others.
template <RingSums kSums>
struct Down;
template <>
struct Down<RingSums::kWords> {
  static constexpr int kSamples = 2;
  uint32_t sum[2];
  __device__ __forceinline__ void Add(const char* place) {
    const uint32_t words = *reinterpret_cast<const uint32_t*>(place);
    asm("dp2a.lo.u32.u32 %0, %1, %2, %0;" : "+r"(sum[0]) : "r"(words), "r"(0x0001u));
    asm("dp2a.lo.u32.u32 %0, %1, %2, %0;" : "+r"(sum[1]) : "r"(words), "r"(0x0100u));
  }
  __device__ __forceinline__ void Take(const char* place) {
    const uint32_t words = *reinterpret_cast<const uint32_t*>(place);
    asm("dp2a.lo.u32.s32 %0, %1, %2, %0;" : "+r"(sum[0]) : "r"(words), "r"(0x00ffu));
    asm("dp2a.lo.u32.s32 %0, %1, %2, %0;" : "+r"(sum[1]) : "r"(words), "r"(0xff00u));
  }
  __device__ __forceinline__ uint32_t Sum(int s, const char*, const char*, const char*, int, int) const {
    return sum[s];
  }
};
template <>
struct Down<RingSums::kFloats> {
  static constexpr int kSamples = 1;
  Carry<false> sum[1];
  float last = 0;  // to be let go of with the next row
  int broken = 0;  // rows of the box that are not finite: they count as 0
  __device__ __forceinline__ static bool Finite(float v) { return fabsf(v) <= 3.4028235e38f; }
  __device__ __forceinline__ void Add(const char* place) {
    float v = *reinterpret_cast<const float*>(place);
    if (!Finite(__fsub_rn(v, last))) {
      if (!Finite(v)) {
        ++broken;
        v = 0;
      }
      if (!Finite(last)) {
        --broken;
        last = 0;
      }
    }
    sum[0].Add(__fsub_rn(v, last));
    last = 0;
  }
  __device__ __forceinline__ void Take(const char* place) { last = *reinterpret_cast<const float*>(place); }
  /// `oldest` is the box's first row in the ring from `begin` to `end`.
  __device__ __forceinline__ float Sum(int, const char* oldest, const char* begin, const char* end, int pitch,
                                       int height) const {
    if (broken == 0) return sum[0].sum + sum[0].rest;
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
