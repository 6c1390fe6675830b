// The small box of floats in one launch, where its rows fit shared memory: a block goes down a strip. For every 32 rows
// of the picture it fills a stage, as the ring of separable kernels does; a thread then sums a run of one row across,
// by taking in a pixel and letting go of one from result to result, and writes the sums to a ring that holds as many
// rows as the box has and a step's. Down, a thread keeps the sum of one sample and takes in and lets go of rows of the
// ring:
//
//   picture --copy--> stage: 32 rows --across--> ring: (height - 1 + 32) rows --down--> results
//
// So nothing between the two directions leaves the multiprocessor and the picture is read once. Strips and runs begin
// at fixed places of the picture, so that rounding does not depend on the region. Numbers that are not finite would
// stay in a running sum: a run that met one is summed anew, each result by itself, and so are all results down whose
// box may hold such a sum. Larger boxes begin with too many additions here; box_walk.cu sums down first.
#include <algorithm>

#include "cuda/box_launch.h"
#include "cuda/box_ring_sums.cuh"
#include "cuda/check.h"
#include "cuda/launch.cuh"
#include "cuda/stage.cuh"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kThreads = kRingThreads;
constexpr int kStep = kRingStep;
constexpr int kRuns = kRingRuns;

struct Layout {
  int ring_rows, stage_pitch, bytes;
};
Layout LayoutOf(int channels, const BoxSize& box) {
  const int columns = kRingSamples / channels + box.width - 1;
  Layout to;
  to.ring_rows = box.height - 1 + kStep;
  to.stage_pitch = StageUnits(4, channels, columns) * UnitOf(4, channels);
  const int ring = (to.ring_rows * RingPitch(channels) + 15) / 16 * 16;
  to.bytes = ring + kStep * to.stage_pitch + (columns + kStep) * 4 + 16;  // the last for what is no part of it
  return to;
}

struct RingLaunch {
  BoxLaunch box;
  int ring_rows;
  int stage_pitch;
};

/// How results leave: each sample by itself, or each pixel with all its channels.
enum class Leave { kSamples, kPixels };

template <int C, Leave kLeave, bool kPremultiply>
__global__ void __launch_bounds__(kThreads, 2) RingKernel(const __grid_constant__ RingLaunch launch) {
  constexpr int kColumns = kRingSamples / C;
  constexpr int kRun = kColumns / kRuns;
  constexpr int kPitch = RingPitch(C);
  extern __shared__ uint4 shared[];
  __shared__ uint32_t broken[2];  // rows of a step, one bit each, whose sums are not finite; for every other step
  const BoxLaunch& box = launch.box;
  const BoxJob& job = box.job;
  const TargetParameters& target = job.output.target;
  const int thread = static_cast<int>(threadIdx.x);
  LetNextPrepare();

  const int x = box.first_x + static_cast<int>(blockIdx.x) * kColumns;
  const int y = (box.first_strip + static_cast<int>(blockIdx.y)) * box.strip;
  const int outputs = min(box.strip, target.y1 - y);
  const int inputs = outputs + job.height - 1;
  const int input_y = y - job.anchor_y;
  char* const ring = reinterpret_cast<char*>(shared);
  const char* const ring_end = ring + launch.ring_rows * kPitch;
  Stage<float, C> stage;
  stage.columns = kColumns + job.width - 1;
  stage.pitch = launch.stage_pitch;
  stage.data = ring + (launch.ring_rows * kPitch + 15) / 16 * 16;
  stage.window = (x - job.anchor_x - job.source.left) * C;
  stage.inside = stage.window >= 0 && stage.window + stage.columns * C <= job.source.columns * C;
  int* const column_table = reinterpret_cast<int*>(stage.data + kStep * stage.pitch);
  int* const row_table = column_table + stage.columns;
  // What lies behind the picture's last result is held there, so that it does not depend on the region either.
  const int columns = min(kColumns, job.source.width - x) + job.width - 1;
  if (!stage.inside) {
    FillColumnTable(job.source, column_table, x - job.anchor_x, columns);
    __syncthreads();
    for (int i = columns + thread; i < stage.columns; i += kThreads) column_table[i] = column_table[columns - 1];
  }
  const bool tables = !stage.inside || !Follow(job.source, input_y, inputs);
  if (tables) FillRowTable(job.source, row_table, input_y, min(kStep, inputs));
  if (thread < 2) broken[thread] = 0;
  __syncthreads();
  AwaitWork();
  FillStage<kThreads>(job.source, stage, input_y, min(kStep, inputs), column_table, row_table);

  Down own = {};
  const int bytes = target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4);
  char* to = PixelAddress<C>(target, x, y) + thread * bytes;  // a thread has one sample of a row
  const bool wanted = x + thread / C >= target.x0 && x + thread / C < target.x1;
  const FinishParameters& finish = job.output.finish;

  const auto leave = [&](int row, const char* oldest) {
    const float sum = own.Sum(oldest, ring, ring_end, kPitch, job.height);
    if constexpr (kLeave == Leave::kSamples) {
      if (!wanted) return;
      float value = Divide(sum, finish.divisor);
      if (finish.steps & kStepBound) value = Bounded(value, 0.0f, finish.full_scale);
      if (C == 4 && thread % C == C - 1 && finish.alpha == AlphaRule::kFull) value = finish.full_scale;
      WriteSample(to, 0, target.type, value);
    } else {
      // Neighbouring lanes hold a pixel's channels; the first of them finishes it.
      float values[1][C];
      const int first = thread % 32 / C * C;
#pragma unroll
      for (int c = 0; c < C; ++c) values[0][c] = __shfl_sync(0xffffffffu, sum, first + c);
      const float none[1][C] = {};
      if (thread % C == 0 && wanted) {
        StoreColumn<C, 1, false>(job.output, x + thread / C, row, 0, 1, values, none);
      }
    }
  };

  // Most warps store all that they have, in the simplest way: without a test between rows.
  bool quick = false;
  if constexpr (kLeave == Leave::kSamples) {
    const bool plain = target.type == SampleType::kF32 && finish.divisor.kind != DivisionKind::kCorrect;
    quick = __all_sync(0xffffffffu, wanted && plain);
  }
  const bool opaque = C == 4 && thread % C == C - 1 && finish.alpha == AlphaRule::kFull;
  const float factor = finish.divisor.kind == DivisionKind::kNone ? 1.0f : finish.divisor.reciprocal;
  const float least = (finish.steps & kStepBound) != 0 ? 0.0f : -__int_as_float(0x7f800000);
  const float most = (finish.steps & kStepBound) != 0 ? finish.full_scale : __int_as_float(0x7f800000);
  const auto leave_quickly = [&](char* place) {
    const float value = Bounded(__fmul_rn(own.sum, factor), least, most);
    *reinterpret_cast<float*>(place) = opaque ? finish.full_scale : value;
  };

  const int lane = thread % 32;
  const int warp = thread / 32;
  int slot = 0;                  // ring row of the step's first row
  int last_broken = -(1 << 30);  // of the rows of the strip
