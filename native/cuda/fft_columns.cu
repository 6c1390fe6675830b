// The FFT's way down and up again: columns of the rows' spectra become the full spectrum, are multiplied by the
// kernel's and go back.
#include <algorithm>

#include "cuda/check.h"
#include "cuda/fft_lines.cuh"

namespace convolve::cuda {
namespace {

/// Columns: a block takes kAcross neighbouring frequencies of x, so that it reads whole sectors.
template <int N>
struct FftColumns {
  static constexpr int kAcross = kFftThreads / FftSize<N>::T;
  static constexpr int kBytes = kAcross * FftSize<N>::kExchangePoints * static_cast<int>(sizeof(float2));
};

template <int N>
__global__ void __launch_bounds__(kFftThreads, N == 256 ? 3 : 2)
    ColumnsOfTiles(const __grid_constant__ FftLaunch launch, int channels) {
  constexpr int kAcross = FftColumns<N>::kAcross;
  constexpr int T = FftSize<N>::T;
  constexpr int P = FftSize<N>::P;
  extern __shared__ float2 exchange[];
  const int across = static_cast<int>(threadIdx.x) % kAcross;
  const int t = static_cast<int>(threadIdx.x) / kAcross;
  const int size_x = launch.shape.size_x;
  const int x = static_cast<int>(blockIdx.y) * kAcross + across;
  const float2* const spectrum = launch.spectrum + x;
  const int tiles = launch.planes * launch.tiles_y;
  const int rows = launch.y1 - launch.y0;
#pragma unroll 1
  for (int tile = static_cast<int>(blockIdx.x); tile < tiles; tile += static_cast<int>(gridDim.x)) {
    const int plane = tile / launch.tiles_y;
    const int tile_y = tile - plane * launch.tiles_y;
    const int first = tile_y * launch.shape.step_y;
    const float2* from = launch.lines + (int64_t{plane} * launch.window_rows + first + t) * size_x + x;
    float2 v[P];
#pragma unroll
    for (int j = 0; j < P; ++j) v[j] = from[int64_t{T * j} * size_x];
    TransformLine<N, false, kAcross>(v, exchange + across, t, launch.roots_y, [] { __syncthreads(); });
#pragma unroll
    for (int m = 0; m < P; ++m) v[m] = Times(v[m], __ldg(spectrum + (t + T * m) * size_x));
    __syncthreads();
    TransformLine<N, true, kAcross>(v, exchange + across, t, launch.roots_y, [] { __syncthreads(); });
    // Every result depends on every point: one that is not finite spoils them all.
    if (launch.broken != nullptr && !(isfinite(v[0].x) && isfinite(v[0].y))) {
      const int planes = channels % 2 == 0 ? channels / 2 : channels;
      launch.broken[plane / planes * launch.tiles_y + tile_y] = 1;
    }
    const int y = (launch.tile_y + tile_y) * launch.shape.step_y - launch.y0;
    float2* to = launch.sums + int64_t{plane} * rows * size_x + x;
#pragma unroll
    for (int m = 0; m < P; ++m) {
      const int n = t + T * m;
      if (n < launch.shape.step_y && y + n >= 0 && y + n < rows) to[int64_t{y + n} * size_x] = v[m];
    }
    __syncthreads();
  }
}

template <int N>
void Launch(const FftLaunch& launch, int channels, int multiprocessors, cudaStream_t stream) {
  using Columns = FftColumns<N>;
  const auto kernel = ColumnsOfTiles<N>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Columns::kBytes),
        "shared memory of an FFT");
  int resident = 0;
  Check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kFftThreads, Columns::kBytes),
        "FFT occupancy");
  // Blocks that follow each other take the same frequencies of several tiles, so that the kernel's spectrum stays near.
  const int strips = launch.shape.size_x / Columns::kAcross;
  const int tiles = launch.planes * launch.tiles_y;
  const int slots = multiprocessors * std::max(1, resident);
  constexpr int kTilesEach = 4;
  const int blocks =
      std::clamp((tiles + kTilesEach - 1) / kTilesEach, std::min(tiles, (slots + strips - 1) / strips), 65535);
  kernel<<<dim3(blocks, strips), kFftThreads, Columns::kBytes, stream>>>(launch, channels);
  Check(cudaGetLastError(), "FFT");
}

}  // namespace

void LaunchFftColumns(const FftLaunch& launch, int channels, int multiprocessors, cudaStream_t stream) {
  switch (launch.shape.size_y) {
    case 256:
      return Launch<256>(launch, channels, multiprocessors, stream);
    case 512:
      return Launch<512>(launch, channels, multiprocessors, stream);
    default:
      return Launch<1024>(launch, channels, multiprocessors, stream);
  }
}

}  // namespace convolve::cuda
