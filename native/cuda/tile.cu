// The tile: a block fills a rectangle of the picture and its halo into shared memory and sums it against the kernel, a
// chunk of at most 16 x 16 cells at a time, so that any kernel fits. A warp covers 32 columns, a thread P rows:
//
//   kernel chunk ->  +--------+      tile of the chunk:  (8 warps x P rows + 15) x (32 columns + 15)
//                    | 16x16  |      each thread slides down P + 15 pixels a kernel column (column_sums.cuh)
//                    +--------+
//
// Every chunk is summed from 0 and then added to the total, which keeps the rounding of large kernels small.
#include "cuda/tile.h"

#include <algorithm>
#include <cstdint>

#include "cuda/block_fill.cuh"
#include "cuda/channels.cuh"
#include "cuda/check.h"
#include "cuda/column_sums.cuh"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kThreads = 32 * kWarps;
constexpr int kChunk = 16;  // cells a side
/// Multiply-adds a launch: about 20 ms on a fast device, so that a run can be cancelled and a desktop stays responsive.
constexpr int64_t kLaunchWork = int64_t{400} * 1000 * 1000 * 1000;
constexpr int kMostBlockRows = 65535;  // the grid's limit

/// Rows a thread owns: as many as keep its sums, totals and window in registers.
constexpr int RowsOf(int channels, bool magnitude) {
  return channels >= 3 ? (magnitude ? 4 : 8) : (magnitude ? 8 : 16);
}

template <int C, int P>
constexpr int TileBytes() {
  return (kWarps * P + kChunk) * (32 + kChunk - 1) * C * static_cast<int>(sizeof(float));
}

/// totals += one kernel over the whole of its support; the block's first output is (x, y).
template <int C, int P>
__device__ __forceinline__ void AddKernel(const SourceParameters& source, const DeviceKernel& kernel, int x, int y,
                                          float* tile_data, float* weights, int* column_table, int* row_table,
                                          float (&totals)[P][C]) {
  constexpr int kPitch = 32 + kChunk - 1;
  const SharedTile tile{tile_data, kPitch};
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (int cell_y = 0; cell_y < kernel.height; cell_y += kChunk) {
    for (int cell_x = 0; cell_x < kernel.width; cell_x += kChunk) {
      const int high = min(kChunk, kernel.height - cell_y);
      const int wide = min(kChunk, kernel.width - cell_x);
      const int columns = 32 + wide - 1;
      const int rows = kWarps * P + high - 1;
      __syncthreads();  // the previous chunk is summed
      FillColumnTable(source, column_table, x - kernel.anchor_x + cell_x, columns);
      FillRowTable(source, row_table, y - kernel.anchor_y + cell_y, rows);
      for (int i = threadIdx.x; i < kChunk * kChunk; i += kThreads) {
        const int column = i / kChunk;  // a kernel column's weights lie together
        const int row = i % kChunk;
        if (column < wide && row < high) {
          weights[i] = kernel.weights[(cell_y + row) * kernel.width + cell_x + column];
        }
      }
      __syncthreads();
      FillTile<C>(source, tile, columns, rows, column_table, row_table);
      __pipeline_wait_prior(0);
      __syncthreads();
      float sums[P][C] = {};
#pragma unroll 1
      for (int i = 0; i < wide; ++i) {
        const float* first = tile.data + (warp * P * kPitch + lane + i) * C;
        const Line<C, kPitch * C> line{first};
        if constexpr (C == 1) {
          AddTapsTested<C, P>(line, weights + i * kChunk, high, sums);
        } else {
          AddTaps<C, P>(line, weights + i * kChunk, high, sums);
        }
      }
#pragma unroll
      for (int p = 0; p < P; ++p) {
#pragma unroll
        for (int c = 0; c < C; ++c) totals[p][c] = __fadd_rn(totals[p][c], sums[p][c]);
      }
    }
  }
}

template <int C, int P, bool kMagnitude>
__global__ void __launch_bounds__(kThreads) TileKernel(const __grid_constant__ TileJob job, int y0, int y1) {
  extern __shared__ float4 shared[];
  __shared__ __align__(16) float weights[kChunk * kChunk + 1];
  __shared__ int column_table[32 + kChunk];
  __shared__ int row_table[kWarps * P + kChunk];
  float* tile = reinterpret_cast<float*>(shared);
  const TargetParameters& target = job.output.target;
  const int block_x = target.x0 + static_cast<int>(blockIdx.x) * 32;
  const int block_y = y0 + static_cast<int>(blockIdx.y) * kWarps * P;

  float totals[P][C] = {};
  AddKernel<C, P>(job.source, job.kernels[0], block_x, block_y, tile, weights, column_table, row_table, totals);
  float others[kMagnitude ? P : 1][C] = {};
  if constexpr (kMagnitude) {
    AddKernel<C, P>(job.source, job.kernels[1], block_x, block_y, tile, weights, column_table, row_table, others);
  }

  const int x = block_x + static_cast<int>(threadIdx.x) % 32;
  const int y = block_y + static_cast<int>(threadIdx.x) / 32 * P;
  if (x < target.x1) StoreColumn<C, P, kMagnitude>(job.output, x, y, 0, y1 - y, totals, others);
}

