// The last step of the kernels that write pixel by pixel: sums to a stored pixel, or to a partial sum.
#pragma once

#include "cuda/finish.cuh"
#include "cuda/samples.cuh"

namespace convolve::cuda {

template <int C>
__device__ __forceinline__ void WritePixel(const TargetParameters& target, int x, int y, const float* v) {
  char* row = static_cast<char*>(target.data) + (y - target.top) * target.pitch;
  const int64_t sample = int64_t{x - target.left} * C;
  if constexpr (C == 4) {
    const int bytes = target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4);
    WriteQuads<1>(row + sample * bytes, target.type, v);
  } else {
#pragma unroll
    for (int c = 0; c < C; ++c) WriteSample(row, sample + c, target.type, v[c]);
  }
}

/// `sums` and, for a magnitude, `others` are the sums of one pixel at (x, y), a position of the input.
template <int C, bool kMagnitude>
__device__ __forceinline__ void StorePixel(const OutputParameters& output, int x, int y, const float* sums,
                                           const float* others) {
  float value[C];
#pragma unroll
  for (int c = 0; c < C; ++c) value[c] = sums[c];
  if (output.rule == SumRule::kAdd || output.rule == SumRule::kAddFinish) {
    const char* row = reinterpret_cast<const char*>(output.partial) + (y - output.partial_top) * output.partial_pitch;
    const float* partial = reinterpret_cast<const float*>(row) + int64_t{x - output.partial_left} * C;
#pragma unroll
    for (int c = 0; c < C; ++c) value[c] = __fadd_rn(value[c], partial[c]);
  }
  if (output.rule == SumRule::kFinish || output.rule == SumRule::kAddFinish) {
#pragma unroll
    for (int c = 0; c < C; ++c) {
      value[c] = Divide(value[c], output.finish.divisor);
      if constexpr (kMagnitude) value[c] = Length(value[c], Divide(others[c], output.finish.divisor_y));
    }
    float own[C];
    if (output.finish.steps & kStepOwn) LoadOwn<C>(output.own, x, y, own);
    FinishSamples<C, C>(output.finish, value, own);
  }
  WritePixel<C>(output.target, x, y, value);
}

}  // namespace convolve::cuda
