// The ring: a block walks down a strip of W columns. For every 16 input rows it fills a stage with them (halo to the
// left and right), sums them across into a ring of rows in shared memory, and sums the ring down into 16 output rows:
//
//   picture --fill--> stage: 16 rows x (W + width - 1) --row weights--> ring: (height + 15) rows x W  (one ring a pair)
//                                                                        |
//                                      registers: P outputs a thread <--column weights
//
// So each input row is summed across once, no matter how many outputs it reaches, and nothing between the two
// directions leaves the multiprocessor. While a step sums down, the next step's rows are already on their way into the
// stage. Rows have odd pitches in pixels: threads on different rows of one column then use different banks.
#include "cuda/ring.h"

#include <algorithm>
#include <cstdint>

#include "cuda/block_fill.cuh"
#include "cuda/check.h"
#include "cuda/column_sums.cuh"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kStep = 16;  // rows a step
constexpr int kStripMost = 1024;
/// Multiply-adds a launch; see tile.cu.
constexpr int64_t kLaunchWork = int64_t{400} * 1000 * 1000 * 1000;

/// Outputs a thread sums at once, and columns a block covers: kThreads threads take kStep rows x W / P groups across,
/// and kStep / P groups x W columns down.
template <int C>
struct RingShape {
  static constexpr int P = C == 1 ? 16 : 8;
  static constexpr int W = kThreads * P / kStep;
};

constexpr int OddPitch(int pixels) { return pixels | 1; }

template <int C>
int64_t BytesFor(int width, int height, int pairs) {
  const int64_t stage = int64_t{kStep} * OddPitch(RingShape<C>::W + width - 1) * C;
  const int64_t ring = int64_t{height + kStep - 1} * OddPitch(RingShape<C>::W) * C * pairs;
  const int64_t weights = int64_t{width + height} * pairs;
  const int64_t tables = RingShape<C>::W + width - 1 + kStep;
  return (stage + ring + weights + tables) * 4 + 64;
}

struct RingLaunch {
  RingJob job;
  int y0, y1;  // output rows of this launch
  int strip;   // output rows a block walks down
};

/// Each thread sums P pixels of one row of the stage across, for every pair; the step's first row goes to ring row
/// `slot`.
template <int C, int P, int W>
__device__ __forceinline__ void SumAcross(const float* stage, int stage_pitch, const RingJob& job, const float* weights,
                                          float* ring, int ring_floats, int slot) {
  constexpr int kPitch = OddPitch(W);
  const int row = static_cast<int>(threadIdx.x) % kStep;
  const int group = static_cast<int>(threadIdx.x) / kStep;
  const int rows = job.height + kStep - 1;
  int ring_row = slot + row;
  if (ring_row >= rows) ring_row -= rows;
  for (int pair = 0; pair < job.pairs; ++pair) {
    float sums[P][C] = {};
    AddTaps<C, P>(stage + (row * stage_pitch + group * P) * C, Straight{C}, weights + pair * (job.width + job.height),
                  job.width, sums);
    float* to = ring + pair * ring_floats + (ring_row * kPitch + group * P) * C;
#pragma unroll
    for (int p = 0; p < P; ++p) {
      if constexpr (C == 4) {
        *reinterpret_cast<float4*>(to + p * 4) = make_float4(sums[p][0], sums[p][1], sums[p][2], sums[p][3]);
      } else {
#pragma unroll
        for (int c = 0; c < C; ++c) to[p * C + c] = sums[p][c];
      }
    }
  }
}

