// The inner loop of the tile and ring kernels: one thread, one line of pixels, P consecutive outputs. The P pixels that
// the current tap touches sit in registers and slide on by one pixel a tap, so every pixel is read once for P outputs.
#pragma once

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
};

/// The same in a ring, from `end` back to `begin`. The ring's length and the first position are multiples of the pixels
/// that are skipped at once.
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
};

/// sums[p] += weights[t] * pixel[p + t] for t = 0 ... taps - 1, in this order. Reads P + taps pixels, one more than it
/// uses, and moves on by P pixels at once. All threads have the same `weights` and `taps`.
template <int C, int P, typename Pixels>
__device__ __forceinline__ void AddTaps(Pixels pixels, const float* weights, int taps, float (&sums)[P][C]) {
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

}  // namespace convolve::cuda
