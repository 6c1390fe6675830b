// The box's way across, of two: a warp sums a segment of a row, whose samples lie in shared memory as they are stored.
// A number that is not finite would stay in a running sum for ever: where a segment has one, each result is summed by
// itself.
#include <cuda_pipeline_primitives.h>

#include <algorithm>

#include "cuda/border.cuh"
#include "cuda/box_launch.h"
#include "cuda/box_sums.cuh"
#include "cuda/channels.cuh"
#include "cuda/check.h"
#include "cuda/samples.cuh"

namespace convolve::cuda {
namespace {

constexpr int kMostWarps = 8;  // of a block

constexpr int kBlockBytes = 48 << 10;  // that several warps may share
/// Bytes of a warp's samples: up to 15 before the first, and what the last chunk reads in vain.
constexpr int SegmentBytes(int channels, int sample_bytes, int width) {
  const int chunk = ChunkOf(channels);
  const int pixels = (BoxSegment(width) + chunk - 1) / chunk * chunk + width;
  return (16 + pixels * channels * sample_bytes + 15) / 16 * 16;
}
constexpr int StagedBytes() { return 32 * kRun * 4; }

/// Fills a warp's samples, `pixels` of them from input position x on; returns where the first lies. E is T, or where
/// colour is multiplied by alpha what the product is kept as.
template <int C, typename T, typename E>
__device__ __forceinline__ E* FillSegment(const SourceParameters& source, int x, int row, int pixels, char* to) {
  constexpr bool kPremultiply = !std::is_same_v<T, E>;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const char* const data = static_cast<const char*>(source.data) + int64_t{row} * source.pitch;
  const int first = x - source.left;
  if (!kPremultiply && first >= 0 && first + pixels <= source.columns) {
    const int begin = first * C * static_cast<int>(sizeof(T));
    const int lead = begin & 15;
    // Buffer rows are padded: sixteen bytes that begin inside may be read to their end.
    for (int i = lane * 16; i < lead + pixels * C * static_cast<int>(sizeof(T)); i += 32 * 16) {
      __pipeline_memcpy_async(to + i, data + begin - lead + i, 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
    return reinterpret_cast<E*>(to + lead);
  }
  auto* const samples = reinterpret_cast<E*>(to);
#pragma unroll 1
  for (int i = lane; i < pixels; i += 32) {
    const int mapped = MapPosition(source.border, x + i, source.width);
    const T* const from = reinterpret_cast<const T*>(data) + min(max(mapped - source.left, 0), source.columns - 1) * C;
    if constexpr (!kPremultiply) {
#pragma unroll
      for (int c = 0; c < C; ++c) samples[i * C + c] = mapped < 0 ? static_cast<T>(source.outside[c]) : from[c];
    } else if constexpr (C % 2 == 0) {
      float pixel[C];
#pragma unroll
      for (int c = 0; c < C; ++c) pixel[c] = mapped < 0 ? source.outside[c] : static_cast<float>(from[c]);
      Premultiply<C>(pixel, source.alpha_scale);  // of bytes: whole, and below 2^16
#pragma unroll
      for (int c = 0; c < C; ++c) samples[i * C + c] = static_cast<E>(pixel[c]);
    }
  }
  __syncwarp();
  return samples;
}

/// Whether any of a warp's samples is not finite.
template <typename E>
__device__ __forceinline__ bool HoldsBroken(const E* samples, int count) {
  float none = 0;
  for (int i = static_cast<int>(threadIdx.x) % 32; i < count; i += 32) {
    none = __fmaf_rn(static_cast<float>(samples[i]), 0.0f, none);
  }
  return __any_sync(0xffffffffu, !(none == 0.0f));
}

/// Stores `count` results, `staged` in order, from `to` on, which is aligned like the first of a segment.
template <typename S>
__device__ __forceinline__ void StoreSums(const S* staged, int count, S* to) {
  constexpr int kUnit = 16 / sizeof(S);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (reinterpret_cast<uintptr_t>(to) % 16 == 0) {
    for (int i = lane; i < count / kUnit; i += 32) {
      reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(staged)[i];
    }
    for (int i = count / kUnit * kUnit + lane; i < count; i += 32) to[i] = staged[i];
  } else {
    for (int i = lane; i < count; i += 32) to[i] = staged[i];
  }
}

template <int C, typename T, typename E, BoxSums kSums>
__global__ void __launch_bounds__(32 * kMostWarps) AcrossKernel(const __grid_constant__ BoxLaunch launch) {
  constexpr bool kIntegers = kSums != BoxSums::kFloats;
  using Stored = RowSum<kSums>;
  extern __shared__ uint4 shared[];
  const SourceParameters& source = launch.job.source;
  const int width = launch.job.width;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int task = static_cast<int>(blockIdx.x) * static_cast<int>(blockDim.x / 32) + warp;
  const int row = task / launch.segments;
  const int segment = task - row * launch.segments;
  if (row >= source.rows) return;
  char* const room = reinterpret_cast<char*>(shared) + warp * (SegmentBytes(C, sizeof(E), width) + StagedBytes());
  auto* const staged = reinterpret_cast<Stored*>(room + SegmentBytes(C, sizeof(E), width));
  const int x = launch.first_x + segment * launch.segment;
  const int results = min(launch.segment, source.width - x);
  const E* const samples = FillSegment<C, T, E>(source, x - launch.job.anchor_x, row, results + width - 1, room);
  Stored* to = static_cast<Stored*>(launch.sums) + int64_t{row} * launch.sums_pitch + segment * launch.segment * C;

  if constexpr (!kIntegers && sizeof(T) == 4) {
    if (HoldsBroken(samples, (results + width - 1) * C)) {
#pragma unroll 1
      for (int i = lane; i < results * C; i += 32) {
        double sum = 0;
        for (int k = 0; k < width; ++k) sum += samples[i + k * C];
        to[i] = static_cast<float>(sum);
      }
      return;
    }
  }
  SumAcross<C, kIntegers>(
      samples, width, results, staged, [](auto sum) { return static_cast<Stored>(sum); },
      [&](int, int count) {
        StoreSums(staged, count * C, to);
        to += count * C;
      });
}

template <int C, typename T, typename E, BoxSums kSums>
void Launch(const BoxLaunch& launch, cudaStream_t stream) {
  // As many warps as share a block's memory so that several blocks find room.
  const int bytes = SegmentBytes(C, sizeof(E), launch.job.width) + StagedBytes();
  const int warps = std::clamp(kBlockBytes / bytes, 1, kMostWarps);
  const auto kernel = AcrossKernel<C, T, E, kSums>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes * warps),
        "shared memory of a box");
  const int tasks = launch.segments * launch.job.source.rows;
  kernel<<<(tasks + warps - 1) / warps, 32 * warps, bytes * warps, stream>>>(launch);
  Check(cudaGetLastError(), "box");
}

template <int C>
void LaunchChannels(const BoxLaunch& launch, BoxSums sums, cudaStream_t stream) {
  const SampleType type = launch.job.source.type;
  if constexpr (C % 2 == 0) {
    if (launch.job.source.premultiply) {
      if (type == SampleType::kU8 && sums == BoxSums::kIntegers) {
        return Launch<C, uint8_t, uint32_t, BoxSums::kIntegers>(launch, stream);
      }
      if (type == SampleType::kU8) return Launch<C, uint8_t, float, BoxSums::kFloats>(launch, stream);
      if (type == SampleType::kU16) return Launch<C, uint16_t, float, BoxSums::kFloats>(launch, stream);
      // The same type, so that what is multiplied must be told apart by a type of its own.
      return Launch<C, float, double, BoxSums::kFloats>(launch, stream);
    }
  }
  if (type == SampleType::kU8) {
    if (sums == BoxSums::kWords) return Launch<C, uint8_t, uint8_t, BoxSums::kWords>(launch, stream);
    if (sums == BoxSums::kIntegers) return Launch<C, uint8_t, uint8_t, BoxSums::kIntegers>(launch, stream);
    return Launch<C, uint8_t, uint8_t, BoxSums::kFloats>(launch, stream);
  }
  if (type == SampleType::kU16) {
    if (sums == BoxSums::kIntegers) return Launch<C, uint16_t, uint16_t, BoxSums::kIntegers>(launch, stream);
    return Launch<C, uint16_t, uint16_t, BoxSums::kFloats>(launch, stream);
  }
  Launch<C, float, float, BoxSums::kFloats>(launch, stream);
}

}  // namespace

bool BoxFits(int channels, int width, int shared_bytes) {
  // Colour times alpha of floats is kept in the widest elements.
  const int sample_bytes = channels % 2 == 0 ? 8 : 4;
  return SegmentBytes(channels, sample_bytes, width) + StagedBytes() <= shared_bytes;
}

void LaunchBoxAcross(const BoxLaunch& launch, BoxSums sums, int channels, cudaStream_t stream) {
  WithChannels(channels, [&](auto c) { LaunchChannels<c()>(launch, sums, stream); });
}

}  // namespace convolve::cuda
