// The sums of a box in one launch: down, of a column of pixels that rows come into and leave; across, of a row of those
// sums in shared memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/box_launch.h"
#include "cuda/samples.cuh"

namespace convolve::cuda {

/// A pixel as it lies in memory.
template <int C, typename T>
using RawPixel = std::conditional_t<C == 1, T, decltype(RawQuad<T>::bits)>;

template <int C, typename T>
__device__ __forceinline__ void ValuesOf(const RawPixel<C, T>& raw, float (&to)[C]) {
  if constexpr (C == 4) {
    Unpack(RawQuad<T>{raw}, to);
  } else {
    to[0] = static_cast<float>(raw);
  }
}

/// Sums down of a pixel's channels. Integers are exact. Floats keep what rounding takes off (Kahan), because a running
/// sum never gets back what it once lost.
template <int C, typename T, typename S, bool kPremultiply>
struct ColumnSum {
  static constexpr bool kFloats = std::is_same_v<S, float>;
  using Raw = RawPixel<C, T>;
  S sum[C];
  S rest[C];

  __device__ __forceinline__ static void Values(const Raw& raw, float alpha_scale, S (&to)[C]) {
    if constexpr (std::is_same_v<Raw, uint32_t> && !kFloats && !kPremultiply) {
      to[0] = __byte_perm(raw, 0, 0x4440);
      to[1] = __byte_perm(raw, 0, 0x4441);
      to[2] = __byte_perm(raw, 0, 0x4442);
      to[3] = __byte_perm(raw, 0, 0x4443);
    } else if constexpr (C == 1 && !kFloats) {
      to[0] = raw;
    } else {
      float pixel[C];
      ValuesOf<C, T>(raw, pixel);
      if constexpr (kPremultiply && C == 4) Premultiply<C>(pixel, alpha_scale);  // of bytes: whole, and below 2^16
#pragma unroll
      for (int c = 0; c < C; ++c) to[c] = static_cast<S>(pixel[c]);
    }
  }
  __device__ __forceinline__ void AddValue(int c, S value) {
    if constexpr (kFloats) {
      const float more = __fadd_rn(value, rest[c]);
      const float next = __fadd_rn(sum[c], more);
      rest[c] = __fsub_rn(more, __fsub_rn(next, sum[c]));
      sum[c] = next;
    } else {
      sum[c] += value;
    }
  }
  __device__ __forceinline__ void Add(const Raw& raw, float alpha_scale) {
    S values[C];
    Values(raw, alpha_scale, values);
#pragma unroll
    for (int c = 0; c < C; ++c) AddValue(c, values[c]);
  }
  /// One pixel comes, another leaves. What their difference is rounded by is small beside either.
  __device__ __forceinline__ void Change(const Raw& comes, const Raw& leaves, float alpha_scale) {
    S in[C];
    S out[C];
    Values(comes, alpha_scale, in);
    Values(leaves, alpha_scale, out);
#pragma unroll
    for (int c = 0; c < C; ++c) AddValue(c, in[c] - out[c]);
  }
  __device__ __forceinline__ bool Finite() const {
    if constexpr (!kFloats) return true;
    float none = 0;
#pragma unroll
    for (int c = 0; c < C; ++c) none = __fmaf_rn(static_cast<float>(sum[c]), 0.0f, none);
    return none == 0.0f;
  }
};

/// C sums of a row in shared memory.
template <int C, typename S>
__device__ __forceinline__ void ReadSums(const S* from, S (&to)[C]) {
  if constexpr (C == 4) {
    const uint4 bits = *reinterpret_cast<const uint4*>(from);
    memcpy(to, &bits, sizeof bits);
  } else {
    to[0] = from[0];
  }
}
template <int C, typename S>
__device__ __forceinline__ void WriteSums(S* to, const S (&from)[C]) {
  if constexpr (C == 4) {
    uint4 bits;
    memcpy(&bits, from, sizeof bits);
    *reinterpret_cast<uint4*>(to) = bits;
  } else {
    to[0] = from[0];
  }
}

/// The first result of a warp: the sum of `width` sums from `line` on, in every lane.
template <int C, typename S>
__device__ __forceinline__ void SumFirst(const S* line, int width, S begin, S (&first)[C]) {
#pragma unroll
  for (int c = 0; c < C; ++c) first[c] = 0;
#pragma unroll 2
  for (int k = static_cast<int>(threadIdx.x) % 32; k < width; k += 32) {
    S sums[C];
    ReadSums<C>(line + k * C, sums);
#pragma unroll
    for (int c = 0; c < C; ++c) first[c] += sums[c];
  }
#pragma unroll
  for (int c = 0; c < C; ++c) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) first[c] += __shfl_xor_sync(0xffffffffu, first[c], step);
    first[c] += begin;
  }
}

/// A warp's results across: `width` sums of `line` for each of 32 * kRun pixels, kRun beside each other for a lane.
/// Each is found from the one before, from 0 on; a scan over the lanes then says what each begins with. `first` is the
/// first result, and becomes that of the pixel after the last.
template <int C, typename S, int kRun>
__device__ __forceinline__ void SumRun(const S* line, int width, S (&first)[C], S (&result)[kRun][C]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const S* const from = line + lane * kRun * C;
  S total[C] = {};
#pragma unroll
  for (int p = 0; p < kRun; ++p) {
    S in[C];
    S out[C];
    ReadSums<C>(from + (p + width) * C, in);
    ReadSums<C>(from + p * C, out);
#pragma unroll
    for (int c = 0; c < C; ++c) {
      result[p][c] = total[c];
      total[c] += in[c] - out[c];
    }
  }
#pragma unroll
  for (int c = 0; c < C; ++c) {
    S sum = total[c];
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const S before = __shfl_up_sync(0xffffffffu, sum, step);
      if (lane >= step) sum += before;
    }
    const S before = __shfl_up_sync(0xffffffffu, sum, 1);
    const S own = first[c] + (lane == 0 ? S{0} : before);
#pragma unroll
    for (int p = 0; p < kRun; ++p) result[p][c] += own;
    first[c] += __shfl_sync(0xffffffffu, sum, 31);
  }
  if constexpr (std::is_same_v<S, float>) {
    // A number that is not finite would stay in the sums: then each is summed by itself.
    float none = 0;
#pragma unroll
    for (int p = 0; p < kRun; ++p) {
#pragma unroll
      for (int c = 0; c < C; ++c) none = __fmaf_rn(result[p][c], 0.0f, none);
    }
    if (!__any_sync(0xffffffffu, !(none == 0.0f))) return;
#pragma unroll
    for (int p = 0; p < kRun; ++p) {
      float sum[C] = {};
#pragma unroll 1
      for (int k = 0; k < width; ++k) {
        float sums[C];
        ReadSums<C>(from + (p + k) * C, sums);
#pragma unroll
        for (int c = 0; c < C; ++c) sum[c] += sums[c];
      }
#pragma unroll
      for (int c = 0; c < C; ++c) result[p][c] = sum[c];
    }
  }
}

}  // namespace convolve::cuda
