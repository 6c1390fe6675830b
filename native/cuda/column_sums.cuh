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
  __device__ __forceinline__ bool Fits(int) const { return true; }
  __device__ __forceinline__ void ReadAt(int ahead, float* to) const { ReadShared<C>(position + ahead * kStep, to); }
  __device__ __forceinline__ void Skip(int count) { position += count * kStep; }
};

/// The same in a ring: from `end` back to `begin`.
template <int C, int kStep>
struct RingLine {
  const float* position;
  const float* begin;
  const float* end;
  __device__ __forceinline__ bool Fits(int count) const { return position + count * kStep <= end; }
  __device__ __forceinline__ void ReadAt(int ahead, float* to) const { ReadShared<C>(position + ahead * kStep, to); }
  __device__ __forceinline__ void Skip(int count) {
    position += count * kStep;
    if (position >= end) position -= end - begin;
  }
};

template <int C, int P>
__device__ __forceinline__ void AddTap(float weight, const float (&window)[P][C], int t, float (&sums)[P][C]) {
#pragma unroll
  for (int p = 0; p < P; ++p) {
#pragma unroll
    for (int c = 0; c < C; ++c) sums[p][c] = __fmaf_rn(weight, window[(p + t) % P][c], sums[p][c]);
  }
}

/// sums[p] += weights[t] * pixel[p + t] for t = 0 ... taps - 1, in this order. Reads P + taps pixels, one more than it
/// uses. All threads have the same `weights` and `taps`. Blocks of P taps read P pixels at fixed distances where these
/// lie in one piece.
template <int C, int P, typename Pixels>
__device__ __forceinline__ void AddTaps(Pixels pixels, const float* weights, int taps, float (&sums)[P][C]) {
  float window[P][C];
#pragma unroll
  for (int p = 0; p < P; ++p) {
    pixels.ReadAt(0, window[p]);
    pixels.Skip(1);
  }
  int first = 0;
#pragma unroll 1
  for (; first + P <= taps; first += P) {
    if (pixels.Fits(P)) {
#pragma unroll
      for (int t = 0; t < P; ++t) {
        AddTap<C, P>(weights[first + t], window, t, sums);
        pixels.ReadAt(t, window[t]);
      }
      pixels.Skip(P);
    } else {
#pragma unroll
      for (int t = 0; t < P; ++t) {
        AddTap<C, P>(weights[first + t], window, t, sums);
        pixels.ReadAt(0, window[t]);
        pixels.Skip(1);
      }
    }
  }
#pragma unroll
  for (int t = 0; t < P - 1; ++t) {
    if (first + t >= taps) break;
    AddTap<C, P>(weights[first + t], window, t, sums);
    pixels.ReadAt(0, window[t]);
    pixels.Skip(1);
  }
}

}  // namespace convolve::cuda
