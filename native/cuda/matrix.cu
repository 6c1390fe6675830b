// The matrix, on the device. A block unpacks a rectangle of pixels into four planes of bytes in shared memory. A warp
// then makes 16 x 8 results of all four channels at once: for each kernel row the 16 x 32 matrix of that row's weights,
// shifted by one column from row to row, times a 32 x 8 matrix of bytes, 32 beside each other from each of 8 picture
// rows:
//
//   D[x][y] += W_j[x][k] * picture[y + j][k]        (mma.m16n8k32, signed weights, unsigned bytes, 32-bit sums)
//
// The sums are exact, so that nothing depends on their order.
#include "cuda/matrix.h"

#include "cuda/check.h"
#include "cuda/launch.cuh"
#include "cuda/matrix_planes.cuh"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kThreads = 256;
constexpr int kColumns = 16 * (kThreads / 32);  // a warp takes 16
constexpr int kPitch = kColumns + 16;           // pixels of a row in shared memory

struct MatrixLaunch {
  SourceParameters source;
  OutputParameters output;
  const uint4* fragments;
  int height;
  int window_x, window_y;  // of the first block
  int x, y;                // of its first result
  int block_rows;
  float scale;
};

/// A sum of digits as a float.
template <int kDigits>
__device__ __forceinline__ float SumOf(const int (&digits)[kDigits], float scale) {
  if constexpr (kDigits == 1) return __fmul_rn(static_cast<float>(digits[0]), scale);
  if constexpr (kDigits == 2) return __fmul_rn(static_cast<float>(digits[0] * 256 + digits[1]), scale);
  if constexpr (kDigits == 3) {
    return __fmul_rn(
        __fmaf_rn(static_cast<float>(digits[0]), 65536.0f, static_cast<float>(digits[1] * 256 + digits[2])), scale);
  }
  return 0;
}

/// kParts: the digits, or the two kernels of a magnitude.
template <int kParts, bool kMagnitude>
__global__ void __launch_bounds__(kThreads, kParts == 3 ? 2 : 3)
    MatrixKernel(const __grid_constant__ MatrixLaunch launch) {
  extern __shared__ __align__(16) uint8_t planes[];
  const TargetParameters& target = launch.output.target;
  LetNextPrepare();
  AwaitWork();
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int block_x = static_cast<int>(blockIdx.x) * kColumns;
  const int block_y = static_cast<int>(blockIdx.y) * launch.block_rows;
  const int rows = launch.block_rows + launch.height - 1;
  FillPlanes<kPitch, kThreads>(launch.source, launch.window_x + block_x, launch.window_y + block_y, rows, planes);
  __syncthreads();
  // ldmatrix: thread t names row t % 8 of matrix t / 8: the two halves of the window of two channels.
  const uint8_t* const first = planes + lane / 16 * rows * kPitch + lane % 8 * kPitch + lane / 8 % 2 * 16 + warp * 16;
  const int x = launch.x + block_x + warp * 16 + lane / 4;
  const int y = launch.y + block_y + lane % 4 * 2;
#pragma unroll 1
  for (int row = 0; row < launch.block_rows; row += 8) {
    if (launch.y + block_y + row >= target.y1) break;
    int sums[kParts][4][4] = {};
    const uint8_t* from = first + row * kPitch;
    const uint4* weights = launch.fragments + lane;
#pragma unroll 3
    for (int j = 0; j < launch.height; ++j) {
      uint32_t low[4];
      uint32_t high[4];
      LoadBytes(from, low);
      LoadBytes(from + 2 * rows * kPitch, high);
#pragma unroll
      for (int part = 0; part < kParts; ++part) {
        const uint4 matrix = __ldg(weights + part * 32);
        MultiplyBytes(matrix, low[0], low[1], sums[part][0]);
        MultiplyBytes(matrix, low[2], low[3], sums[part][1]);
        MultiplyBytes(matrix, high[0], high[1], sums[part][2]);
        MultiplyBytes(matrix, high[2], high[3], sums[part][3]);
      }
      from += kPitch;
      weights += kParts * 32;
    }
    // A thread has pixels (x, y), (x, y + 1), (x + 8, y), (x + 8, y + 1), all their channels.
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float values[2][4];
      float others[kMagnitude ? 2 : 1][4] = {};
#pragma unroll
      for (int down = 0; down < 2; ++down) {
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          const int at = half * 2 + down;
          if constexpr (kMagnitude) {
            values[down][c] = static_cast<float>(sums[0][c][at]);
            others[down][c] = static_cast<float>(sums[kParts - 1][c][at]);
          } else {
            int digits[kParts];
#pragma unroll
            for (int part = 0; part < kParts; ++part) digits[part] = sums[part][c][at];
            values[down][c] = SumOf(digits, launch.scale);
          }
        }
      }
      const int column = x + half * 8;
      if (column < target.x0 || column >= target.x1) continue;
      StoreColumn<4, 2, kMagnitude>(launch.output, column, y + row, 0, target.y1 - (y + row), values, others);
    }
  }
}

template <int kParts, bool kMagnitude>
void Launch(const MatrixLaunch& launch, cudaStream_t stream) {
  const TargetParameters& target = launch.output.target;
  const int bytes = 4 * (launch.block_rows + launch.height - 1) * kPitch;
  const auto kernel = MatrixKernel<kParts, kMagnitude>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory of a matrix");
  const dim3 grid((target.x1 - launch.x + kColumns - 1) / kColumns,
                  (target.y1 - launch.y + launch.block_rows - 1) / launch.block_rows);
  LaunchNext(kernel, grid, kThreads, static_cast<size_t>(bytes), stream, launch, "matrix");
}

}  // namespace

bool MatrixRuns() {
  cudaFuncAttributes attributes = {};
  Check(cudaFuncGetAttributes(&attributes, MatrixKernel<1, false>), "matrix");
  return attributes.ptxVersion >= 80;
}

void LaunchMatrix(const MatrixJob& job, cudaStream_t stream) {
  const MatrixWeights& weights = *job.weights;
  const TargetParameters& target = job.output.target;
  MatrixLaunch launch = {};
  launch.source = job.source;
  launch.output = job.output;
  launch.fragments = static_cast<const uint4*>(job.fragments);
  launch.height = weights.height;
  // The window begins at a multiple of four pixels from the buffer's first.
  launch.x = job.source.left + (target.x0 - job.source.left) / 4 * 4;
  launch.y = target.y0;
  launch.window_x = launch.x - weights.anchor_x - weights.lead;
  launch.window_y = launch.y - weights.anchor_y;
  launch.block_rows = weights.height <= 7 ? 32 : 64;
  launch.scale = weights.scale;
  if (weights.magnitude) return Launch<2, true>(launch, stream);
  switch (weights.digits) {
    case 1:
      return Launch<1, false>(launch, stream);
    case 2:
      return Launch<2, false>(launch, stream);
    default:
      return Launch<3, false>(launch, stream);
  }
}

}  // namespace convolve::cuda
