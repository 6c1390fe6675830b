// Block means by groups of lanes, one group an output pixel; extremes by atomics on ordered keys; opacity by a vote.
#include "cuda/reduce.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "cuda/check.h"

namespace convolve::cuda {
namespace {

constexpr int kThreads = 256;

template <typename T, typename Out>
__device__ Out Quotient(uint64_t sum, uint64_t count) {
  const uint64_t quotient = sum / count;
  const uint64_t remainder = sum % count;
  return static_cast<Out>(remainder >= count - remainder ? quotient + 1 : quotient);
}
template <typename T, typename Out>
__device__ Out Quotient(double sum, double count) {
  return static_cast<Out>(sum / count);
}

/// `lanes` (a power of two, at most 32) neighbouring threads share an output pixel: they take every lanes-th column of
/// its block, row after row, so the order of the sums depends on nothing but the place within the block.
template <typename T, typename Out>
__global__ void __launch_bounds__(kThreads) ReduceKernel(const __grid_constant__ ReduceJob job, int lanes) {
  using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;
  const int64_t thread = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t pixel = thread / lanes;
  const int lane = static_cast<int>(thread % lanes);
  const int64_t pixels = int64_t{job.target_width} * job.target_height;
  const int x = static_cast<int>(pixel % job.target_width);
  const int y = static_cast<int>(pixel / job.target_width);
  const int channels = job.channels;
  const int colours = job.alpha ? channels - 1 : channels;
  const int64_t block = int64_t{1} << job.level;
  const int left = static_cast<int>(x * block);
  const int top = static_cast<int>(y * block);
  const int right = static_cast<int>(min(left + block, int64_t{job.width}));
  const int bottom = static_cast<int>(min(top + block, int64_t{job.height}));
  Sum sums[4] = {};
  if (pixel < pixels) {
    for (int row = top; row < bottom; ++row) {
      const T* from = reinterpret_cast<const T*>(static_cast<const char*>(job.source) + row * job.source_pitch);
      for (int column = left + lane; column < right; column += lanes) {
        const T* sample = from + int64_t{column} * channels;
        const Sum weight = job.alpha ? static_cast<Sum>(sample[colours]) : Sum{1};
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          if (c < colours) sums[c] += static_cast<Sum>(sample[c]) * weight;
        }
        if (job.alpha) sums[3] += weight;
      }
    }
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    for (int away = lanes / 2; away > 0; away /= 2) sums[c] += __shfl_xor_sync(0xffffffffu, sums[c], away);
  }
  if (pixel >= pixels || lane != 0) return;
  Out* out = reinterpret_cast<Out*>(static_cast<char*>(job.target) + y * job.target_pitch) + int64_t{x} * channels;
  const Sum count = static_cast<Sum>(int64_t{bottom - top} * (right - left));
  const Sum weights = job.alpha ? sums[3] : count;
  bool hidden = false;
  if (job.alpha) {
    if constexpr (std::is_integral_v<T>) {
      hidden = weights == 0;
    } else {
      hidden = fabs(weights) < 1e-6 * count;
    }
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    if (c < colours) out[c] = hidden ? Out{0} : Quotient<T, Out>(sums[c], weights);
  }
  if (job.alpha) out[colours] = Quotient<T, Out>(weights, count);
}

template <typename T, typename Out>
void Launch(const ReduceJob& job, cudaStream_t stream) {
  const int lanes = 1 << std::min(job.level, 5);
  const int64_t threads = int64_t{job.target_width} * job.target_height * lanes;
  const auto blocks = static_cast<unsigned>((threads + kThreads - 1) / kThreads);
  ReduceKernel<T, Out><<<blocks, kThreads, 0, stream>>>(job, lanes);
  Check(cudaGetLastError(), "reduce");
}

/// Larger floats have larger keys; not for not-a-number.
__device__ uint32_t KeyOf(float value) {
  const uint32_t bits = __float_as_uint(value);
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

__global__ void __launch_bounds__(kThreads) ExtremesKernel(const float* source, int64_t pitch, int width, int height,
                                                           int channels, int colours, uint32_t* keys) {
  uint32_t smallest = kNoMinimum;
  uint32_t largest = kNoMaximum;
  for (int y = blockIdx.y; y < height; y += gridDim.y) {
    const float* row = reinterpret_cast<const float*>(reinterpret_cast<const char*>(source) + y * pitch);
    for (int x = blockIdx.x * kThreads + threadIdx.x; x < width; x += gridDim.x * kThreads) {
      for (int c = 0; c < colours; ++c) {
        const float value = row[int64_t{x} * channels + c];
        if (isnan(value)) continue;
        smallest = min(smallest, KeyOf(value));
        largest = max(largest, KeyOf(value));
      }
    }
  }
  for (int away = 16; away > 0; away /= 2) {
    smallest = min(smallest, __shfl_xor_sync(0xffffffffu, smallest, away));
    largest = max(largest, __shfl_xor_sync(0xffffffffu, largest, away));
  }
  if (threadIdx.x % 32 == 0) {
    atomicMin(&keys[0], smallest);
    atomicMax(&keys[1], largest);
  }
}

template <typename T>
__global__ void __launch_bounds__(kThreads)
    OpaqueKernel(const char* source, int64_t pitch, int width, int height, int channels, T full, uint32_t* opaque) {
  bool all = true;
  for (int y = blockIdx.y; y < height; y += gridDim.y) {
    const T* row = reinterpret_cast<const T*>(source + y * pitch);
    for (int x = blockIdx.x * kThreads + threadIdx.x; x < width; x += gridDim.x * kThreads) {
      all = all && row[int64_t{x} * channels + channels - 1] == full;
    }
  }
  if (!__syncthreads_and(all) && threadIdx.x == 0) *opaque = 0;
}

dim3 GridFor(int width, int height) {
  return dim3(static_cast<unsigned>(std::min((width + kThreads - 1) / kThreads, 64)),
              static_cast<unsigned>(std::min(height, 1024)));
}

}  // namespace

void LaunchReduce(const ReduceJob& job, cudaStream_t stream) {
  switch (job.source_type) {
    case SampleType::kU8:
      return Launch<uint8_t, uint8_t>(job, stream);
    case SampleType::kU16:
      return Launch<uint16_t, uint16_t>(job, stream);
    default:
      return job.target_type == SampleType::kF64 ? Launch<float, double>(job, stream)
                                                 : Launch<float, float>(job, stream);
  }
}

void LaunchExtremes(const float* source, int64_t pitch, int width, int height, int channels, bool alpha, uint32_t* keys,
                    cudaStream_t stream) {
  ExtremesKernel<<<GridFor(width, height), kThreads, 0, stream>>>(source, pitch, width, height, channels,
                                                                  alpha ? channels - 1 : channels, keys);
  Check(cudaGetLastError(), "extremes");
}

float KeyValue(uint32_t key) {
  const uint32_t bits = (key & 0x80000000u) != 0 ? key & 0x7fffffffu : ~key;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void LaunchOpaque(const void* source, int64_t pitch, int width, int height, int channels, SampleType type,
                  uint32_t* opaque, cudaStream_t stream) {
  const dim3 grid = GridFor(width, height);
  const char* data = static_cast<const char*>(source);
  if (type == SampleType::kU8) {
    OpaqueKernel<uint8_t><<<grid, kThreads, 0, stream>>>(data, pitch, width, height, channels, 255, opaque);
  } else if (type == SampleType::kU16) {
    OpaqueKernel<uint16_t><<<grid, kThreads, 0, stream>>>(data, pitch, width, height, channels, 65535, opaque);
  } else {
    OpaqueKernel<float><<<grid, kThreads, 0, stream>>>(data, pitch, width, height, channels, 1.0f, opaque);
  }
  Check(cudaGetLastError(), "opaque");
}

}  // namespace convolve::cuda
