// The inner loop of the tile and ring kernels: one thread, one line of pixels, P consecutive outputs. The P pixels that
// the current tap touches sit in registers and slide on by one pixel a tap, so every pixel is read once for P outputs.
#pragma once

#include <type_traits>

namespace convolve::cuda {

template <int C>
__device__ __forceinline__ void ReadShared(const float* from, float* to) {
  if constexpr (C == 4) {
    const float4 v = *reinterpret_cast<const float4*>(from);
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
    to[3] = v.w;
  } else if constexpr (C == 2) {
    const float2 v = *reinterpret_cast<const float2*>(from);
    to[0] = v.x;
    to[1] = v.y;
  } else {
#pragma unroll
    for (int c = 0; c < C; ++c) to[c] = from[c];
  }
}

/// Pixels in shared memory, kStep floats from one to the next.
template <int C, int kStep>
struct Line {
  const float* position;
  __device__ __forceinline__ void ReadAt(int ahead, float* to) const { ReadShared<C>(position + ahead * kStep, to); }
  __device__ __forceinline__ void Skip(int count) { position += count * kStep; }
  __device__ __forceinline__ void Back(int count) { position -= count * kStep; }
};

/// The same in a ring, from `end` back to `begin`. The ring's length is a multiple of the pixels that are skipped at
/// once, and so is every position to which AddTaps moves on.
template <int C, int kStep>
struct RingLine {
  const float* position;
  const float* begin;
  const float* end;
  __device__ __forceinline__ void ReadAt(int ahead, float* to) const { ReadShared<C>(position + ahead * kStep, to); }
  __device__ __forceinline__ void Skip(int count) {
    position += count * kStep;
    if (position == end) position = begin;
  }
  __device__ __forceinline__ void Back(int count) { position -= count * kStep; }
};

/// Taps that the first block of P lacks: taps go in whole blocks, the first of which is entered in its middle.
constexpr int SkippedTaps(int taps, int block) { return (block - taps % block) % block; }

/// The same sums as AddTaps from the first pixel on, each tap tested for the end: quicker where a pixel takes few
/// instructions or must be converted.
template <int C, int P, typename Pixels>
__device__ __forceinline__ void AddTapsTested(Pixels pixels, const float* weights, int taps, float (&sums)[P][C]) {
  float window[P][C];
#pragma unroll
  for (int p = 0; p < P; ++p) pixels.ReadAt(p, window[p]);
  pixels.Skip(P);
#pragma unroll 1
  for (int first = 0; first < taps; first += P) {
    // One block of code for whole and partial blocks of taps: what it costs in tests it saves in instruction fetches.
#pragma unroll
    for (int t = 0; t < P; ++t) {
      if (t > 0 && first + t >= taps) break;
      const float weight = weights[first + t];
#pragma unroll
      for (int p = 0; p < P; ++p) {
#pragma unroll
        for (int c = 0; c < C; ++c) sums[p][c] = __fmaf_rn(weight, window[(p + t) % P][c], sums[p][c]);
      }
      pixels.ReadAt(t, window[t]);
    }
    pixels.Skip(P);
  }
}

/// sums[p] += weights[t] * pixel[p + t] for t = 0 ... taps - 1, in this order. Reads P + taps pixels and taps + 1
/// weights, one more than it uses, and moves on by P pixels at once, from SkippedTaps before the first one on. All
/// threads have the same `weights` and `taps`.
template <int C, int P, typename Pixels>
__device__ __forceinline__ void AddTaps(Pixels pixels, const float* weights, int taps, float (&sums)[P][C]) {
  static_assert(P <= 32);
  const int skip = SkippedTaps(taps, P);
  pixels.Back(skip);
  float window[P][C];
#pragma unroll
  for (int p = 0; p < P; ++p) {
    if (p >= skip) pixels.ReadAt(p, window[p]);
  }
  pixels.Skip(P);
#pragma unroll
  for (int p = 0; p < P - 1; ++p) {
    if (p < skip) pixels.ReadAt(p, window[p]);
  }
  const float* ahead = weights - skip + 1;
  int left = taps + skip;
  float next = weights[0];
  const auto tap = [&](auto t) {
    const float weight = next;
    next = ahead[t()];  // early: it takes a while
#pragma unroll
    for (int p = 0; p < P; ++p) {
#pragma unroll
      for (int c = 0; c < C; ++c) sums[p][c] = __fmaf_rn(weight, window[(p + t()) % P][c], sums[p][c]);
    }
    pixels.ReadAt(t(), window[t()]);
  };
  // One block of code for whole blocks and the first one: a second would cost more in instruction fetches.
  switch (skip) {
#define CONVOLVE_TAP(t)                                         \
  case t:                                                       \
    if constexpr (t < P) tap(std::integral_constant<int, t>()); \
    [[fallthrough]];
    do {
      CONVOLVE_TAP(0)
      CONVOLVE_TAP(1)
      CONVOLVE_TAP(2)
      CONVOLVE_TAP(3)
      CONVOLVE_TAP(4)
      CONVOLVE_TAP(5)
      CONVOLVE_TAP(6)
      CONVOLVE_TAP(7)
      CONVOLVE_TAP(8)
      CONVOLVE_TAP(9)
      CONVOLVE_TAP(10)
      CONVOLVE_TAP(11)
      CONVOLVE_TAP(12)
      CONVOLVE_TAP(13)
      CONVOLVE_TAP(14)
      CONVOLVE_TAP(15)
      CONVOLVE_TAP(16)
      CONVOLVE_TAP(17)
      CONVOLVE_TAP(18)
      CONVOLVE_TAP(19)
      CONVOLVE_TAP(20)
      CONVOLVE_TAP(21)
      CONVOLVE_TAP(22)
      CONVOLVE_TAP(23)
      CONVOLVE_TAP(24)
      CONVOLVE_TAP(25)
      CONVOLVE_TAP(26)
      CONVOLVE_TAP(27)
      CONVOLVE_TAP(28)
      CONVOLVE_TAP(29)
      CONVOLVE_TAP(30)
      CONVOLVE_TAP(31)
      default:
        ahead += P;
        left -= P;
        pixels.Skip(P);
    } while (left > 0);
#undef CONVOLVE_TAP
  }
}

}  // namespace convolve::cuda
