// The transforms of the FFT: N = 256, 512 or 1024 points by T threads, each with P of them in registers. A transform of
// P points in registers, a multiplication by roots of unity, one exchange through shared memory, and P / T transforms
// of T points in registers. Thread t has points t + T m (m = 0 ... P - 1), before as well as after.
#pragma once

#include <cuda_runtime.h>

namespace convolve::cuda {

template <int N>
struct FftSize {
  static constexpr int T = N == 1024 ? 32 : 16;
  static constexpr int P = N / T;
  static constexpr int kPitch = T + 1;                // of the exchange, in points: odd, against bank conflicts
  static constexpr int kExchangePoints = P * kPitch;  // of one transform
};

__device__ __forceinline__ float2 Add(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 Subtract(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 Times(float2 a, float2 b) {
  return make_float2(__fmaf_rn(a.x, b.x, -__fmul_rn(a.y, b.y)), __fmaf_rn(a.x, b.y, __fmul_rn(a.y, b.x)));
}
__device__ __forceinline__ float2 TimesConjugate(float2 a, float2 b) {
  return make_float2(__fmaf_rn(a.x, b.x, __fmul_rn(a.y, b.y)), __fmaf_rn(a.y, b.x, -__fmul_rn(a.x, b.y)));
}

/// A quarter turn: by -i forward, by i backward.
template <bool kInverse>
__device__ __forceinline__ float2 Quarter(float2 a) {
  return kInverse ? make_float2(-a.y, a.x) : make_float2(a.y, -a.x);
}

/// cos(2 pi m / 32).
__device__ __forceinline__ constexpr float Cosine32(int m) {
  m &= 31;
  if (m > 16) m = 32 - m;
  const bool negative = m > 8;
  if (negative) m = 16 - m;
  float value = 0.0f;
  switch (m) {
    case 0:
      value = 1.0f;
      break;
    case 1:
      value = 0.98078528040323044913f;
      break;
    case 2:
      value = 0.92387953251128675613f;
      break;
    case 3:
      value = 0.83146961230254523708f;
      break;
    case 4:
      value = 0.70710678118654752440f;
      break;
    case 5:
      value = 0.55557023301960222474f;
      break;
    case 6:
      value = 0.38268343236508977173f;
      break;
    case 7:
      value = 0.19509032201612826785f;
      break;
    default:
      break;
  }
  return negative ? -value : value;
}

/// a turned by m of R parts of a circle, backward where not inverse. m is a constant once loops are unrolled.
template <int R, bool kInverse>
__device__ __forceinline__ float2 Turn(float2 a, int m) {
  const int part = m * (32 / R) & 31;
  if (part == 0) return a;
  if (part == 8) return Quarter<kInverse>(a);
  const float2 root = make_float2(Cosine32(part), -Cosine32(part - 8));  // of the way forward
  return kInverse ? TimesConjugate(a, root) : Times(a, root);
}

/// The transform of R points in registers, in place, in natural order.
template <int R, bool kInverse>
struct Registers {
  // R = A * B: B transforms of A points, turns, A transforms of B points.
  static constexpr int A = R == 8 ? 2 : 4;
  static constexpr int B = R / A;
  static __device__ __forceinline__ void Transform(float2 (&v)[R]) {
#pragma unroll
    for (int b = 0; b < B; ++b) {
      float2 line[A];
#pragma unroll
      for (int a = 0; a < A; ++a) line[a] = v[b + B * a];
      Registers<A, kInverse>::Transform(line);
#pragma unroll
      for (int a = 0; a < A; ++a) v[b + B * a] = Turn<R, kInverse>(line[a], a * b);
    }
    float2 out[R];
#pragma unroll
    for (int a = 0; a < A; ++a) {
      float2 line[B];
#pragma unroll
      for (int b = 0; b < B; ++b) line[b] = v[B * a + b];
      Registers<B, kInverse>::Transform(line);
#pragma unroll
      for (int b = 0; b < B; ++b) out[a + A * b] = line[b];
    }
#pragma unroll
    for (int r = 0; r < R; ++r) v[r] = out[r];
  }
};

template <bool kInverse>
struct Registers<2, kInverse> {
  static __device__ __forceinline__ void Transform(float2 (&v)[2]) {
    const float2 difference = Subtract(v[0], v[1]);
    v[0] = Add(v[0], v[1]);
    v[1] = difference;
  }
};

template <bool kInverse>
struct Registers<4, kInverse> {
  static __device__ __forceinline__ void Transform(float2 (&v)[4]) {
    const float2 even = Add(v[0], v[2]);
    const float2 even_difference = Subtract(v[0], v[2]);
    const float2 odd = Add(v[1], v[3]);
    const float2 odd_difference = Quarter<kInverse>(Subtract(v[1], v[3]));
    v[0] = Add(even, odd);
    v[1] = Add(even_difference, odd_difference);
    v[2] = Subtract(even, odd);
    v[3] = Subtract(even_difference, odd_difference);
  }
};

/// One transform over T threads. `exchange` is the transform's own; its points lie kStride apart. `barrier` waits for
/// all threads that take part; it is called once, between writing and reading the exchange.
template <int N, bool kInverse, int kStride, typename Barrier>
__device__ __forceinline__ void TransformLine(float2 (&v)[FftSize<N>::P], float2* exchange, int t,
                                              const float2* __restrict__ roots, Barrier barrier) {
  constexpr int T = FftSize<N>::T;
  constexpr int P = FftSize<N>::P;
  constexpr int kPitch = FftSize<N>::kPitch;
  Registers<P, kInverse>::Transform(v);
#pragma unroll
  for (int k = 0; k < P; ++k) {
    if (k > 0) {
      const float2 root = __ldg(roots + k * T + t);
      v[k] = kInverse ? TimesConjugate(v[k], root) : Times(v[k], root);
    }
    exchange[(k * kPitch + t) * kStride] = v[k];
  }
  barrier();
#pragma unroll
  for (int q = 0; q < P / T; ++q) {
    float2 line[T];
#pragma unroll
    for (int i = 0; i < T; ++i) line[i] = exchange[((t + T * q) * kPitch + i) * kStride];
    Registers<T, kInverse>::Transform(line);
#pragma unroll
    for (int i = 0; i < T; ++i) v[q + P / T * i] = line[i];
  }
}

}  // namespace convolve::cuda
