// The sparse sum, on the device: a thread sums P pixels below each other, tap after tap; all threads take the same tap,
// so that neighbours read neighbours and the first-level cache holds what they share. Blocks whose taps all lie inside
// the picture add offsets; the others resolve the border at each tap.
#include "cuda/sparse.h"

#include <algorithm>
#include <cstdint>

#include "cuda/border.cuh"
#include "cuda/channels.cuh"
#include "cuda/check.h"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kRows = 4;  // a thread's pixels
/// Multiply-adds a launch; see tile.cu.
constexpr int64_t kLaunchWork = int64_t{100} * 1000 * 1000 * 1000;
constexpr int kChunk = 64;  // taps summed from 0, then added to the total: keeps the rounding of many taps small

template <typename T>
__device__ __forceinline__ const T* RowOf(const SourceParameters& source, int row) {
  return reinterpret_cast<const T*>(static_cast<const char*>(source.data) + int64_t{row} * source.pitch);
}

template <int C, typename T>
__device__ __forceinline__ void ReadWorking(const SourceParameters& source, const T* from, float* pixel) {
  ReadPixel<C>(from, pixel);
  if constexpr (C == 2 || C == 4) {
    if (source.premultiply) Premultiply<C>(pixel, source.alpha_scale);
  }
}

template <int C, typename T>
__device__ __forceinline__ void AddInside(const SparseJob& job, int x, int y, int first, int end,
                                          float (&sums)[kRows][C]) {
  const SourceParameters& source = job.source;
  const T* const own = RowOf<T>(source, y - source.top) + (x - source.left) * C;
  const int pitch = source.pitch / static_cast<int>(sizeof(T));
#pragma unroll 2
  for (int i = first; i < end; ++i) {
    const int4 raw = __ldg(reinterpret_cast<const int4*>(job.taps) + i);
    const T* from = own + int64_t{raw.y} * pitch + raw.x * C;
#pragma unroll
    for (int p = 0; p < kRows; ++p) {
      float pixel[C];
      ReadWorking<C>(source, from + p * pitch, pixel);
#pragma unroll
      for (int c = 0; c < C; ++c) sums[p][c] = __fmaf_rn(__int_as_float(raw.z), pixel[c], sums[p][c]);
    }
  }
}

template <int C, typename T>
__device__ __forceinline__ void AddAcross(const SparseJob& job, int x, int y, int first, int end,
                                          float (&sums)[kRows][C]) {
  const SourceParameters& source = job.source;
  float outside[4] = {source.outside[0], source.outside[1], source.outside[2], source.outside[3]};
  if constexpr (C == 2 || C == 4) {
    if (source.premultiply) Premultiply<C>(outside, source.alpha_scale);
  }
#pragma unroll 1
  for (int i = first; i < end; ++i) {
    const int4 raw = __ldg(reinterpret_cast<const int4*>(job.taps) + i);
    const int column = MapPosition(source.border, x + raw.x, source.width);
    const int held = min(max(column - source.left, 0), source.columns - 1);
#pragma unroll
    for (int p = 0; p < kRows; ++p) {
      const int row = MapPosition(source.border, y + p + raw.y, source.height);
      float pixel[C];
      ReadWorking<C>(source, RowOf<T>(source, min(max(row - source.top, 0), source.rows - 1)) + held * C, pixel);
#pragma unroll
      for (int c = 0; c < C; ++c) {
        const float sample = column < 0 || row < 0 ? outside[c] : pixel[c];
        sums[p][c] = __fmaf_rn(__int_as_float(raw.z), sample, sums[p][c]);
      }
    }
  }
}

template <int C, typename T>
__global__ void __launch_bounds__(32 * kWarps) SparseKernel(const __grid_constant__ SparseJob job) {
  const TargetParameters& target = job.output.target;
  const SourceParameters& source = job.source;
  const int block_x = target.x0 + static_cast<int>(blockIdx.x) * 32;
  const int block_y = target.y0 + static_cast<int>(blockIdx.y) * kWarps * kRows;
  const bool inside = block_x - job.left >= source.left && block_x + 31 + job.right < source.left + source.columns &&
                      block_y - job.top >= source.top &&
                      block_y + kWarps * kRows - 1 + job.bottom < source.top + source.rows;
  const int x = block_x + static_cast<int>(threadIdx.x) % 32;
  const int y = block_y + static_cast<int>(threadIdx.x) / 32 * kRows;
  if (x >= target.x1) return;
  float totals[kRows][C] = {};
#pragma unroll 1
  for (int first = 0; first < job.count; first += kChunk) {
    const int end = min(first + kChunk, job.count);
    float sums[kRows][C] = {};
    if (inside) {
      AddInside<C, T>(job, x, y, first, end, sums);
    } else {
      AddAcross<C, T>(job, x, y, first, end, sums);
    }
#pragma unroll
    for (int p = 0; p < kRows; ++p) {
#pragma unroll
      for (int c = 0; c < C; ++c) totals[p][c] = __fadd_rn(totals[p][c], sums[p][c]);
    }
  }
  const float none[1][C] = {};
  StoreColumn<C, kRows, false>(job.output, x, y, 0, target.y1 - y, totals, none);
}

template <int C>
void Launch(SparseJob job, cudaStream_t stream, const std::function<void()>& between) {
  TargetParameters& target = job.output.target;
  constexpr int kBlockRows = kWarps * kRows;
  const int64_t block_work = int64_t{target.x1 - target.x0} * kBlockRows * C * std::max(1, job.count);
  const int band = static_cast<int>(std::clamp<int64_t>(kLaunchWork / block_work, 1, 65535)) * kBlockRows;
  const int end = target.y1;
  for (int y = target.y0; y < end; y += band) {
    target.y0 = y;
    target.y1 = std::min(y + band, end);
    const dim3 grid((target.x1 - target.x0 + 31) / 32, (target.y1 - y + kBlockRows - 1) / kBlockRows);
    between();
    switch (job.source.type) {
      case SampleType::kU8:
        SparseKernel<C, uint8_t><<<grid, 32 * kWarps, 0, stream>>>(job);
        break;
      case SampleType::kU16:
        SparseKernel<C, uint16_t><<<grid, 32 * kWarps, 0, stream>>>(job);
        break;
      default:
        SparseKernel<C, float><<<grid, 32 * kWarps, 0, stream>>>(job);
        break;
    }
    Check(cudaGetLastError(), "sparse");
  }
}

}  // namespace

void LaunchSparse(const SparseJob& job, int channels, cudaStream_t stream, const std::function<void()>& between) {
  WithChannels(channels, [&](auto c) { Launch<c()>(job, stream, between); });
}

}  // namespace convolve::cuda
