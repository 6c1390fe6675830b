// From sums to values: divisor, epilogue, alpha, offset and range, in the order of the reference backend. Every step is
// spelled with rounded intrinsics, so that all kernels give the same bits for the same sums.
#pragma once

#include "cuda/parameters.h"

namespace convolve::cuda {

__device__ __forceinline__ float Divide(float a, const Divisor& d) {
  if (d.kind == DivisionKind::kNone) return a;
  const float q = __fmul_rn(a, d.reciprocal);
  return d.kind == DivisionKind::kMultiply ? q : __fmaf_rn(__fmaf_rn(-q, d.value, a), d.reciprocal, q);
}

template <int N>
__device__ __forceinline__ void DivideSamples(const Divisor& d, float* v) {
  if (d.kind == DivisionKind::kNone) return;
  if (d.kind == DivisionKind::kMultiply) {
#pragma unroll
    for (int s = 0; s < N; ++s) v[s] = __fmul_rn(v[s], d.reciprocal);
  } else {
#pragma unroll
    for (int s = 0; s < N; ++s) {
      const float q = __fmul_rn(v[s], d.reciprocal);
      v[s] = __fmaf_rn(__fmaf_rn(-q, d.value, v[s]), d.reciprocal, q);
    }
  }
}

/// a / b for |b| well above the smallest numbers: same correction, the reciprocal refined once.
__device__ __forceinline__ float DivideBy(float a, float b) {
  float r;
  asm("rcp.approx.f32 %0, %1;" : "=f"(r) : "f"(b));
  r = __fmaf_rn(__fmaf_rn(-b, r, 1.0f), r, r);
  const float q = __fmul_rn(a, r);
  const float better = __fmaf_rn(__fmaf_rn(-q, b, a), r, q);
  return fabsf(q) <= 3.4028235e38f ? better : q;
}

/// Clamped to low ... high; not-a-number stays.
__device__ __forceinline__ float Bounded(float v, float low, float high) {
#if __CUDA_ARCH__ >= 800
  asm("max.NaN.f32 %0, %0, %1;" : "+f"(v) : "f"(low));
  asm("min.NaN.f32 %0, %0, %1;" : "+f"(v) : "f"(high));
  return v;
#else
  return v < low ? low : (v > high ? high : v);
#endif
}

/// sqrt(x^2 + y^2) within a unit in the last place: the hardware's root, whose error is at most 2^-23 of the value.
__device__ __forceinline__ float Length(float x, float y) {
  const float square = __fmaf_rn(x, x, __fmul_rn(y, y));
  float root;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(square));
  return root;
}

/// Alpha rule and offset of one pixel of C = 2 or 4 samples, alpha last.
template <int C>
__device__ __forceinline__ void FinishAlpha(const FinishParameters& f, float* v, const float* own) {
  float alpha = v[C - 1];
  if (f.alpha == AlphaRule::kGain) alpha = Divide(alpha, f.gain);
  if (f.alpha == AlphaRule::kWeightedOwn || f.alpha == AlphaRule::kOwn) alpha = own[C - 1];
  if (f.alpha == AlphaRule::kFull) alpha = f.full_scale;
  const bool weighted = f.alpha == AlphaRule::kGain || f.alpha == AlphaRule::kWeightedOwn;
  if (weighted) {
    const bool hidden = fabsf(alpha) < f.transparent;
    const float share = __fmul_rn(alpha, f.alpha_scale);
#pragma unroll
    for (int c = 0; c < C - 1; ++c) v[c] = hidden ? 0.0f : __fadd_rn(DivideBy(v[c], share), f.offset);
  } else {
#pragma unroll
    for (int c = 0; c < C - 1; ++c) v[c] = __fadd_rn(v[c], f.offset);
  }
  v[C - 1] = alpha;
}

/// Every step, for N samples (whole pixels where there is alpha) that are already divided by the divisor. `own` is read
/// only with kStepOwn.
template <int C, int N>
__device__ __forceinline__ void FinishSamples(const FinishParameters& f, float* v, const float* own) {
  if (f.steps & kStepMix) {
#pragma unroll
    for (int s = 0; s < N; ++s) {
      v[s] = __fmul_rn(v[s], f.result);
      if (f.steps & kStepMixInput) v[s] = __fmaf_rn(f.input, own[s], v[s]);
    }
  }
  bool alpha_kept = false;  // with alpha, every later step but the store's leaves it alone
  if constexpr (C == 2 || C == 4) {
    alpha_kept = (f.steps & kStepAlpha) != 0;
    if (alpha_kept) {
#pragma unroll
      for (int s = 0; s < N; s += C) FinishAlpha<C>(f, v + s, own + s);
    }
  }
#pragma unroll
  for (int s = 0; s < N; ++s) {
    if (alpha_kept && s % C == C - 1) {
      if (f.steps & kStepBoundAlpha) v[s] = Bounded(v[s], 0.0f, f.full_scale);
      continue;
    }
    if (f.steps & kStepOffset) v[s] = __fadd_rn(v[s], f.offset);
    if (f.steps & kStepAbsolute) v[s] = fabsf(v[s]);
    if (f.steps & kStepStretch) v[s] = __fmaf_rn(v[s], f.stretch, f.shift);
    if (f.steps & kStepFlat) v[s] = 0;
    if (f.steps & kStepBound) v[s] = Bounded(v[s], 0.0f, f.full_scale);
  }
  if (f.steps & kStepMultiply) {
#pragma unroll
    for (int s = 0; s < N; ++s) v[s] = __fmul_rn(v[s], f.store_factor);
  }
  if (f.steps & kStepDivide) {
#pragma unroll
    for (int s = 0; s < N; ++s) v[s] = Divide(v[s], f.store);
  }
}

/// The same where `simple` holds. With alpha, samples begin at a pixel's first.
template <int C, int N>
__device__ __forceinline__ void FinishSimply(const FinishParameters& f, float* v) {
  if (f.steps & kStepBound) {
#pragma unroll
    for (int s = 0; s < N; ++s) v[s] = Bounded(v[s], 0.0f, f.full_scale);
  }
  if constexpr (C == 2 || C == 4) {
    if (f.alpha == AlphaRule::kFull) {
#pragma unroll
      for (int s = C - 1; s < N; s += C) v[s] = f.full_scale;
    }
  }
}

}  // namespace convolve::cuda
