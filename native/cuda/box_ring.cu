// The box in one launch, where its rows fit shared memory: a block goes down a strip. For every 32 rows of the picture
// it fills a stage, as the ring of separable kernels does; a thread then sums a run of one row across, by taking in a
// pixel and letting go of one from result to result, and writes the sums to a ring that holds as many rows as the box
// has and a step's. Down, a thread keeps the sums of one or two samples and takes in and lets go of rows of the ring:
//
//   picture --copy--> stage: 32 rows --across--> ring: (height - 1 + 32) rows --down--> results
//
// So nothing between the two directions leaves the multiprocessor and the picture is read once. Strips and runs begin
// at fixed places of the picture, so that rounding does not depend on the region. Sums across of bytes are kept in 16
// bits. Numbers that are not finite would stay in a running sum: a run that met one is summed anew, each result by
// itself, and so are all results down whose box may hold such a sum.
#include <algorithm>

#include "cuda/box_launch.h"
#include "cuda/box_ring_sums.cuh"
#include "cuda/check.h"
#include "cuda/stage.cuh"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kThreads = kRingThreads;
constexpr int kStep = kRingStep;
constexpr int kRuns = kRingRuns;

constexpr RingSums SumsOf(SampleType type) { return type == SampleType::kU8 ? RingSums::kWords : RingSums::kFloats; }

struct Layout {
  int ring_rows, stage_pitch, bytes;
};
Layout LayoutOf(int channels, SampleType type, RingSums sums, int width, int height) {
  const auto sample_bytes = static_cast<int>(BytesPerSample(type));
  const int columns = RowSamples(sums) / channels + width - 1;
  Layout to;
  to.ring_rows = height - 1 + kStep;
  to.stage_pitch = StageUnits(sample_bytes, channels, columns) * UnitOf(sample_bytes, channels);
  const int ring = (to.ring_rows * RingPitch(sums, channels) + 15) / 16 * 16;
  to.bytes = ring + kStep * to.stage_pitch + (columns + kStep) * 4 + 16;  // the last for what is no part of it
  return to;
}

struct RingLaunch {
  BoxLaunch box;
  int ring_rows;
  int stage_pitch;
};

template <typename Sum>
__device__ __forceinline__ float ValueOf(const BoxLaunch& launch, Sum sum) {
  if (launch.job.divisor == 0) return static_cast<float>(sum);
  const auto exact = static_cast<double>(sum);
  const double quotient = exact * launch.inverse;
  // Cut off, not rounded: a value just below a half must not become one.
  return __double2float_rz(fma(fma(-quotient, launch.job.divisor, exact), launch.inverse, quotient));
}

/// How results leave: as bytes by BoxLaunch::multiplier, each sample by itself, or each pixel with all its channels.
enum class Leave { kBytes, kSamples, kPixels };

