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
  /// Sums of several rows, as they are in `sum`.
  __device__ __forceinline__ void AddSums(const uint32_t* words) {
    S values[C];
    memcpy(values, words, sizeof values);
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

/// The same of four bytes while 16 bits hold a sum: channels 0 and 2 in one word, 1 and 3 in the other. Words are added
/// and subtracted as a whole: what one half borrows of the other comes back before anyone looks.
struct PackedColumnSum {
  uint32_t sum[2];

  __device__ __forceinline__ static uint32_t Even(uint32_t pixel) { return pixel & 0x00ff00ffu; }
  __device__ __forceinline__ static uint32_t Odd(uint32_t pixel) { return __byte_perm(pixel, 0, 0x4341); }
  __device__ __forceinline__ void Add(uint32_t pixel, float /*alpha_scale*/) {
    sum[0] += Even(pixel);
    sum[1] += Odd(pixel);
  }
  __device__ __forceinline__ void AddSums(const uint32_t* words) {
    sum[0] += words[0];
    sum[1] += words[1];
  }
  __device__ __forceinline__ void Change(uint32_t comes, uint32_t leaves, float /*alpha_scale*/) {
    sum[0] += Even(comes) - Even(leaves);
    sum[1] += Odd(comes) - Odd(leaves);
  }
  __device__ __forceinline__ bool Finite() const { return true; }
};
/// Rows of boxes whose differences of sums fit 16 bits with a sign.
inline constexpr int kPackedRows = 128;

/// `to` plus the low or the high half of `packed`.
__device__ __forceinline__ uint32_t PlusLow(uint32_t packed, uint32_t to) {
  uint32_t sum;
  asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(packed), "r"(0x0001), "r"(to));
  return sum;
}
__device__ __forceinline__ uint32_t PlusHigh(uint32_t packed, uint32_t to) {
  uint32_t sum;
  asm("dp2a.lo.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(packed), "r"(0x0100), "r"(to));
  return sum;
}

/// C sums of a row in shared memory.
template <int C, typename S>
__device__ __forceinline__ void ReadSums(const S* from, S (&to)[C]) {
  if constexpr (C == 2) {
    const uint2 bits = *reinterpret_cast<const uint2*>(from);
    memcpy(to, &bits, sizeof bits);
  } else if constexpr (C == 4) {
    const uint4 bits = *reinterpret_cast<const uint4*>(from);
    memcpy(to, &bits, sizeof bits);
  } else {
    to[0] = from[0];
  }
}
template <int C, typename S>
__device__ __forceinline__ void WriteSums(S* to, const S (&from)[C]) {
  if constexpr (C == 2) {
    uint2 bits;
    memcpy(&bits, from, sizeof bits);
    *reinterpret_cast<uint2*>(to) = bits;
  } else if constexpr (C == 4) {
    uint4 bits;
    memcpy(&bits, from, sizeof bits);
    *reinterpret_cast<uint4*>(to) = bits;
  } else {
    to[0] = from[0];
  }
}

/// Sums of a row as they lie there: each for itself or packed.
template <int C, bool kPacked, typename S>
__device__ __forceinline__ void ReadUnpacked(const S* from, S (&to)[C]) {
  if constexpr (kPacked) {
    S packed[2];
    ReadSums<2>(from, packed);
    to[0] = packed[0] & 0xffffu;
    to[1] = packed[1] & 0xffffu;
    to[2] = packed[0] >> 16;
    to[3] = packed[1] >> 16;
  } else {
    ReadSums<C>(from, to);
  }
}

/// What all lanes of a warp add up, in each of them.
__device__ __forceinline__ float SumOfWarp(float value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}
__device__ __forceinline__ uint32_t SumOfWarp(uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, value);
#else
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
#endif
}

/// The first result of a warp: the sum of `width` sums from `line` on, in every lane.
template <int C, bool kPacked, typename S>
__device__ __forceinline__ void SumFirst(const S* line, int width, S begin, S (&first)[C]) {
#pragma unroll
  for (int c = 0; c < C; ++c) first[c] = 0;
#pragma unroll 2
  for (int k = static_cast<int>(threadIdx.x) % 32; k < width; k += 32) {
    S sums[C];
    ReadUnpacked<C, kPacked>(line + k * (kPacked ? 2 : C), sums);
#pragma unroll
    for (int c = 0; c < C; ++c) first[c] += sums[c];
  }
#pragma unroll
  for (int c = 0; c < C; ++c) first[c] = SumOfWarp(first[c]) + begin;
}

/// A warp's results across: `width` sums of `line` for each of 32 * kRun pixels, kRun beside each other for a lane.
/// Each is found from the one before, from 0 on; a scan over the lanes then says what each begins with. `first` is the
/// first result, and becomes that of the pixel after the last.
template <int C, bool kPacked, typename S, int kRun>
__device__ __forceinline__ void SumRun(const S* line, int width, S (&first)[C], S (&result)[kRun][C]) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  constexpr int kWords = kPacked ? 2 : C;  // of a pixel
  const S* const from = line + lane * kRun * kWords;
  S total[C] = {};
#pragma unroll
  for (int p = 0; p < kRun; ++p) {
    S in[kWords];
    S out[kWords];
    ReadSums<kWords>(from + (p + width) * kWords, in);
    ReadSums<kWords>(from + p * kWords, out);
#pragma unroll
    for (int c = 0; c < C; ++c) result[p][c] = total[c];
    if constexpr (kPacked) {
      // More than any difference, so that no half borrows of the other; taken off again below.
      const uint32_t even = in[0] - out[0] + 0x80008000u;
      const uint32_t odd = in[1] - out[1] + 0x80008000u;
      total[0] = PlusLow(even, total[0]);
      total[1] = PlusLow(odd, total[1]);
      total[2] = PlusHigh(even, total[2]);
      total[3] = PlusHigh(odd, total[3]);
    } else {
#pragma unroll
      for (int c = 0; c < C; ++c) total[c] += in[c] - out[c];
    }
  }
#pragma unroll
  for (int c = 0; c < C; ++c) {
    constexpr S kMore = kPacked ? static_cast<S>(0x8000) : S{0};  // of each difference
    S sum = total[c] - kMore * kRun;
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const S before = __shfl_up_sync(0xffffffffu, sum, step);
      if (lane >= step) sum += before;
    }
    const S before = __shfl_up_sync(0xffffffffu, sum, 1);
    const S own = first[c] + (lane == 0 ? S{0} : before);
#pragma unroll
    for (int p = 0; p < kRun; ++p) result[p][c] += own - kMore * p;
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
