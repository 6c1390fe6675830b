// The FFT's way back: rows of spectra become results, which are finished and stored.
#include "cuda/check.h"
#include "cuda/column_sums.cuh"
#include "cuda/fft_lines.cuh"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

/// Groups of tiles that a block takes back: as many as fill its threads, lines in whole warps.
template <int C, int N>
struct FftBack {
  static constexpr int kGroupThreads = FftGroupPlanes(C) * FftSize<N>::T;
  static constexpr int kGroups = C == 3 ? 128 / kGroupThreads * 2 : kFftThreads / kGroupThreads;
  static constexpr int kThreads = kGroups * kGroupThreads;
  static constexpr int kBytes = kThreads / 32 * FftRows<N>::kWarpPoints * static_cast<int>(sizeof(float2));
};

template <int C, int N>
__global__ void __launch_bounds__(FftBack<C, N>::kThreads, N == 256 ? 3 : 2)
    RowsBack(const __grid_constant__ FftLaunch launch) {
  using Rows = FftRows<N>;
  using Back = FftBack<C, N>;
  constexpr int T = FftSize<N>::T;
  constexpr int P = FftSize<N>::P;
  constexpr int kPlanes = FftGroupPlanes(C);
  constexpr int kTiles = FftGroupTiles(C);
  static_assert(Back::kThreads % 32 == 0);
  static_assert(Back::kBytes >= Back::kGroups * kTiles * N * C * static_cast<int>(sizeof(float)));
  extern __shared__ float2 exchange[];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int t = lane / Rows::kPairs;
  const int local = warp * Rows::kPairs + lane % Rows::kPairs;  // the block's line
  const int rows = launch.y1 - launch.y0;
  const int64_t units = int64_t{launch.groups} * rows;
  const int64_t first_unit = int64_t{blockIdx.x} * Back::kGroups;
  float2 v[P];
  {
    const auto unit = static_cast<int>(min(first_unit + local / kPlanes, units - 1));
    const int plane = unit % launch.groups * kPlanes + local % kPlanes;
    const float2* from = launch.sums + (int64_t{plane} * rows + unit / launch.groups) * N + t;
#pragma unroll
    for (int m = 0; m < P; ++m) v[m] = from[T * m];
  }
  float2* own = exchange + warp * Rows::kWarpPoints + lane % Rows::kPairs;
  TransformLine<N, true, Rows::kPairs>(v, own, t, launch.roots_x, [] { __syncwarp(); });
  __syncthreads();
  // Lines become pixels: [group][tile][point][channel].
  float* const pixels = reinterpret_cast<float*>(exchange);
  {
    float* const to = pixels + local / kPlanes * (kTiles * N * C);
    const int line = local % kPlanes * 2;
#pragma unroll
    for (int m = 0; m < P; ++m) {
      if (launch.whole) v[m] = make_float2(rintf(v[m].x), rintf(v[m].y));
      if constexpr (C % 2 == 0) {
        *reinterpret_cast<float2*>(to + (t + T * m) * C + line) = v[m];
      } else {
        to[(line / C * N + t + T * m) * C + line % C] = v[m].x;
        to[((line + 1) / C * N + t + T * m) * C + (line + 1) % C] = v[m].y;
      }
    }
  }
  __syncthreads();
  const TargetParameters& target = launch.output.target;
  const int step = launch.shape.step_x;
#pragma unroll 1
  for (int group = 0; group < Back::kGroups; ++group) {
    const int64_t unit = first_unit + group;
    if (unit >= units) break;
    const int y = launch.y0 + static_cast<int>(unit) / launch.groups;
    const int tile = (launch.group + static_cast<int>(unit) % launch.groups) * kTiles;
    const float* from = pixels + group * (kTiles * N * C);
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < kTiles * step; i += Back::kThreads) {
      const int part = i / step;
      const int x = tile * step + i;
      if (x < target.x0 || x >= target.x1) continue;
      float sums[1][C];
      ReadShared<C>(from + (part * N + i - part * step) * C, sums[0]);
      if (launch.colour != 1) {
#pragma unroll
        for (int c = 0; c < C - 1; ++c) sums[0][c] = __fmul_rn(sums[0][c], launch.colour);
      }
      const float none[1][C] = {};
      StoreColumn<C, 1, false>(launch.output, x, y, 0, 1, sums, none);
    }
  }
}

template <int C, int N>
void Launch(const FftLaunch& launch, cudaStream_t stream) {
  using Back = FftBack<C, N>;
  const auto kernel = RowsBack<C, N>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Back::kBytes),
        "shared memory of an FFT");
  const int64_t units = int64_t{launch.groups} * (launch.y1 - launch.y0);
  const auto blocks = static_cast<unsigned>((units + Back::kGroups - 1) / Back::kGroups);
  kernel<<<blocks, Back::kThreads, Back::kBytes, stream>>>(launch);
  Check(cudaGetLastError(), "FFT");
}

}  // namespace

void LaunchFftBack(const FftLaunch& launch, int channels, cudaStream_t stream) {
  WithChannelsAndPoints(channels, launch.shape.size_x, [&](auto c, auto points) {
    Launch<decltype(c)::value, decltype(points)::value>(launch, stream);
  });
}

}  // namespace convolve::cuda
