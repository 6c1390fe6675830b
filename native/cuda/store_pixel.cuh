// The last step of the kernels that own columns of pixels: sums to stored pixels, or to partial sums.
#pragma once

#include "cuda/finish.cuh"
#include "cuda/samples.cuh"

namespace convolve::cuda {

template <int C, SampleType kType>
__device__ __forceinline__ void WritePixelAs(char* to, const float* v) {
  if constexpr (C == 4) {
    if constexpr (kType == SampleType::kU8) {
      *reinterpret_cast<uint32_t*>(to) = PackBytes(v);
    } else if constexpr (kType == SampleType::kU16) {
      *reinterpret_cast<uint2*>(to) = make_uint2(PackWords(v[0], v[1]), PackWords(v[2], v[3]));
    } else {
      *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
    }
  } else {
#pragma unroll
    for (int c = 0; c < C; ++c) WriteSample(to, c, kType, v[c]);
  }
}

constexpr int BytesOf(SampleType type) { return type == SampleType::kU8 ? 1 : (type == SampleType::kU16 ? 2 : 4); }

template <int C>
__device__ __forceinline__ char* PixelAddress(const TargetParameters& target, int x, int y) {
  const int bytes = target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4);
  return static_cast<char*>(target.data) + int64_t{y - target.top} * target.pitch +
         int64_t{x - target.left} * C * bytes;
}

template <int C>
__device__ __forceinline__ void WritePixel(const TargetParameters& target, int x, int y, const float* v) {
  char* to = PixelAddress<C>(target, x, y);
  if (target.type == SampleType::kU8) {
    WritePixelAs<C, SampleType::kU8>(to, v);
  } else if (target.type == SampleType::kU16) {
    WritePixelAs<C, SampleType::kU16>(to, v);
  } else {
    WritePixelAs<C, SampleType::kF32>(to, v);
  }
}

/// Everything that a pixel may need. `sums` are replaced by the stored values; `others` are a magnitude's second sums.
template <int C, bool kMagnitude>
__device__ __forceinline__ void StoreAnyPixel(const OutputParameters& output, int x, int y, float* sums,
                                              const float* others) {
  if (output.rule == SumRule::kAdd || output.rule == SumRule::kAddFinish) {
    const char* row =
        reinterpret_cast<const char*>(output.partial) + int64_t{y - output.partial_top} * output.partial_pitch;
    const float* partial = reinterpret_cast<const float*>(row) + int64_t{x - output.partial_left} * C;
#pragma unroll
    for (int c = 0; c < C; ++c) sums[c] = __fadd_rn(sums[c], partial[c]);
  }
  if (output.rule == SumRule::kFinish || output.rule == SumRule::kAddFinish) {
#pragma unroll
    for (int c = 0; c < C; ++c) {
      sums[c] = Divide(sums[c], output.finish.divisor);
      if constexpr (kMagnitude) sums[c] = Length(sums[c], Divide(others[c], output.finish.divisor_y));
    }
    float own[C];
    if (output.finish.steps & kStepOwn) LoadOwn<C>(output.own, x, y, own);
    FinishSamples<C, C>(output.finish, sums, own);
  }
  WritePixel<C>(output.target, x, y, sums);
}

template <int C, int P, SampleType kType>
__device__ __forceinline__ void WriteColumn(const TargetParameters& target, int x, int y, int first, int end,
                                            const float (&v)[P][C]) {
  char* to = PixelAddress<C>(target, x, y);
#pragma unroll
  for (int p = 0; p < P; ++p) {
    if (p >= first && p < end) WritePixelAs<C, kType>(to, v[p]);
    to += target.pitch;
  }
}

/// A column of P pixels from (x, y) down, a position of the input; pixels first ... end - 1 are stored. `others` as
/// above, P of them for a magnitude.
template <int C, int P, bool kMagnitude, int Q>
__device__ __forceinline__ void StoreColumn(const OutputParameters& output, int x, int y, int first, int end,
                                            float (&sums)[P][C], const float (&others)[Q][C]) {
  if (output.rule == SumRule::kFinish && output.finish.simple && !kMagnitude) {
    DivideSamples<P * C>(output.finish.divisor, sums[0]);
    FinishSimply<C, P * C>(output.finish, sums[0]);
    const TargetParameters& target = output.target;
    if (target.type == SampleType::kU8) {
      WriteColumn<C, P, SampleType::kU8>(target, x, y, first, end, sums);
    } else if (target.type == SampleType::kU16) {
      WriteColumn<C, P, SampleType::kU16>(target, x, y, first, end, sums);
    } else {
      WriteColumn<C, P, SampleType::kF32>(target, x, y, first, end, sums);
    }
    return;
  }
#pragma unroll
  for (int p = 0; p < P; ++p) {
    if (p >= first && p < end) StoreAnyPixel<C, kMagnitude>(output, x, y + p, sums[p], others[kMagnitude ? p : 0]);
  }
}

}  // namespace convolve::cuda
