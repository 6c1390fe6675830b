// The ring: a block walks down a strip of W columns. For every 32 input rows it fills a stage with them as they are
// stored (halo to the left and right), sums them across into a ring of float rows, and sums the ring down into 32
// output rows:
//
//   picture --copy--> stage: 32 rows x (W + width - 1) --row weights--> ring: (height + 31) rows x W  (one ring a pair)
//                                                                        |
//                                      registers: P outputs a thread <--column weights
//
// So each input row is summed across once, no matter how many outputs it reaches, and nothing between the two
// directions leaves the multiprocessor. While a step sums down, the next step's rows are already on their way into the
// stage. Threads of a warp sum 32 different rows across: rows have odd pitches, so that they use different banks.
#include "cuda/ring.h"

#include <algorithm>
#include <cstdint>

#include "cuda/check.h"
#include "cuda/column_sums.cuh"
#include "cuda/stage.cuh"
#include "cuda/store_pixel.cuh"
#include "cuda/strips.h"

namespace convolve::cuda {
namespace {

constexpr int kThreads = 128;
constexpr int kStep = 32;  // rows a step
constexpr int kStripMost = 4096;
/// Multiply-adds a launch; see tile.cu.
constexpr int64_t kLaunchWork = int64_t{400} * 1000 * 1000 * 1000;

/// Outputs a thread sums at once, and columns a block covers: kThreads threads take kStep rows x W / P groups across,
/// and kStep / P groups x W columns down.
constexpr int OutputsOf(int channels) { return channels == 1 ? 16 : 8; }
constexpr int ColumnsOf(int channels) { return kThreads * OutputsOf(channels) / kStep; }

constexpr int OddPitch(int pixels) { return pixels | 1; }

/// Rows of a ring: what a step adds and the rows before it, a multiple of the pixels that AddTaps moves on at once.
/// Input row r of a strip lies in ring row r + RingShift, so that every thread's column begins SkippedTaps after such a
/// multiple.
constexpr int RingRows(int channels, int height) {
  const int block = OutputsOf(channels);
  return (height - 1 + kStep + block - 1) / block * block;
}
constexpr int RingShift(int channels) { return OutputsOf(channels) - 1; }

int64_t BytesFor(int sample_bytes, int channels, int width, int height, int pairs) {
  const int columns = ColumnsOf(channels) + width - 1;
  const int64_t ring = int64_t{RingRows(channels, height)} * OddPitch(ColumnsOf(channels)) * channels * pairs * 4;
  const int64_t stage = int64_t{kStep} * StageUnits(sample_bytes, channels, columns) * UnitOf(sample_bytes, channels);
  return ring + stage + (columns + 1 + kStep) * 4 + 64;
}

struct RingLaunch {
  RingJob job;
  int y0, y1;  // output rows of this launch
  int strip;   // output rows a block walks down
};

/// Pixels of a stage row, one after the other, as working values.
template <typename T, int C, bool kPremultiply>
struct StageLine {
  const T* position;
  float alpha_scale;
  __device__ __forceinline__ void ReadAt(int ahead, float* to) const {
    ReadPixel<C>(position + ahead * C, to);
    if constexpr (kPremultiply) Premultiply<C>(to, alpha_scale);
  }
  __device__ __forceinline__ void Skip(int count) { position += count * C; }
  __device__ __forceinline__ void Back(int count) { position -= count * C; }
};

/// Each thread sums P pixels of one row of the stage across, for every pair; the step's first row goes to ring row
/// `slot`.
template <typename T, int C, int P, int W, bool kPremultiply>
__device__ __forceinline__ void SumAcross(const RingJob& job, const Stage<T, C>& stage, float* ring, int ring_floats,
                                          int slot) {
  const int row = static_cast<int>(threadIdx.x) % kStep;
  const int group = static_cast<int>(threadIdx.x) / kStep;
  const int rows = RingRows(C, job.height);
  int ring_row = slot + row;
  if (ring_row >= rows) ring_row -= rows;
#pragma unroll 1
  for (int pair = 0; pair < job.pairs; ++pair) {
    float sums[P][C] = {};
    const StageLine<T, C, kPremultiply> line{stage.Row(row) + group * P * C, job.source.alpha_scale};
    const float* const weights = job.weights + pair * (job.width + job.height);
    if constexpr (sizeof(T) == 2) {
      AddTapsTested<C, P>(line, weights, job.width, sums);
    } else {
      AddTaps<C, P>(line, weights, job.width, sums);
    }
    float* to = ring + pair * ring_floats + (ring_row * OddPitch(W) + group * P) * C;
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

template <typename T, int C, bool kPremultiply>
__global__ void __launch_bounds__(kThreads) RingKernel(const __grid_constant__ RingLaunch launch) {
  constexpr int P = OutputsOf(C);
  constexpr int W = ColumnsOf(C);
  constexpr int kPitch = OddPitch(W);
  const RingJob& job = launch.job;
  const TargetParameters& target = job.output.target;

  // Shared memory, widest accesses first: rings, stage, tables.
  extern __shared__ float4 shared[];
  const int ring_rows = RingRows(C, job.height);
  const int ring_floats = ring_rows * kPitch * C;
  float* ring = reinterpret_cast<float*>(shared);
  const int block_x = target.x0 + static_cast<int>(blockIdx.x) * W;
  const int block_y = launch.y0 + static_cast<int>(blockIdx.y) * launch.strip;
  Stage<T, C> stage;
  stage.columns = W + job.width - 1;
  stage.pitch = StageUnits(sizeof(T), C, stage.columns) * Stage<T, C>::kUnit;
  const int ring_bytes = (job.pairs * ring_floats * 4 + 15) / 16 * 16;
  stage.data = reinterpret_cast<char*>(shared) + ring_bytes;
  stage.window = (block_x - job.anchor_x - job.source.left) * C;
  stage.inside = stage.window >= 0 && stage.window + stage.columns * C <= job.source.columns * C;
  int* column_table = reinterpret_cast<int*>(stage.data + kStep * stage.pitch);
  int* row_table = column_table + stage.columns;

  const int outputs = min(launch.strip, launch.y1 - block_y);
  const int inputs = outputs + job.height - 1;
  const int input_y = block_y - job.anchor_y;
  if (!stage.inside) FillColumnTable(job.source, column_table, block_x - job.anchor_x, stage.columns);
  const bool tables = !stage.inside || !Follow(job.source, input_y, inputs);
  if (tables) FillRowTable(job.source, row_table, input_y, min(kStep, inputs));
  __syncthreads();
  FillStage<kThreads>(job.source, stage, input_y, min(kStep, inputs), column_table, row_table);

  const int column = static_cast<int>(threadIdx.x) % W;
  const int group = static_cast<int>(threadIdx.x) / W;
  int slot = RingShift(C);  // ring row of the step's first input row
#pragma unroll 1
  for (int first = 0; first < inputs; first += kStep) {
    const int next_rows = min(kStep, inputs - first - kStep);
    __pipeline_wait_prior(0);
    __syncthreads();  // the stage is full; the ring's oldest rows are no longer read; the row table is free
    if (tables && next_rows > 0) FillRowTable(job.source, row_table, input_y + first + kStep, next_rows);
    SumAcross<T, C, P, W, kPremultiply>(job, stage, ring, ring_floats, slot);
    __syncthreads();  // the ring is full; the stage is free
    if (next_rows > 0)
      FillStage<kThreads>(job.source, stage, input_y + first + kStep, next_rows, column_table, row_table);
    // Input rows first ... first + kStep - 1 complete the outputs that end with them.
    const int output = first - (job.height - 1) + group * P;
    if (output + P > 0 && output < outputs) {
      // first lies in ring row `slot`; output's first row lies height - 1 before it.
      int begin = slot + group * P - (job.height - 1);
      if (begin < 0) begin += ring_rows;
      if (begin >= ring_rows) begin -= ring_rows;
      float sums[P][C] = {};
#pragma unroll 1
      for (int pair = 0; pair < job.pairs; ++pair) {
        const float* base = ring + pair * ring_floats + column * C;
        const RingLine<C, kPitch * C> line{base + begin * kPitch * C, base, base + ring_floats};
        AddTaps<C, P>(line, job.weights + pair * (job.width + job.height) + job.width, job.height, sums);
      }
      const int x = block_x + column;
      const float none[1][C] = {};
      if (x < target.x1) {
        StoreColumn<C, P, false>(job.output, x, block_y + output, -output, outputs - output, sums, none);
      }
    }
    slot += kStep;
    if (slot >= ring_rows) slot -= ring_rows;
  }
}

template <typename T, int C, bool kPremultiply>
void Launch(const RingJob& job, int multiprocessors, cudaStream_t stream, const std::function<void()>& between) {
  const auto kernel = RingKernel<T, C, kPremultiply>;
  const int bytes = static_cast<int>(BytesFor(sizeof(T), C, job.width, job.height, job.pairs));
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "shared memory of a ring");
  int resident = 0;
  Check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kThreads, bytes), "ring occupancy");
  RingLaunch launch;
  launch.job = job;
  const TargetParameters& target = job.output.target;
  const int across = (target.x1 - target.x0 + ColumnsOf(C) - 1) / ColumnsOf(C);
  const int rows = target.y1 - target.y0;
  launch.strip =
      StripRows(rows, across, multiprocessors * std::max(1, resident), job.height + kStep, kStep, kStripMost);
  const int64_t row_work = int64_t{target.x1 - target.x0} * C * (job.width + job.height) * job.pairs;
  const int64_t strips = std::clamp<int64_t>(kLaunchWork / (row_work * launch.strip), 1, 65535);
  const int band = static_cast<int>(std::min<int64_t>(strips * launch.strip, rows));
  for (int y = target.y0; y < target.y1; y += band) {
    launch.y0 = y;
    launch.y1 = std::min(y + band, target.y1);
    const dim3 grid(across, (launch.y1 - y + launch.strip - 1) / launch.strip);
    between();
    kernel<<<grid, kThreads, bytes, stream>>>(launch);
    Check(cudaGetLastError(), "ring");
  }
}

template <typename T>
void LaunchTyped(const RingJob& job, int channels, int multiprocessors, cudaStream_t stream,
                 const std::function<void()>& between) {
  const bool premultiply = job.source.premultiply;
  switch (channels) {
    case 1:
      return Launch<T, 1, false>(job, multiprocessors, stream, between);
    case 2:
      return premultiply ? Launch<T, 2, true>(job, multiprocessors, stream, between)
                         : Launch<T, 2, false>(job, multiprocessors, stream, between);
    case 3:
      return Launch<T, 3, false>(job, multiprocessors, stream, between);
    default:
      return premultiply ? Launch<T, 4, true>(job, multiprocessors, stream, between)
                         : Launch<T, 4, false>(job, multiprocessors, stream, between);
  }
}

}  // namespace

bool RingFits(int channels, int width, int height, int pairs, int shared_bytes) {
  return int64_t{pairs} * (width + height) <= kRingWeights &&
         BytesFor(sizeof(float), channels, width, height, pairs) <= shared_bytes;
}

void LaunchRing(const RingJob& job, int channels, int multiprocessors, cudaStream_t stream,
                const std::function<void()>& between) {
  switch (job.source.type) {
    case SampleType::kU8:
      return LaunchTyped<uint8_t>(job, channels, multiprocessors, stream, between);
    case SampleType::kU16:
      return LaunchTyped<uint16_t>(job, channels, multiprocessors, stream, between);
    default:
      return LaunchTyped<float>(job, channels, multiprocessors, stream, between);
  }
}

}  // namespace convolve::cuda
