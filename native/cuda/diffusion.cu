// A thread for each pixel: it reads the pixel and its four neighbours, which the first-level cache holds for the
// threads around it, and adds what flows in from each.
#include "cuda/diffusion.h"

#include <cstdint>

#include "cuda/border.cuh"
#include "cuda/channels.cuh"
#include "cuda/check.h"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kColumns = 32;
constexpr int kRows = 8;

/// The working values at a position of the picture or beside it.
template <int C, typename T>
__device__ __forceinline__ void ReadWorking(const SourceParameters& source, int x, int y, float* pixel) {
  const int column = MapPosition(source.border, x, source.width);
  const int row = MapPosition(source.border, y, source.height);
  if (column < 0 || row < 0) {
#pragma unroll
    for (int c = 0; c < C; ++c) pixel[c] = source.outside[c];
  } else {
    const char* const from = static_cast<const char*>(source.data) + int64_t{row - source.top} * source.pitch;
    ReadPixel<C>(reinterpret_cast<const T*>(from) + int64_t{column - source.left} * C, pixel);
  }
  if constexpr (C == 2 || C == 4) {
    if (source.premultiply) Premultiply<C>(pixel, source.alpha_scale);
  }
}

__device__ __forceinline__ float Stopping(EdgeStopping stopping, float ratio) {
  return stopping == EdgeStopping::kRational ? __fdiv_rn(1.0f, __fadd_rn(1.0f, ratio)) : expf(-ratio);
}

/// Adds what flows from the neighbour at (x, y) to the pixel.
template <int C, typename T>
__device__ __forceinline__ void AddFlow(const DiffusionJob& job, int x, int y, const float* own, float* flows) {
  const DiffusionParameters& step = job.step;
  float difference[C];
  ReadWorking<C, T>(job.source, x, y, difference);
  float ratio = 0;
#pragma unroll
  for (int c = 0; c < C; ++c) {
    difference[c] = __fsub_rn(difference[c], own[c]);
    if (c >= step.colours && step.per_alpha == 0) continue;
    const float scaled = __fmul_rn(difference[c], c < step.colours ? step.per_colour : step.per_alpha);
    ratio = __fmaf_rn(scaled, scaled, ratio);
  }
  const float share = Stopping(step.stopping, ratio);
#pragma unroll
  for (int c = 0; c < C; ++c) flows[c] = __fmaf_rn(share, difference[c], flows[c]);
}

template <int C, typename T>
__global__ void __launch_bounds__(kColumns* kRows) DiffusionKernel(const __grid_constant__ DiffusionJob job) {
  const TargetParameters& target = job.output.target;
  const int x = target.x0 + static_cast<int>(blockIdx.x) * kColumns + static_cast<int>(threadIdx.x) % kColumns;
  const int y = target.y0 + static_cast<int>(blockIdx.y) * kRows + static_cast<int>(threadIdx.x) / kColumns;
  if (x >= target.x1 || y >= target.y1) return;
  float own[C];
  ReadWorking<C, T>(job.source, x, y, own);
  float flows[C] = {};
  AddFlow<C, T>(job, x, y - 1, own, flows);
  AddFlow<C, T>(job, x - 1, y, own, flows);
  AddFlow<C, T>(job, x + 1, y, own, flows);
  AddFlow<C, T>(job, x, y + 1, own, flows);
#pragma unroll
  for (int c = 0; c < C; ++c) own[c] = __fmaf_rn(job.step.rate, flows[c], own[c]);
  StoreAnyPixel<C, false>(job.output, x, y, own, nullptr);
}

template <int C>
void Launch(DiffusionJob job, cudaStream_t stream) {
  // More rows than a grid may have blocks for are another launch.
  constexpr int kMostRows = 65535 * kRows;
  TargetParameters& target = job.output.target;
  for (const int end = target.y1; target.y0 < end; target.y0 = target.y1) {
    target.y1 = end - target.y0 > kMostRows ? target.y0 + kMostRows : end;
    const dim3 grid((target.x1 - target.x0 + kColumns - 1) / kColumns, (target.y1 - target.y0 + kRows - 1) / kRows);
    switch (job.source.type) {
      case SampleType::kU8:
        DiffusionKernel<C, uint8_t><<<grid, kColumns * kRows, 0, stream>>>(job);
        break;
      case SampleType::kU16:
        DiffusionKernel<C, uint16_t><<<grid, kColumns * kRows, 0, stream>>>(job);
        break;
      default:
        DiffusionKernel<C, float><<<grid, kColumns * kRows, 0, stream>>>(job);
        break;
    }
    Check(cudaGetLastError(), "diffusion");
  }
}

}  // namespace

void LaunchDiffusion(const DiffusionJob& job, int channels, cudaStream_t stream) {
  WithChannels(channels, [&](auto c) { Launch<c()>(job, stream); });
}

}  // namespace convolve::cuda
