// Pairs on the matrix units, on the device. A block unpacks a rectangle of bytes into four planes in shared memory. A
// warp takes 16 columns, one channel after the other, and goes down 16 rows at a time:
//
//   S[x][y] += W[x][k] * picture[y][k]         across: signed weights of two digits, unsigned bytes, 32-bit sums
//   D[x][y] += S[x][k] * V[k][y]               down: S and V each as the sum of two halves, float32 sums
//
// where the registers that hold S are those that the second product wants. Each group of 16 rows adds to all results
// that reach into it, eight rows of them at once; those that are complete leave. A scale that is a power of two, sums
// across that are exact and products of halves that float32 holds: whole weights give exact results, all others an
// error of about 2^-20 of the largest. Groups begin at multiples of 16 rows, so that no result depends on the region.
#include "cuda/matrix_pair.h"

#include <cuda_fp16.h>

#include "cuda/check.h"
#include "cuda/finish.cuh"
#include "cuda/launch.cuh"
#include "cuda/matrix_planes.cuh"

namespace convolve::cuda {
namespace {

constexpr int kStagedPitch = 80;  // bytes of 16 finished pixels: no two threads meet in a bank

// Measures for each number of steps, so that a multiprocessor holds 24, 16 and 12 warps.
constexpr int ThreadsOf(int steps) { return steps == 3 ? 384 : 256; }
constexpr int BlocksOf(int steps) { return 4 - steps; }  // of a multiprocessor
constexpr int ColumnsOf(int steps) { return ThreadsOf(steps) / 2; }
constexpr int RowsOf(int steps) { return steps == 1 ? 48 : 64; }
/// Eight rows of results that 16 rows of sums reach into.
constexpr int LiveOf(int steps) { return steps == 1 ? 4 : (steps == 2 ? 6 : 10); }
/// Groups of 16 rows for a block.
constexpr int GroupsOf(int steps) { return (RowsOf(steps) / 8 - 1 + LiveOf(steps) - 3 + 1) / 2 + 1; }
constexpr int PitchOf(int steps) { return ColumnsOf(steps) + 32 * steps - 16; }
constexpr int SharedBytes(int steps) {
  return 4 * 16 * GroupsOf(steps) * PitchOf(steps) + ThreadsOf(steps) / 32 * RowsOf(steps) * kStagedPitch;
}

struct PairLaunch {
  SourceParameters source;
  OutputParameters output;
  const uint4* fragments;
  int window_x, window_y;  // of the first block
  int x, y;                // of its first result
  float across_scale;
  float scale;
};

// As MultiplyBytes, of halves into floats.
__device__ __forceinline__ void MultiplyHalves(const uint32_t (&a)[4], uint32_t low, uint32_t high, float (&sums)[4]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
      "%3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(low), "r"(high));
#else
  sums[0] += __uint_as_float(a[0] + low + high);
#endif
}

/// Two numbers as halves, and what those leave as halves again.
__device__ __forceinline__ void Split(float a, float b, uint32_t* near, uint32_t* rest) {
  const __half2 halves = __floats2half2_rn(a, b);
  const float2 back = __half22float2(halves);
  const __half2 left = __floats2half2_rn(__fsub_rn(a, back.x), __fsub_rn(b, back.y));
  memcpy(near, &halves, sizeof *near);
  memcpy(rest, &left, sizeof *rest);
}

/// Finishes eight rows of results of one channel and puts their bytes among the warp's finished pixels.
__device__ __forceinline__ void Stage(const PairLaunch& launch, int channel, const float (&sums)[4], uint8_t* to) {
  float v[4];
  if (launch.output.finish.divisor.kind == DivisionKind::kNone) {
    // The scale is a power of two: rounded once, as below.
#pragma unroll
    for (int i = 0; i < 4; ++i) v[i] = __fmaf_rz(sums[i], launch.scale, 0.5f);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) v[i] = __fmul_rn(sums[i], launch.scale);
    DivideSamples<4>(launch.output.finish.divisor, v);
#pragma unroll
    for (int i = 0; i < 4; ++i) v[i] = __fadd_rz(v[i], 0.5f);
  }
  // A thread has results (x, y), (x, y + 1), (x + 8, y), (x + 8, y + 1). What is negative becomes 0.
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const uint32_t byte = min(__float2uint_rz(v[i]), 255u);
    to[i % 2 * kStagedPitch + i / 2 * 32 + channel] = static_cast<uint8_t>(byte);
  }
}