/// Whether any of the tiles from position (x0, y0) to (x1, y1), both inside, is broken.
__device__ __forceinline__ bool AnyBroken(const TileRepair& repair, int x0, int y0, int x1, int y1) {
  for (int across = (x0 - repair.x) / repair.step_x; across <= (x1 - repair.x) / repair.step_x; ++across) {
    for (int down = (y0 - repair.y) / repair.step_y; down <= (y1 - repair.y) / repair.step_y; ++down) {
      if (repair.broken[across * repair.down + down] != 0) return true;
    }
  }
  return false;
}

/// Few blocks that look for work: nearly always there is none.
template <int C, int P>
__global__ void __launch_bounds__(kThreads)
    RepairKernel(const __grid_constant__ TileJob job, const __grid_constant__ TileRepair repair) {
  extern __shared__ float4 shared[];
  __shared__ __align__(16) float weights[kChunk * kChunk + 1];
  __shared__ int column_table[32 + kChunk];
  __shared__ int row_table[kWarps * P + kChunk];
  bool any = false;
  for (int i = threadIdx.x; i < repair.across * repair.down; i += kThreads) any = any || repair.broken[i] != 0;
  if (!__syncthreads_or(any)) return;
  const TargetParameters& target = job.output.target;
  constexpr int kBlockRows = kWarps * P;
  const int across = (target.x1 - target.x0 + 31) / 32;
  const int blocks = across * ((target.y1 - target.y0 + kBlockRows - 1) / kBlockRows);
  for (int block = blockIdx.x; block < blocks; block += static_cast<int>(gridDim.x)) {
    const int block_x = target.x0 + block % across * 32;
    const int block_y = target.y0 + block / across * kBlockRows;
    const int last_x = min(block_x + 31, target.x1 - 1);
    const int last_y = min(block_y + kBlockRows, target.y1) - 1;
    if (!AnyBroken(repair, block_x, block_y, last_x, last_y)) continue;
    float totals[P][C] = {};
    AddKernel<C, P>(job.source, job.kernels[0], block_x, block_y, reinterpret_cast<float*>(shared), weights,
                    column_table, row_table, totals);
    const int x = block_x + static_cast<int>(threadIdx.x) % 32;
    const int y = block_y + static_cast<int>(threadIdx.x) / 32 * P;
    const float none[1][C] = {};
#pragma unroll
    for (int p = 0; p < P; ++p) {
      if (x > last_x || y + p > last_y || !AnyBroken(repair, x, y + p, x, y + p)) continue;
      StoreAnyPixel<C, false>(job.output, x, y + p, totals[p], none[0]);
    }
  }
}

template <int C>
void Repair(const TileJob& job, const TileRepair& repair, int multiprocessors, cudaStream_t stream) {
  constexpr int P = RowsOf(C, false);
  constexpr int kBytes = TileBytes<C, P>();
  Check(cudaFuncSetAttribute(RepairKernel<C, P>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
        "shared memory of a tile");
  RepairKernel<C, P><<<2 * multiprocessors, kThreads, kBytes, stream>>>(job, repair);
  Check(cudaGetLastError(), "tile");
}

template <int C, bool kMagnitude>
void Launch(const TileJob& job, cudaStream_t stream, const std::function<void()>& between) {
  constexpr int P = RowsOf(C, kMagnitude);
  constexpr int kBytes = TileBytes<C, P>();
  Check(cudaFuncSetAttribute(TileKernel<C, P, kMagnitude>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
        "shared memory of a tile");
  const TargetParameters& target = job.output.target;
  const int64_t cells = int64_t{job.kernels[0].width} * job.kernels[0].height +
                        (kMagnitude ? int64_t{job.kernels[1].width} * job.kernels[1].height : 0);
  const int64_t row_work = int64_t{target.x1 - target.x0} * C * cells;
  constexpr int kBlockRows = kWarps * P;
  const int64_t block_rows = std::max<int64_t>(1, kLaunchWork / (row_work * kBlockRows));
  const int band = static_cast<int>(std::min<int64_t>(block_rows, kMostBlockRows)) * kBlockRows;
  for (int y = target.y0; y < target.y1; y += band) {
    const int end = std::min(y + band, target.y1);
    const dim3 grid((target.x1 - target.x0 + 31) / 32, (end - y + kBlockRows - 1) / kBlockRows);
    between();
    TileKernel<C, P, kMagnitude><<<grid, kThreads, kBytes, stream>>>(job, y, end);
    Check(cudaGetLastError(), "tile");
  }
}

template <int C>
void LaunchChannels(const TileJob& job, cudaStream_t stream, const std::function<void()>& between) {
  job.magnitude ? Launch<C, true>(job, stream, between) : Launch<C, false>(job, stream, between);
}

}  // namespace

void LaunchTile(const TileJob& job, int channels, cudaStream_t stream, const std::function<void()>& between) {
  WithChannels(channels, [&](auto c) { LaunchChannels<c()>(job, stream, between); });
}

void LaunchTileRepair(const TileJob& job, const TileRepair& repair, int channels, int multiprocessors,
                      cudaStream_t stream) {
  WithChannels(channels, [&](auto c) { Repair<c()>(job, repair, multiprocessors, stream); });
}

}  // namespace convolve::cuda