template <int C, typename T, RingSums kSums, Leave kLeave, bool kPremultiply>
__global__ void __launch_bounds__(kThreads, 2) BoxKernel(const __grid_constant__ RingLaunch launch) {
  constexpr int kRowSamples = RowSamples(kSums);
  constexpr int kColumns = kRowSamples / C;
  constexpr int kRun = kColumns / kRuns;
  constexpr int kPitch = RingPitch(kSums, C);
  constexpr int kPixelBytes = C * (kSums == RingSums::kWords ? 2 : 4);
  using Own = Down<kSums>;
  constexpr int kSamples = Own::kSamples;
  extern __shared__ uint4 shared[];
  __shared__ int last_broken;  // of the rows of the strip: the last whose sums are not finite
  const BoxLaunch& box = launch.box;
  const BoxJob& job = box.job;
  const TargetParameters& target = job.output.target;
  const int thread = static_cast<int>(threadIdx.x);

  const int x = box.first_x + static_cast<int>(blockIdx.x) * kColumns;
  const int y = (box.first_strip + static_cast<int>(blockIdx.y)) * box.strip;
  const int outputs = min(box.strip, target.y1 - y);
  const int inputs = outputs + job.height - 1;
  const int input_y = y - job.anchor_y;
  char* const ring = reinterpret_cast<char*>(shared);
  const char* const ring_end = ring + launch.ring_rows * kPitch;
  Stage<T, C> stage;
  stage.columns = kColumns + job.width - 1;
  stage.pitch = launch.stage_pitch;
  stage.data = ring + (launch.ring_rows * kPitch + 15) / 16 * 16;
  stage.window = (x - job.anchor_x - job.source.left) * C;
  stage.inside = stage.window >= 0 && stage.window + stage.columns * C <= job.source.columns * C;
  int* const column_table = reinterpret_cast<int*>(stage.data + kStep * stage.pitch);
  int* const row_table = column_table + stage.columns;
  if (!stage.inside) FillColumnTable(job.source, column_table, x - job.anchor_x, stage.columns);
  const bool tables = !stage.inside || !Follow(job.source, input_y, inputs);
  if (tables) FillRowTable(job.source, row_table, input_y, min(kStep, inputs));
  if (thread == 0) last_broken = -(1 << 30);
  __syncthreads();
  FillStage<kThreads>(job.source, stage, input_y, min(kStep, inputs), column_table, row_table);

  Own own = {};
  if constexpr (kLeave == Leave::kBytes) {
#pragma unroll
    for (int s = 0; s < kSamples; ++s) own.sum[s] = box.half;
  }
  const int sample = thread * kSamples;  // of the row, the thread's first
  const int bytes = target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4);
  char* to = PixelAddress<C>(target, x, y) + sample * bytes;
  bool wanted[kSamples];
#pragma unroll
  for (int s = 0; s < kSamples; ++s) wanted[s] = x + (sample + s) / C >= target.x0 && x + (sample + s) / C < target.x1;
  const bool pair = kSamples == 2 && wanted[0] && wanted[kSamples - 1] && (reinterpret_cast<uintptr_t>(to) & 1) == 0 &&
                    (target.pitch & 1) == 0;
  const FinishParameters& finish = job.output.finish;

  const auto leave = [&](int row, const char* oldest) {
    if constexpr (kLeave == Leave::kBytes) {
      uint32_t byte[kSamples];
#pragma unroll
      for (int s = 0; s < kSamples; ++s)
        byte[s] = __umulhi(own.Sum(s, oldest, ring, ring_end, kPitch, job.height), box.multiplier) >> box.shift;
      if (pair) {
        *reinterpret_cast<uint16_t*>(to) = static_cast<uint16_t>(byte[0] | byte[kSamples - 1] << 8);
        return;
      }
#pragma unroll
      for (int s = 0; s < kSamples; ++s) {
        if (wanted[s]) to[s] = static_cast<char>(byte[s]);
      }
    } else if constexpr (kLeave == Leave::kSamples) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) {
        if (!wanted[s]) continue;
        float value = Divide(ValueOf(box, own.Sum(s, oldest, ring, ring_end, kPitch, job.height)), finish.divisor);
        if (finish.steps & kStepBound) value = Bounded(value, 0.0f, finish.full_scale);
        if (C == 4 && (sample + s) % C == C - 1 && finish.alpha == AlphaRule::kFull) value = finish.full_scale;
        WriteSample(to, s, target.type, value);
      }
    } else {
      // Neighbouring lanes hold a pixel's channels; the first of them finishes it.
      constexpr int kLanes = C / kSamples > 1 ? C / kSamples : 1;
      float values[1][C];
#pragma unroll
      for (int c = 0; c < C; ++c) {
        float value = 0;
        if (c < kSamples) value = ValueOf(box, own.Sum(c % kSamples, oldest, ring, ring_end, kPitch, job.height));
        values[0][c] = value;
      }
      if constexpr (C > kSamples) {
        float mine[kSamples];
#pragma unroll
        for (int s = 0; s < kSamples; ++s) mine[s] = values[0][s];
        const int first = thread % 32 / kLanes * kLanes;
#pragma unroll
        for (int c = 0; c < C; ++c) values[0][c] = __shfl_sync(0xffffffffu, mine[c % kSamples], first + c / kSamples);
      }
      const float none[1][C] = {};
      if (thread % kLanes == 0 && wanted[0]) {
        StoreColumn<C, 1, false>(job.output, x + sample / C, row, 0, 1, values, none);
      }
    }
  };

  // Most warps store all that they have, in the simplest way: without a test between rows.
  bool quick = false;
  if constexpr (kLeave == Leave::kBytes) quick = __all_sync(0xffffffffu, pair);
  if constexpr (kLeave == Leave::kSamples && kSums == RingSums::kFloats) {
    const bool plain =
        target.type == SampleType::kF32 && job.divisor == 0 && finish.divisor.kind != DivisionKind::kCorrect;
    quick = __all_sync(0xffffffffu, wanted[0] && plain);
  }
  const bool opaque = C == 4 && sample % C == C - 1 && finish.alpha == AlphaRule::kFull;
  const float factor = finish.divisor.kind == DivisionKind::kNone ? 1.0f : finish.divisor.reciprocal;
  const float least = (finish.steps & kStepBound) != 0 ? 0.0f : -__int_as_float(0x7f800000);
  const float most = (finish.steps & kStepBound) != 0 ? finish.full_scale : __int_as_float(0x7f800000);
  const auto leave_quickly = [&](char* place) {
    if constexpr (kLeave == Leave::kBytes) {
      const uint32_t low = __umulhi(own.sum[0], box.multiplier) >> box.shift;
      const uint32_t high = __umulhi(own.sum[kSamples - 1], box.multiplier) >> box.shift;
      *reinterpret_cast<uint16_t*>(place) = static_cast<uint16_t>(low | high << 8);
    } else if constexpr (kLeave == Leave::kSamples && kSums == RingSums::kFloats) {
      const float value = Bounded(__fmul_rn(own.sum[0], factor), least, most);
      *reinterpret_cast<float*>(place) = opaque ? finish.full_scale : value;
    }
  };

  const int lane = thread % 32;
  const int warp = thread / 32;
  int slot = 0;  // ring row of the step's first row