template <int kSteps>
__global__ void __launch_bounds__(ThreadsOf(kSteps), BlocksOf(kSteps))
    PairKernel(const __grid_constant__ PairLaunch launch) {
  constexpr int kColumns = ColumnsOf(kSteps);
  constexpr int kBlockRows = RowsOf(kSteps);
  constexpr int kLive = LiveOf(kSteps);
  constexpr int kGroups = GroupsOf(kSteps);
  constexpr int kPitch = PitchOf(kSteps);
  constexpr int kPlane = 16 * kGroups * kPitch;
  extern __shared__ __align__(16) uint8_t shared[];
  const TargetParameters& target = launch.output.target;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int block_x = static_cast<int>(blockIdx.x) * kColumns;
  const int block_y = static_cast<int>(blockIdx.y) * kBlockRows;
  LetNextPrepare();
  AwaitWork();
  FillPlanes<kPitch, ThreadsOf(kSteps)>(launch.source, launch.window_x + block_x, launch.window_y + block_y,
                                        16 * kGroups, shared);
  uint4 row[kSteps][2];
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
    row[step][0] = __ldg(launch.fragments + step * 64 + lane);
    row[step][1] = __ldg(launch.fragments + step * 64 + 32 + lane);
  }
  const uint4* const column = launch.fragments + kSteps * 64 + lane;
  uint8_t* const staged = shared + 4 * kPlane + warp * kBlockRows * kStagedPitch;
  uint8_t* const place = staged + lane % 4 * 2 * kStagedPitch + lane / 4 * 4;
  const bool full_alpha = launch.output.finish.alpha == AlphaRule::kFull;
  __syncthreads();
#pragma unroll 1
  for (int channel = 0; channel < 4; ++channel) {
    if (full_alpha && channel == 3) {
      for (int i = lane; i < kBlockRows * 16; i += 32) staged[i / 16 * kStagedPitch + i % 16 * 4 + 3] = 255;
      break;
    }
    // ldmatrix: thread t names row t % 8 of matrix t / 8: both halves of the window, eight rows and the next eight.
    const uint8_t* from =
        shared + channel * kPlane + (lane / 16 * 8 + lane % 8) * kPitch + lane / 8 % 2 * 16 + warp * 16;
    float sums[kLive][4] = {};
#pragma unroll 1
    for (int group = 0; group < kGroups; ++group) {
      int across[2][2][4] = {};  // eight rows, digit
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        uint32_t bytes[4];
        LoadBytes(from + step * 32, bytes);
#pragma unroll
        for (int digit = 0; digit < 2; ++digit) {
          MultiplyBytes(row[step][digit], bytes[0], bytes[1], across[0][digit]);
          MultiplyBytes(row[step][digit], bytes[2], bytes[3], across[1][digit]);
        }
      }
      from += 16 * kPitch;
      uint32_t near[4];
      uint32_t rest[4];
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float v[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          v[i] = __fmul_rn(static_cast<float>(across[half][0][i] * 256 + across[half][1][i]), launch.across_scale);
        }
        Split(v[0], v[1], &near[half * 2], &rest[half * 2]);
        Split(v[2], v[3], &near[half * 2 + 1], &rest[half * 2 + 1]);
      }
