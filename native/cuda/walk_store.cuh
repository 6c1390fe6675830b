// How a walk's finished rows leave: few tests in the frequent case, flags in registers.
#pragma once

#include "cuda/finish.cuh"
#include "cuda/samples.cuh"
#include "cuda/walk_shape.cuh"

namespace convolve::cuda {

template <int C, int kQuads>
__device__ __forceinline__ void PremultiplyQuads(float alpha_scale, float* v) {
#pragma unroll
  for (int s = 0; s < 4 * kQuads; s += C) Premultiply<C>(v + s, alpha_scale);
}

/// A value that stays in its register: the compiler would rather load kernel parameters again in every row, and each of
/// those loads stalls a warp.
__device__ __forceinline__ int Pinned(int value) {
  int pinned;
  asm volatile("mov.b32 %0, %1;" : "=r"(pinned) : "r"(value));
  return pinned;
}

/// How a thread's samples are finished and where they go.
struct WalkStore {
  static constexpr int kSimple = 1;  // FinishParameters::simple, and any division is a multiplication
  static constexpr int kMultiply = 2;
  static constexpr int kBound = 4;
  static constexpr int kFullAlpha = 8;
  static constexpr int kBytes = 16;  // the target is u8
  static constexpr int kWords = 32;  // u16

  int flags;
  int pitch;
  char* row;    // of the next output row, at the thread's first sample
  int before;   // samples that belong to no wanted pixel, at the front
  int wanted;   // samples up to the end of the wanted ones
  bool vector;  // all are wanted and lie aligned

  __device__ __forceinline__ WalkStore(const FinishParameters& finish, const TargetParameters& target, bool magnitude) {
    const bool corrects =
        finish.divisor.kind == DivisionKind::kCorrect || (magnitude && finish.divisor_y.kind == DivisionKind::kCorrect);
    const bool divides = magnitude || finish.divisor.kind != DivisionKind::kNone;
    flags = (finish.simple && !corrects ? kSimple : 0) | (divides ? kMultiply : 0) |
            ((finish.steps & kStepBound) != 0 ? kBound : 0) | (finish.alpha == AlphaRule::kFull ? kFullAlpha : 0) |
            (target.type == SampleType::kU8 ? kBytes : 0) | (target.type == SampleType::kU16 ? kWords : 0);
    flags = Pinned(flags);
    pitch = Pinned(target.pitch);
  }
  __device__ __forceinline__ SampleType type() const {
    return (flags & kBytes) != 0 ? SampleType::kU8 : ((flags & kWords) != 0 ? SampleType::kU16 : SampleType::kF32);
  }
};

template <int kQuads>
__device__ __forceinline__ void WriteRow(const WalkStore& store, const float* value) {
  if (store.vector) {
    WriteQuads<kQuads>(store.row, store.type(), value);
  } else {
#pragma unroll
    for (int s = 0; s < 4 * kQuads; ++s) {
      if (s >= store.before && s < store.wanted) WriteSample(store.row, s, store.type(), value[s]);
    }
  }
}

/// Finishes and stores a thread's samples of output row y. `other`: a magnitude's second sums.
template <bool kMagnitude, typename T, int C, int kQuads, bool kPremultiply>
__device__ __forceinline__ void StoreValues(const SourceParameters& source, const FinishParameters& finish,
                                            const WalkStore& store, int sample, int y, float (&value)[4 * kQuads],
                                            float (&other)[4 * kQuads]) {
  constexpr int kSamples = 4 * kQuads;
  if (store.flags & WalkStore::kSimple) {
    if (store.flags & WalkStore::kMultiply) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) {
        value[s] = __fmul_rn(value[s], finish.divisor.reciprocal);
        if constexpr (kMagnitude) value[s] = Length(value[s], __fmul_rn(other[s], finish.divisor_y.reciprocal));
      }
    }
    if (store.flags & WalkStore::kBound) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) value[s] = Bounded(value[s], 0.0f, finish.full_scale);
    }
    if (C == 4 && (store.flags & WalkStore::kFullAlpha)) {
#pragma unroll
      for (int s = 3; s < kSamples; s += 4) value[s] = finish.full_scale;
    }
  } else {
    DivideSamples<kSamples>(finish.divisor, value);
    if constexpr (kMagnitude) {
      DivideSamples<kSamples>(finish.divisor_y, other);
#pragma unroll
      for (int s = 0; s < kSamples; ++s) value[s] = Length(value[s], other[s]);
    }
    float own[kSamples];
    if (finish.steps & kStepOwn) {
      // Rows are padded: quads that begin inside a row may be read to their end.
      const T* from =
          reinterpret_cast<const T*>(static_cast<const char*>(source.data) + int64_t{y - source.top} * source.pitch) +
          sample;
#pragma unroll
      for (int q = 0; q < kQuads; ++q) Unpack(ReadQuad(from + 4 * q), own + 4 * q);
      if constexpr (kPremultiply) PremultiplyQuads<C, kQuads>(source.alpha_scale, own);
    }
    FinishSamples<C, kSamples>(finish, value, own);
  }
  WriteRow<kQuads>(store, value);
}

}  // namespace convolve::cuda
