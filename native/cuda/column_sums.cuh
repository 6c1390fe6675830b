// The inner loop of the tile and ring kernels: one thread, one column of pixels, P consecutive outputs. The P pixels
// that the current tap touches sit in registers and slide down by one pixel a tap, so every pixel is read once for P
// outputs.
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

/// Where the pixel after `position` lies: `step` floats on, and from `end` back to `begin` in a ring.
struct Straight {
  int step;
  __device__ __forceinline__ void Next(const float*& position) const { position += step; }
};
struct Around {
  int step;
  const float* begin;
  const float* end;
  __device__ __forceinline__ void Next(const float*& position) const {
    position += step;
    if (position == end) position = begin;
  }
};

/// sums[p] += weights[t] * pixel[p + t] for t = 0 ... taps - 1, in this order; pixel 0 lies at `position`. Reads
/// exactly P + taps - 1 pixels.
template <int C, int P, typename Advance>
__device__ __forceinline__ void AddTaps(const float* position, Advance advance, const float* weights, int taps,
                                        float (&sums)[P][C]) {
  float window[P][C];
#pragma unroll
  for (int p = 0; p < P; ++p) {
    ReadShared<C>(position, window[p]);
    advance.Next(position);
  }
#pragma unroll 1
  for (int first = 0; first < taps; first += P) {
#pragma unroll
    for (int t = 0; t < P; ++t) {
      if (first + t < taps) {
        const float weight = weights[first + t];
#pragma unroll
        for (int p = 0; p < P; ++p) {
#pragma unroll
          for (int c = 0; c < C; ++c) sums[p][c] = __fmaf_rn(weight, window[(p + t) % P][c], sums[p][c]);
        }
        if (first + t + 1 < taps) {
          ReadShared<C>(position, window[t]);
          advance.Next(position);
        }
      }
    }
  }
}

}  // namespace convolve::cuda