#pragma unroll 1
  for (int first = 0; first < inputs; first += kStep) {
    const int next_rows = min(kStep, inputs - first - kStep);
    __pipeline_wait_prior(0);
    __syncthreads();  // the stage is full; the ring's oldest rows are no longer read; the row table is free
    if (tables && next_rows > 0) FillRowTable(job.source, row_table, input_y + first + kStep, next_rows);
    int ring_row = slot + lane;
    if (ring_row >= launch.ring_rows) ring_row -= launch.ring_rows;
    const float* const from = stage.Row(lane) + warp * kRun * C;
    float* const sums = reinterpret_cast<float*>(ring + ring_row * kPitch) + warp * kRun * C;
    const bool finite = SumFloats<C, kRun, kPremultiply>(from, job.width, job.source.alpha_scale, sums);
    // Rows that are not there may be anything.
    if (!finite && lane < inputs - first) atomicOr(&broken[first / kStep % 2], 1u << lane);
    __syncthreads();  // the ring is full; the stage is free
    if (next_rows > 0)
      FillStage<kThreads>(job.source, stage, input_y + first + kStep, next_rows, column_table, row_table);

    // Rows that complete no result, those whose results are not wanted, those that are; each until an end of the ring.
    const int count = min(kStep, inputs - first);
    // From a row on that is not finite every result of the step is summed by itself, and not before, so that what comes
    // behind the region changes nothing.
    const uint32_t broken_rows = broken[first / kStep % 2];
    if (thread == 0) broken[(first / kStep + 1) % 2] = 0;
    const bool slow_before = last_broken > first - job.height;
    const bool slow = slow_before || broken_rows != 0;
    if (broken_rows != 0) last_broken = first + 31 - __clz(broken_rows);
    own.Begin(first, job.height, ring + slot * kPitch + thread * 4, ring + thread * 4, ring_end + thread * 4, kPitch);
    int done = 0;
#pragma unroll 1
    while (done < count) {
      const int output = first + done - (job.height - 1);
      int in = slot + done;
      if (in >= launch.ring_rows) in -= launch.ring_rows;
      int rows = min(count - done, launch.ring_rows - in);
      const char* newest = ring + in * kPitch + thread * 4;
      if (output < 0) {
        rows = min(rows, -output);
#pragma unroll 4
        for (int r = 0; r < rows; ++r) own.Add(newest + r * kPitch);
        done += rows;
        continue;
      }
      int out = in + kStep;  // height - 1 rows before, around the ring
      if (out >= launch.ring_rows) out -= launch.ring_rows;
      rows = min(rows, launch.ring_rows - out);
      const char* oldest = ring + out * kPitch + thread * 4;
      const int row = y + output;
      if (row < target.y0) {
        rows = min(rows, target.y0 - row);
#pragma unroll 1
        for (int r = 0; r < rows; ++r) {
          own.Add(newest + r * kPitch);
          own.Take(oldest + r * kPitch);
        }
        to += rows * int64_t{target.pitch};
      } else if (quick && !slow) {
        char* place = to;
#pragma unroll 8
        for (int r = 0; r < rows; ++r) {
          own.Add(newest);
          leave_quickly(place);
          own.Take(oldest);
          newest += kPitch;
          oldest += kPitch;
          place += target.pitch;
        }
        to = place;
      } else {
#pragma unroll 1
        for (int r = 0; r < rows; ++r) {
          own.Add(newest);
          own.slow = slow_before || broken_rows << (31 - done - r) != 0;
          leave(row + r, oldest);
          own.Take(oldest);
          newest += kPitch;
          oldest += kPitch;
          to += target.pitch;
        }
      }
      done += rows;
    }
    slot += kStep;
    if (slot >= launch.ring_rows) slot -= launch.ring_rows;
  }
}