#pragma unroll
      for (int j = 0; j < kLive; ++j) {
        const uint4 weights = __ldg(column + j * 32);
        MultiplyHalves(rest, weights.x, weights.y, sums[j]);
        MultiplyHalves(near, weights.z, weights.w, sums[j]);
        MultiplyHalves(near, weights.x, weights.y, sums[j]);
      }
#pragma unroll
      for (int j = kLive - 2; j < kLive; ++j) {
        const int tile = 2 * group + 1 - j;
        if (tile >= 0 && tile < kBlockRows / 8) Stage(launch, channel, sums[j], place + tile * 8 * kStagedPitch);
      }
#pragma unroll
      for (int j = kLive - 1; j >= 0; --j) {
#pragma unroll
        for (int i = 0; i < 4; ++i) sums[j][i] = j >= 2 ? sums[j >= 2 ? j - 2 : 0][i] : 0.0f;
      }
    }
  }
  __syncwarp();
  const int x = launch.x + block_x + warp * 16;
  const int y = launch.y + block_y;
  const bool whole = x >= target.x0 && x + 16 <= target.x1 && (x - target.left) % 4 == 0;
  if (whole) {
    // Four threads a row.
#pragma unroll 1
    for (int i = lane / 4; i < kBlockRows; i += 8) {
      if (y + i < target.y0 || y + i >= target.y1) continue;
      char* const to =
          static_cast<char*>(target.data) + int64_t{y + i - target.top} * target.pitch + int64_t{x - target.left} * 4;
      reinterpret_cast<uint4*>(to)[lane % 4] =
          *reinterpret_cast<const uint4*>(staged + i * kStagedPitch + lane % 4 * 16);
    }
    return;
  }
#pragma unroll 1
  for (int i = lane; i < kBlockRows * 16; i += 32) {
    const int at_x = x + i % 16;
    const int at_y = y + i / 16;
    if (at_x < target.x0 || at_x >= target.x1 || at_y < target.y0 || at_y >= target.y1) continue;
    char* const to =
        static_cast<char*>(target.data) + int64_t{at_y - target.top} * target.pitch + int64_t{at_x - target.left} * 4;
    *reinterpret_cast<uint32_t*>(to) = *reinterpret_cast<const uint32_t*>(staged + i / 16 * kStagedPitch + i % 16 * 4);
  }
}

template <int kSteps>
void Launch(const PairLaunch& launch, cudaStream_t stream) {
  const TargetParameters& target = launch.output.target;
  const auto kernel = PairKernel<kSteps>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SharedBytes(kSteps)),
        "shared memory of a pair");
  const dim3 grid((target.x1 - launch.x + ColumnsOf(kSteps) - 1) / ColumnsOf(kSteps),
                  (target.y1 - launch.y + RowsOf(kSteps) - 1) / RowsOf(kSteps));
  LaunchNext(kernel, grid, ThreadsOf(kSteps), static_cast<size_t>(SharedBytes(kSteps)), stream, launch, "pair");
}

}  // namespace

int MatrixPairSharedBytes(int steps) { return SharedBytes(steps); }

void LaunchMatrixPair(const MatrixPairJob& job, cudaStream_t stream) {
  const MatrixPairWeights& weights = *job.weights;
  const TargetParameters& target = job.output.target;
  PairLaunch launch = {};
  launch.source = job.source;
  launch.output = job.output;
  launch.fragments = static_cast<const uint4*>(job.fragments);
  // The window begins at a multiple of four pixels from the buffer's first.
  launch.x = job.source.left + (target.x0 - job.source.left) / 4 * 4;
  launch.y = target.y0 / 16 * 16;
  launch.window_x = launch.x - weights.anchor_x - weights.lead;
  launch.window_y = launch.y - weights.anchor_y;
  launch.across_scale = weights.across_scale;
  launch.scale = weights.scale;
  switch (weights.steps) {
    case 1:
      return Launch<1>(launch, stream);
    case 2:
      return Launch<2>(launch, stream);
    default:
      return Launch<3>(launch, stream);
  }
}

}  // namespace convolve::cuda