#pragma unroll 1
  for (int first = 0; first < inputs; first += kStep) {
    const int next_rows = min(kStep, inputs - first - kStep);
    __pipeline_wait_prior(0);
    __syncthreads();  // the stage is full; the ring's oldest rows are no longer read; the row table is free
    if (tables && next_rows > 0) FillRowTable(job.source, row_table, input_y + first + kStep, next_rows);
    int ring_row = slot + lane;
    if (ring_row >= launch.ring_rows) ring_row -= launch.ring_rows;
    const T* const from = stage.Row(lane) + warp * kRun * C;
    char* const sums = ring + ring_row * kPitch + warp * kRun * kPixelBytes;
    if constexpr (kSums == RingSums::kWords) {
      SumBytes<kRun>(reinterpret_cast<const uint32_t*>(from), job.width, reinterpret_cast<uint2*>(sums));
    } else {
      const bool finite =
          SumFloats<C, kRun, kPremultiply>(from, job.width, job.source.alpha_scale, reinterpret_cast<float*>(sums));
      // All that write write the same. Rows that are not there may be anything.
      if (!finite && lane < inputs - first) last_broken = first + kStep - 1;
    }
    __syncthreads();  // the ring is full; the stage is free
    if (next_rows > 0)
      FillStage<kThreads>(job.source, stage, input_y + first + kStep, next_rows, column_table, row_table);

    // Rows that complete no result, those whose results are not wanted, those that are; each until an end of the ring.
    const int count = min(kStep, inputs - first);
    own.slow = kSums == RingSums::kFloats && last_broken > first - job.height;
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
      } else if (quick && !own.slow) {
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

template <int C, typename T, RingSums kSums, Leave kLeave, bool kPremultiply = false>
void Launch(RingLaunch launch, const Layout& layout, cudaStream_t stream) {
  const TargetParameters& target = launch.box.job.output.target;
  constexpr int kColumns = RowSamples(kSums) / C;
  const auto kernel = BoxKernel<C, T, kSums, kLeave, kPremultiply>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, layout.bytes),
        "shared memory of a box");
  launch.box.first_x = target.x0 / kColumns * kColumns;
  const int across = (target.x1 - launch.box.first_x + kColumns - 1) / kColumns;
  const int last = (target.y1 - 1) / launch.box.strip;
  for (int strip = target.y0 / launch.box.strip; strip <= last; strip += 65535) {
    launch.box.first_strip = strip;
    const dim3 grid(across, std::min(65535, last - strip + 1));
    kernel<<<grid, kThreads, layout.bytes, stream>>>(launch);
    Check(cudaGetLastError(), "box");
  }
}

