// The FFT's way across: rows of the picture become their spectra; borders, alpha and sample types are resolved here.
#include "cuda/border.cuh"
#include "cuda/check.h"
#include "cuda/fft_lines.cuh"
#include "cuda/samples.cuh"

namespace convolve::cuda {
namespace {

/// Column of the buffer at picture position x, or -1 for the border's constant.
__device__ __forceinline__ int BufferColumn(const SourceParameters& source, int x) {
  const int column = x - source.left;
  if (static_cast<unsigned>(column) < static_cast<unsigned>(source.columns)) return column;
  const int mapped = MapPosition(source.border, x, source.width);
  return mapped < 0 ? -1 : min(max(mapped - source.left, 0), source.columns - 1);
}

__device__ __forceinline__ float WorkingSample(float sample) { return sample; }
__device__ __forceinline__ float WorkingSample(uint8_t sample) { return FloatOfBytes<0x7440>(sample); }
__device__ __forceinline__ float WorkingSample(uint16_t sample) { return FloatOfBytes<0x7410>(sample); }

/// Two channels of a pixel of C = 2 or 4.
template <int C, typename T>
__device__ __forceinline__ float2 ReadChannels(const SourceParameters& source, const T* row, int column, int channel) {
  if (source.premultiply) {
    float pixel[C];
    ReadPixel<C>(row + column * C, pixel);
    Premultiply<C>(pixel, source.alpha_scale);
    return C == 2 || channel == 0 ? make_float2(pixel[0], pixel[1]) : make_float2(pixel[C - 2], pixel[C - 1]);
  }
  const T* from = row + column * C + channel;
  if constexpr (sizeof(T) == 4) {
    return *reinterpret_cast<const float2*>(from);
  } else if constexpr (sizeof(T) == 2) {
    const uint32_t both = *reinterpret_cast<const uint32_t*>(from);
    return make_float2(FloatOfBytes<0x7510>(both), FloatOfBytes<0x7532>(both));
  } else {
    const uint32_t both = *reinterpret_cast<const uint16_t*>(from);
    return make_float2(FloatOfBytes<0x7540>(both), FloatOfBytes<0x7541>(both));
  }
}

/// The two real lines of a plane: for an even number of channels two channels of a tile, else a channel each.
struct FftLinePair {
  int x[2];  // position of the window's first point
  int channel[2];
};

template <int C>
__device__ __forceinline__ FftLinePair LinePair(const FftLaunch& launch, int plane) {
  constexpr int kPlanes = FftGroupPlanes(C);
  const int group = plane / kPlanes;
  const int first_tile = (launch.group + group) * FftGroupTiles(C);
  FftLinePair pair;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const int line = 2 * (plane - group * kPlanes) + i;
    pair.x[i] = (first_tile + line / C) * launch.shape.step_x - launch.anchor_x;
    pair.channel[i] = line % C;
  }
  return pair;
}

/// Points t + T j of a line pair; `row` is null where the whole row is the border's constant.
template <int C, int N, typename S>
__device__ __forceinline__ void LoadLine(const SourceParameters& source, const FftLinePair& pair, const S* row, int t,
                                         float2 (&v)[FftSize<N>::P]) {
  constexpr int T = FftSize<N>::T;
  float outside[4] = {source.outside[0], source.outside[1], source.outside[2], source.outside[3]};
  if constexpr (C % 2 == 0) {
    if (source.premultiply) Premultiply<C>(outside, source.alpha_scale);
  }
#pragma unroll
  for (int j = 0; j < FftSize<N>::P; ++j) {
    if constexpr (C % 2 == 0) {
      const int column = row == nullptr ? -1 : BufferColumn(source, pair.x[0] + t + T * j);
      if (column >= 0) {
        v[j] = ReadChannels<C>(source, row, column, pair.channel[0]);
      } else {
        v[j] =
            C == 2 || pair.channel[0] == 0 ? make_float2(outside[0], outside[1]) : make_float2(outside[2], outside[3]);
      }
    } else {
      float both[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int column = row == nullptr ? -1 : BufferColumn(source, pair.x[i] + t + T * j);
        both[i] = column >= 0 ? WorkingSample(row[column * C + pair.channel[i]]) : outside[0];
      }
      v[j] = make_float2(both[0], both[1]);
    }
  }
}

template <int C, int N>
__global__ void __launch_bounds__(kFftThreads, N == 256 ? 3 : 2) RowsForward(const __grid_constant__ FftLaunch launch) {
  using Rows = FftRows<N>;
  constexpr int T = FftSize<N>::T;
  extern __shared__ float2 exchange[];
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int t = lane / Rows::kPairs;
  const int64_t line = int64_t{blockIdx.x} * Rows::kLines + warp * Rows::kPairs + lane % Rows::kPairs;
  // The last block's spare threads repeat the last line, so that all of them reach the barriers.
  const int64_t lines = int64_t{launch.planes} * launch.window_rows;
  const auto index = static_cast<int>(min(line, lines - 1));
  const int plane = index % launch.planes;
  const int row = index / launch.planes;
  const SourceParameters& source = launch.source;
  const FftLinePair pair = LinePair<C>(launch, plane);
  const int y = launch.tile_y * launch.shape.step_y - launch.anchor_y + row;
  const int mapped = MapPosition(source.border, y, source.height);
  const int held = min(max(mapped - source.top, 0), source.rows - 1);
  const char* data = mapped < 0 ? nullptr : static_cast<const char*>(source.data) + int64_t{held} * source.pitch;
  float2 v[FftSize<N>::P];
  if (source.type == SampleType::kU8) {
    LoadLine<C, N>(source, pair, reinterpret_cast<const uint8_t*>(data), t, v);
  } else if (source.type == SampleType::kU16) {
    LoadLine<C, N>(source, pair, reinterpret_cast<const uint16_t*>(data), t, v);
  } else {
    LoadLine<C, N>(source, pair, reinterpret_cast<const float*>(data), t, v);
  }
  float2* own = exchange + warp * Rows::kWarpPoints + lane % Rows::kPairs;
  TransformLine<N, false, Rows::kPairs>(v, own, t, launch.roots_x, [] { __syncwarp(); });
  float2* to = launch.lines + (int64_t{plane} * launch.window_rows + row) * N + t;
#pragma unroll
  for (int m = 0; m < FftSize<N>::P; ++m) to[T * m] = v[m];
}

template <int C, int N>
void Launch(const FftLaunch& launch, cudaStream_t stream) {
  using Rows = FftRows<N>;
  const auto kernel = RowsForward<C, N>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, Rows::kBytes),
        "shared memory of an FFT");
  const int64_t lines = int64_t{launch.planes} * launch.window_rows;
  kernel<<<static_cast<unsigned>((lines + Rows::kLines - 1) / Rows::kLines), kFftThreads, Rows::kBytes, stream>>>(
      launch);
  Check(cudaGetLastError(), "FFT");
}

}  // namespace

void LaunchFftForward(const FftLaunch& launch, int channels, cudaStream_t stream) {
  WithChannelsAndPoints(channels, launch.shape.size_x, [&](auto c, auto points) {
    Launch<decltype(c)::value, decltype(points)::value>(launch, stream);
  });
}

}  // namespace convolve::cuda