template <int C, Leave kLeave, bool kPremultiply = false>
void Launch(RingLaunch launch, const Layout& layout, cudaStream_t stream) {
  const TargetParameters& target = launch.box.job.output.target;
  constexpr int kColumns = kRingSamples / C;
  const auto kernel = RingKernel<C, kLeave, kPremultiply>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, layout.bytes),
        "shared memory of a box");
  launch.box.first_x = target.x0 / kColumns * kColumns;
  const int across = (target.x1 - launch.box.first_x + kColumns - 1) / kColumns;
  const int last = (target.y1 - 1) / launch.box.strip;
  for (int strip = target.y0 / launch.box.strip; strip <= last; strip += 65535) {
    launch.box.first_strip = strip;
    const dim3 grid(across, std::min(65535, last - strip + 1));
    LaunchNext(kernel, grid, kThreads, static_cast<size_t>(layout.bytes), stream, launch, "box");
  }
}

template <int C>
void LaunchChannels(const RingLaunch& launch, const Layout& layout, cudaStream_t stream) {
  const OutputParameters& output = launch.box.job.output;
  if (output.finish.simple && output.rule == SumRule::kFinish) {
    return Launch<C, Leave::kSamples>(launch, layout, stream);
  }
  if constexpr (C == 4) {
    if (launch.box.job.source.premultiply) return Launch<C, Leave::kPixels, true>(launch, layout, stream);
  }
  Launch<C, Leave::kPixels>(launch, layout, stream);
}

}  // namespace

BoxCut RingCut(int channels, const BoxSize& box, const BoxSize& picture) {
  // A few times as many blocks as a large device holds at once, so that it is busy to the end, and no strip much
  // shorter than what comes before its first row.
  constexpr int kWaves = 3;
  constexpr int kMultiprocessors = 132;
  constexpr int kTwoBlocks = 113 << 10;
  const int columns = kRingSamples / channels;
  const int slots = LayoutOf(channels, box).bytes <= kTwoBlocks ? 2 * kMultiprocessors : kMultiprocessors;
  const int down = std::max(1, kWaves * slots / ((picture.width + columns - 1) / columns));
  const int strip = std::max((picture.height + down - 1) / down, box.height);
  return {columns, (strip + kStep - 1) / kStep * kStep};
}

bool BoxRings(const BoxJob& job, int channels, int shared_bytes) {
  const BoxSize box{job.width, job.height};
  return job.source.type == SampleType::kF32 && job.divisor == 0 && RingSuits(channels, box) &&
         LayoutOf(channels, box).bytes <= shared_bytes;
}

void LaunchBoxRing(const BoxLaunch& box, int channels, cudaStream_t stream) {
  const SourceParameters& source = box.job.source;
  const BoxSize size{box.job.width, box.job.height};
  RingLaunch launch = {};
  launch.box = box;
  launch.box.strip = RingCut(channels, size, {source.width, source.height}).strip;
  const Layout layout = LayoutOf(channels, size);
  launch.ring_rows = layout.ring_rows;
  launch.stage_pitch = layout.stage_pitch;
  channels == 1 ? LaunchChannels<1>(launch, layout, stream) : LaunchChannels<4>(launch, layout, stream);
}

}  // namespace convolve::cuda