template <int C>
__global__ void __launch_bounds__(kThreads) RingKernel(const __grid_constant__ RingLaunch launch) {
  constexpr int P = RingShape<C>::P;
  constexpr int W = RingShape<C>::W;
  constexpr int kPitch = OddPitch(W);
  const RingJob& job = launch.job;
  const TargetParameters& target = job.output.target;

  // Shared memory, widest accesses first: stage, rings, weights, tables.
  extern __shared__ float4 shared[];
  const int columns = W + job.width - 1;
  const int stage_pitch = OddPitch(columns);
  const int ring_rows = job.height + kStep - 1;
  const int ring_floats = ring_rows * kPitch * C;
  float* stage = reinterpret_cast<float*>(shared);
  float* ring = stage + kStep * stage_pitch * C;
  float* weights = ring + job.pairs * ring_floats;
  int* column_table = reinterpret_cast<int*>(weights + job.pairs * (job.width + job.height));
  int* row_table = column_table + columns;

  const int block_x = target.x0 + static_cast<int>(blockIdx.x) * W;
  const int block_y = launch.y0 + static_cast<int>(blockIdx.y) * launch.strip;
  const int outputs = min(launch.strip, launch.y1 - block_y);
  const int inputs = outputs + job.height - 1;
  const int input_y = block_y - job.anchor_y;

  for (int i = threadIdx.x; i < job.pairs * (job.width + job.height); i += kThreads) weights[i] = job.weights[i];
  FillColumnTable(job.source, column_table, block_x - job.anchor_x, columns);
  FillRowTable(job.source, row_table, input_y, kStep);
  __syncthreads();
  FillTile<C>(job.source, {stage, stage_pitch}, columns, kStep, column_table, row_table);

  const int column = static_cast<int>(threadIdx.x) % W;
  const int group = static_cast<int>(threadIdx.x) / W;
  int slot = 0;  // ring row of the step's first input row
#pragma unroll 1
  for (int first = 0; first < inputs; first += kStep) {
    __pipeline_wait_prior(0);
    __syncthreads();  // the stage is full; the ring's oldest rows are no longer read; the row table is free
    if (first + kStep < inputs) FillRowTable(job.source, row_table, input_y + first + kStep, kStep);
    SumAcross<C, P, W>(stage, stage_pitch, job, weights, ring, ring_floats, slot);
    __syncthreads();  // the ring is full; the stage is free
    if (first + kStep < inputs) {
      FillTile<C>(job.source, {stage, stage_pitch}, columns, min(kStep, inputs - first - kStep), column_table,
                  row_table);
    }
    // Input rows first ... first + 15 complete the outputs that end with them.
    const int output = first - (job.height - 1) + group * P;
    if (output + P > 0 && output < outputs) {
      // first lies in ring row `slot`; output's first row lies height - 1 before it.
      int begin = slot + group * P - (job.height - 1);
      if (begin < 0) begin += ring_rows;
      if (begin >= ring_rows) begin -= ring_rows;
      float sums[P][C] = {};
      for (int pair = 0; pair < job.pairs; ++pair) {
        const float* base = ring + pair * ring_floats + column * C;
        AddTaps<C, P>(base + begin * kPitch * C, Around{kPitch * C, base, base + ring_floats},
                      weights + pair * (job.width + job.height) + job.width, job.height, sums);
      }
      const int x = block_x + column;
      if (x < target.x1) {
#pragma unroll
        for (int p = 0; p < P; ++p) {
          if (output + p >= 0 && output + p < outputs) {
            StorePixel<C, false>(job.output, x, block_y + output + p, sums[p], nullptr);
          }
        }
      }
    }
    slot += kStep;
    if (slot >= ring_rows) slot -= ring_rows;
  }
}

template <int C>
void Launch(const RingJob& job, int multiprocessors, cudaStream_t stream, const std::function<void()>& between) {
  const int bytes = static_cast<int>(BytesFor<C>(job.width, job.height, job.pairs));
  Check(cudaFuncSetAttribute(RingKernel<C>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
        "shared memory of a ring");
  int resident = 0;
  Check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, RingKernel<C>, kThreads, bytes), "ring occupancy");
  const TargetParameters& target = job.output.target;
  const int across = (target.x1 - target.x0 + RingShape<C>::W - 1) / RingShape<C>::W;
  const int rows = target.y1 - target.y0;
  // Strips as long as they can be while every multiprocessor has its share of blocks: each strip sums height - 1 rows
  // across in vain.
  const int wanted = std::max(1, multiprocessors * std::max(1, resident));
  const int down = std::max(1, wanted / across);
  int strip = (rows + down - 1) / down;
  strip = std::clamp((strip + kStep - 1) / kStep * kStep, std::min(4 * kStep, kStripMost), kStripMost);
  const int64_t row_work = int64_t{target.x1 - target.x0} * C * (job.width + job.height) * job.pairs;
  const int64_t strips = std::clamp<int64_t>(kLaunchWork / (row_work * strip), 1, 65535);
  const int band = static_cast<int>(std::min<int64_t>(strips * strip, rows));
  for (int y = target.y0; y < target.y1; y += band) {
    const RingLaunch launch{job, y, std::min(y + band, target.y1), strip};
    const dim3 grid(across, (launch.y1 - y + strip - 1) / strip);
    between();
    RingKernel<C><<<grid, kThreads, bytes, stream>>>(launch);
    Check(cudaGetLastError(), "ring");
  }
}

}  // namespace

int64_t RingBytes(int channels, int width, int height, int pairs) {
  switch (channels) {
    case 1:
      return BytesFor<1>(width, height, pairs);
    case 2:
      return BytesFor<2>(width, height, pairs);
    case 3:
      return BytesFor<3>(width, height, pairs);
    default:
      return BytesFor<4>(width, height, pairs);
  }
}

void LaunchRing(const RingJob& job, int channels, int multiprocessors, cudaStream_t stream,
                const std::function<void()>& between) {
  switch (channels) {
    case 1:
      return Launch<1>(job, multiprocessors, stream, between);
    case 2:
      return Launch<2>(job, multiprocessors, stream, between);
    case 3:
      return Launch<3>(job, multiprocessors, stream, between);
    default:
      return Launch<4>(job, multiprocessors, stream, between);
  }
}

}  // namespace convolve::cuda