template <int C, typename T, RingSums kSums>
void LaunchSums(const RingLaunch& launch, const Layout& layout, cudaStream_t stream) {
  if constexpr (kSums == RingSums::kWords) {
    if (launch.box.multiplier != 0) return Launch<C, T, kSums, Leave::kBytes>(launch, layout, stream);
  }
  const OutputParameters& output = launch.box.job.output;
  if (output.finish.simple && output.rule == SumRule::kFinish) {
    return Launch<C, T, kSums, Leave::kSamples>(launch, layout, stream);
  }
  if constexpr (C == 4 && kSums == RingSums::kFloats) {
    if (launch.box.job.source.premultiply) return Launch<C, T, kSums, Leave::kPixels, true>(launch, layout, stream);
  }
  Launch<C, T, kSums, Leave::kPixels>(launch, layout, stream);
}

}  // namespace

BoxCut RingCut(int channels, SampleType type, const BoxSize& box, const BoxSize& picture) {
  // A few times as many blocks as a large device holds at once, so that it is busy to the end, and no strip much
  // shorter than what comes before its first row.
  constexpr int kWaves = 3;
  constexpr int kMultiprocessors = 132;
  constexpr int kTwoBlocks = 113 << 10;
  const RingSums sums = SumsOf(type);
  const int columns = RowSamples(sums) / channels;
  const int slots = LayoutOf(channels, type, sums, box.width, box.height).bytes <= kTwoBlocks ? 2 * kMultiprocessors
                                                                                              : kMultiprocessors;
  const int down = std::max(1, kWaves * slots / ((picture.width + columns - 1) / columns));
  const int strip = std::max((picture.height + down - 1) / down, box.height);
  return {columns, (strip + kStep - 1) / kStep * kStep};
}

bool BoxRings(const BoxJob& job, int channels, int shared_bytes) {
  constexpr int kWidestBytes = 257;   // 255 times as much fits 16 bits
  constexpr int kWidestFloats = 128;  // in running sums
  const SampleType type = job.source.type;
  if (type == SampleType::kU8) {
    if (channels != 4 || job.source.premultiply || !job.integers || job.width > kWidestBytes) return false;
  } else if (type != SampleType::kF32 || (channels != 1 && channels != 4) || job.width > kWidestFloats ||
             (job.height - 1) / kStep > Down<RingSums::kFloats>::kKept) {
    return false;
  }
  return LayoutOf(channels, type, SumsOf(type), job.width, job.height).bytes <= shared_bytes;
}

void LaunchBoxRing(const BoxLaunch& box, int channels, cudaStream_t stream) {
  const SourceParameters& source = box.job.source;
  const BoxSize size{box.job.width, box.job.height};
  RingLaunch launch = {};
  launch.box = box;
  launch.box.strip = RingCut(channels, source.type, size, {source.width, source.height}).strip;
  const Layout layout = LayoutOf(channels, source.type, SumsOf(source.type), size.width, size.height);
  launch.ring_rows = layout.ring_rows;
  launch.stage_pitch = layout.stage_pitch;
  if (source.type == SampleType::kU8) return LaunchSums<4, uint8_t, RingSums::kWords>(launch, layout, stream);
  if (channels == 1) return LaunchSums<1, float, RingSums::kFloats>(launch, layout, stream);
  LaunchSums<4, float, RingSums::kFloats>(launch, layout, stream);
}

}  // namespace convolve::cuda
