// The box in one launch: a block goes down a strip. A thread owns a column of pixels, one or a few, and keeps their
// sums down in registers: for each row it takes in the pixel that comes and lets go of the one that leaves, which the
// second-level cache still has. The sums of a few rows lie in shared memory, where warps sum them across. Strips begin
// at fixed places of the picture, so that rounding does not depend on the region.
//
//   picture --rows that come and rows that leave--> registers: sums down --> shared memory: rows of them --across-->
//   results
//
// Numbers that are not finite would stay in a running sum: a column that met one is summed anew for each row until its
// sum is finite again, and so are the results of a run across.
#include <algorithm>

#include "cuda/border.cuh"
#include "cuda/box_launch.h"
#include "cuda/box_walk_bands.cuh"
#include "cuda/check.h"
#include "cuda/stage.cuh"
#include "cuda/store_pixel.cuh"

namespace convolve::cuda {
namespace {

constexpr int kMultiprocessors = 132;  // cuts suit a large device, and are the same on all

/// How blocks are made. `words`: of a pixel's sums. `groups`: pixels of a thread, `threads` apart. `rows`: of a step;
/// each is one warp's, or several warps' beside each other. `run`: results of a lane beside each other. `buffers`: for
/// sums of a step. `blocks`: of a multiprocessor.
struct Shape {
  int words, threads, groups, rows, run, buffers, blocks;
  constexpr int Warps() const { return threads / 32; }
  constexpr int Parts() const { return Warps() / rows; }  // of a row
  constexpr int Chunk() const { return 32 * run; }        // results of a warp at once
  constexpr int Columns() const { return threads * groups; }
};
constexpr Shape ShapeOf(int channels, bool floats, bool wide, bool packed) {
  if (packed) return {2, wide ? 512 : 256, 2, 8, 7, 1, wide ? 1 : 2};
  if (channels == 4 && floats) return {4, 512, wide ? 2 : 1, wide ? 2 : 4, 5, 2, 1};
  if (channels == 4) return {4, wide ? 512 : 256, 2, 8, 7, 1, wide ? 1 : 2};
  if (floats) return {1, 512, wide ? 4 : 2, 4, 9, 2, wide ? 1 : 2};
  return {1, wide ? 512 : 256, 4, 8, 15, 1, wide ? 1 : 2};
}
constexpr bool IsWide(int channels, int width) { return width > (channels == 1 ? 400 : 200); }

struct Layout {
  int pitch;  // pixels of a row of sums
  int stage;  // bytes of a warp's results
  int bytes;
};
Layout LayoutOf(const Shape& shape, bool bytes, int columns, int strip, int width, int height) {
  Layout to;
  const int chunks = (columns + shape.Chunk() - 1) / shape.Chunk();
  to.pitch = std::max(columns + width, chunks * shape.Chunk() + width);
  to.stage = shape.Chunk() * (bytes ? 1 : shape.words) * 4;
  to.bytes = (shape.buffers * shape.rows * to.pitch * shape.words + strip + height + shape.rows) * 4 +
             shape.Warps() * to.stage;
  return to;
}

struct WalkLaunch {
  BoxLaunch box;
  int columns;  // of a strip
  int pitch;
  int stage;
};

template <typename S>
__device__ __forceinline__ float ValueOf(const BoxLaunch& launch, S sum) {
  if (launch.job.divisor == 0) return static_cast<float>(sum);
  const auto exact = static_cast<double>(sum);
  const double quotient = exact * launch.inverse;
  // Cut off, not rounded: a value just below a half must not become one.
  return __double2float_rz(fma(fma(-quotient, launch.job.divisor, exact), launch.inverse, quotient));
}

/// How results leave: as bytes by BoxLaunch::multiplier, from packed sums or others; as floats that are multiplied and
/// bounded, as anything.
enum class Leave { kPackedBytes, kBytes, kFloats, kPixels };

template <int C, typename T, typename S, bool kPacked, bool kPremultiply>
using SumOf = std::conditional_t<kPacked, PackedColumnSum, ColumnSum<C, T, S, kPremultiply>>;

template <int C, typename T, typename S, bool kWide, Leave kLeave, bool kPremultiply>
__global__ void __launch_bounds__(ShapeOf(C, std::is_same_v<S, float>, kWide, kLeave == Leave::kPackedBytes).threads,
                                  ShapeOf(C, std::is_same_v<S, float>, kWide, kLeave == Leave::kPackedBytes).blocks)
    WalkKernel(const __grid_constant__ WalkLaunch launch) {
  constexpr bool kPacked = kLeave == Leave::kPackedBytes;
  constexpr bool kBytes = kPacked || kLeave == Leave::kBytes;
  constexpr int kWords = kPacked ? 2 : C;  // of a pixel's sums
  using Sum = SumOf<C, T, S, kPacked, kPremultiply>;
  using Raw = RawPixel<C, T>;
  constexpr Shape kShape = ShapeOf(C, std::is_same_v<S, float>, kWide, kLeave == Leave::kPackedBytes);
  constexpr int kThreads = kShape.threads;
  constexpr int kGroups = kShape.groups;
  constexpr int kRows = kShape.rows;
  constexpr int kRun = kShape.run;
  constexpr int kChunk = kShape.Chunk();
  extern __shared__ uint4 shared[];
  const BoxLaunch& box = launch.box;
  const BoxJob& job = box.job;
  const SourceParameters& source = job.source;
  const TargetParameters& target = job.output.target;
  const FinishParameters& finish = job.output.finish;
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32;
  const int warp = thread / 32;
  LetNextPrepare();

  const int x = box.first_x + static_cast<int>(blockIdx.x) * launch.columns;
  const int y = (box.first_strip + static_cast<int>(blockIdx.y)) * box.strip;
  const int results = min(launch.columns, source.width - x);
  const int outputs = min(box.strip, target.y1 - y);
  const int input_y = y - job.anchor_y;
  const int row_samples = launch.pitch * kWords;
  S* const sums = reinterpret_cast<S*>(shared);
  uint32_t* const stages = reinterpret_cast<uint32_t*>(sums + kShape.buffers * kRows * row_samples);
  S* const stage = reinterpret_cast<S*>(stages + warp * (launch.stage / 4));
  int* const table = reinterpret_cast<int*>(stages + kShape.Warps() * (launch.stage / 4));
  const int inputs = outputs + job.height - 1 + kRows;  // some of them in vain
  FillRowTable(source, table, input_y, inputs);
  // What no thread owns is read and counts for nothing.
  for (int i = thread; i < kShape.buffers * kRows * row_samples; i += kThreads) sums[i] = 0;
  __syncthreads();

  Raw outside_pixel;
  if constexpr (C == 4) {
    T samples[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) samples[c] = static_cast<T>(source.outside[c]);
    memcpy(&outside_pixel, samples, sizeof samples);
  } else {
    outside_pixel = static_cast<T>(source.outside[0]);
  }
  uint32_t column[kGroups];  // bytes
  bool owned[kGroups];
  bool outside[kGroups];
  bool any_outside = false;
#pragma unroll
  for (int g = 0; g < kGroups; ++g) {
    const int own = thread + g * kThreads;
    const int position = x - job.anchor_x + own;
    const int mapped = source.bordered ? MapPosition(source.border, position, source.width) : position;
    owned[g] = own < results + job.width - 1;
    outside[g] = source.bordered && mapped < 0;
    any_outside = any_outside || (owned[g] && outside[g]);
    column[g] = static_cast<uint32_t>(min(max(mapped - source.left, 0), source.columns - 1)) * C * sizeof(T);
  }
  const char* const data = static_cast<const char*>(source.data);
  const bool plain = !__syncthreads_or(any_outside) && Follow(source, input_y, inputs);
  const auto load = [&](int g, int index) {
    const int row = table[index];
    Raw raw = outside_pixel;
    if (row >= 0 && !outside[g]) raw = *reinterpret_cast<const Raw*>(data + int64_t{row} * source.pitch + column[g]);
    return raw;
  };
  // The rows that come in the step of result `first` and those that leave; read before the step before it sums across.
  Raw in[kGroups][kRows];
  Raw out[kGroups][kRows];
  const auto fetch = [&](int first) {
    if (plain && first > 0) {
      const char* newest = data + int64_t{input_y - source.top + first + job.height - 1} * source.pitch;
      const char* oldest = data + int64_t{input_y - source.top + first - 1} * source.pitch;
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
          in[g][r] = *reinterpret_cast<const Raw*>(newest + column[g]);
          out[g][r] = __ldcs(reinterpret_cast<const Raw*>(oldest + column[g]));
        }
        newest += source.pitch;
        oldest += source.pitch;
      }
      return;
    }
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        in[g][r] = load(g, first + r + job.height - 1);
        out[g][r] = load(g, max(first + r - 1, 0));
      }
    }
  };
  // Each row of a column that met what is not finite.
  Sum own[kGroups] = {};
  const auto anew = [&](int g, int first) {
    if constexpr (std::is_same_v<S, float>) {
      own[g] = Sum{};
#pragma unroll 1
      for (int i = 0; i < job.height; ++i) {
        S values[C];
        Sum::Values(load(g, first + i), source.alpha_scale, values);
#pragma unroll
        for (int c = 0; c < C; ++c) own[g].sum[c] += values[c];
      }
    }
  };

  AwaitWork();
  fetch(0);
  // All rows of the first box but its last, and the first one twice: it leaves with the first row. Many at once,
  // because nothing else is under way.
  constexpr int kBatch = kPacked ? 16 : (kGroups == 4 ? 4 : 8);
  if (box.bands != nullptr) {
    AddBands<C, kWords>(box, table, load, column, outside, own);
  } else {
#pragma unroll 1
    for (int i = 0; i < job.height; i += kBatch) {
      Raw raw[kGroups][kBatch];
#pragma unroll
      for (int r = 0; r < kBatch; ++r) {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) raw[g][r] = load(g, i + r < job.height - 1 ? i + r : 0);
      }
#pragma unroll
      for (int r = 0; r < kBatch; ++r) {
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
          if (i + r < job.height) own[g].Add(raw[g][r], source.alpha_scale);
        }
      }
    }
  }

  const S begin = kBytes ? static_cast<S>(box.half) : S{0};
  const float factor = finish.divisor.kind == DivisionKind::kNone ? 1.0f : finish.divisor.reciprocal;
  const float least = (finish.steps & kStepBound) != 0 ? 0.0f : -__int_as_float(0x7f800000);
  const float most = (finish.steps & kStepBound) != 0 ? finish.full_scale : __int_as_float(0x7f800000);
  const bool opaque = C == 4 && finish.alpha == AlphaRule::kFull;
  const uint32_t byte = 0x0040 + 0x0011 * (box.shift / 8);  // of two products
  // A warp's results of a row: of whole chunks.
  const int chunks = (results + kChunk - 1) / kChunk;
  const int part = (chunks + kShape.Parts() - 1) / kShape.Parts() * kChunk;
  const int warp_row = warp % kRows;
  const int warp_begin = warp / kRows * part;
  const int warp_end = min(warp_begin + part, min(results, target.x1 - x));

#pragma unroll 1
  for (int first = 0, turn = 0; first < outputs; first += kRows, turn ^= 1) {
    S* const rows = sums + (kShape.buffers == 2 ? turn * kRows * row_samples : 0);
#pragma unroll
    for (int g = 0; g < kGroups; ++g) {
      S* to = rows + (thread + g * kThreads) * kWords;
#pragma unroll
      for (int r = 0; r < kRows; ++r) {
        own[g].Change(in[g][r], out[g][r], source.alpha_scale);
        if (!own[g].Finite()) anew(g, first + r);
        if (owned[g]) WriteSums<kWords>(to, own[g].sum);
        to += row_samples;
      }
    }
    if (first + kRows < outputs) fetch(first + kRows);
    __syncthreads();
    const int row = y + first + warp_row;
    if (row >= target.y0 && first + warp_row < outputs && warp_begin < warp_end) {
      const S* line = rows + warp_row * row_samples + warp_begin * kWords;
      char* to = PixelAddress<C>(target, x + warp_begin, row);
      const int step = kChunk * (target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4)) * C;
      S next[C];
      SumFirst<C, kPacked, S>(line, job.width, begin, next);
#pragma unroll 1
      for (int at = warp_begin; at < warp_end; at += kChunk, line += kChunk * kWords, to += step) {
        S result[kRun][C];
        SumRun<C, kPacked, S, kRun>(line, job.width, next, result);
        if (x + at + kChunk <= target.x0) continue;
#pragma unroll
        for (int p = 0; p < kRun; ++p) {
          if constexpr (kBytes) {
            uint32_t bytes[C];
#pragma unroll
            for (int c = 0; c < C; ++c) bytes[c] = __umulhi(result[p][c], box.multiplier);
            if constexpr (C == 4) {
              const uint32_t low = __byte_perm(bytes[0], bytes[1], byte);
              const uint32_t high = __byte_perm(bytes[2], bytes[3], byte);
              bytes[0] = __byte_perm(low, high, 0x5410);
            } else {
              bytes[0] >>= box.shift;
            }
            stage[lane * kRun + p] = bytes[0];
          } else {
            WriteSums<C>(stage + (lane * kRun + p) * C, result[p]);
          }
        }
        __syncwarp();
        // Neighbouring lanes store neighbouring pixels.
        const int end = min(kChunk, warp_end - at);
        const int skipped = target.x0 - x - at;
#pragma unroll
        for (int k = 0; k < kRun; ++k) {
          const int i = lane + 32 * k;
          if (i < skipped || i >= end) continue;
          if constexpr (kBytes) {
            if constexpr (C == 4) {
              reinterpret_cast<uint32_t*>(to)[i] = stage[i];
            } else {
              to[i] = static_cast<char>(stage[i]);
            }
          } else {
            S of_pixel[C];
            ReadSums<C>(stage + i * C, of_pixel);
            if constexpr (kLeave == Leave::kFloats) {
              float values[C];
#pragma unroll
              for (int c = 0; c < C; ++c) values[c] = Bounded(__fmul_rn(of_pixel[c], factor), least, most);
              if constexpr (C == 4) {
                if (opaque) values[3] = finish.full_scale;
                __stcs(reinterpret_cast<float4*>(to) + i, make_float4(values[0], values[1], values[2], values[3]));
              } else {
                __stcs(reinterpret_cast<float*>(to) + i, values[0]);
              }
            } else {
              float values[1][C];
#pragma unroll
              for (int c = 0; c < C; ++c) values[0][c] = ValueOf(box, of_pixel[c]);
              const float none[1][C] = {};
              StoreColumn<C, 1, false>(job.output, x + at + i, row, 0, 1, values, none);
            }
          }
        }
        __syncwarp();
      }
    }
    if constexpr (kShape.buffers == 1) __syncthreads();
  }
}

template <int C, typename T, typename S, bool kWide, Leave kLeave, bool kPremultiply = false>
void Launch(WalkLaunch launch, cudaStream_t stream) {
  constexpr Shape kShape = ShapeOf(C, std::is_same_v<S, float>, kWide, kLeave == Leave::kPackedBytes);
  const BoxJob& job = launch.box.job;
  const TargetParameters& target = job.output.target;
  const Layout layout =
      LayoutOf(kShape, kLeave <= Leave::kBytes, launch.columns, launch.box.strip, job.width, job.height);
  launch.pitch = layout.pitch;
  launch.stage = layout.stage;
  const auto kernel = WalkKernel<C, T, S, kWide, kLeave, kPremultiply>;
  Check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, layout.bytes),
        "shared memory of a box");
  if (launch.box.bands != nullptr) {
    const SourceParameters& source = job.source;
    const dim3 grid(launch.box.last_band - launch.box.first_band, (source.columns + 255) / 256);
    LaunchNext(BandKernel<C, T, SumOf<C, T, S, kLeave == Leave::kPackedBytes, kPremultiply>>, grid, 256, 0, stream,
               launch.box, "box");
  }
  launch.box.first_x = target.x0 / launch.columns * launch.columns;
  const int across = (target.x1 - launch.box.first_x + launch.columns - 1) / launch.columns;
  const int last = (target.y1 - 1) / launch.box.strip;
  for (int strip = target.y0 / launch.box.strip; strip <= last; strip += 65535) {
    launch.box.first_strip = strip;
    const dim3 grid(across, std::min(65535, last - strip + 1));
    LaunchNext(kernel, grid, kShape.threads, static_cast<size_t>(layout.bytes), stream, launch, "box");
  }
}

/// Whether 16 bits hold sums down, and results are bytes.
bool Packs(const BoxLaunch& box) { return box.multiplier != 0 && box.job.height <= kPackedRows; }

template <int C, typename T, typename S, bool kWide>
void LaunchLeave(const WalkLaunch& launch, cudaStream_t stream) {
  const BoxJob& job = launch.box.job;
  const OutputParameters& output = job.output;
  if constexpr (C == 4) {
    if (job.source.premultiply) return Launch<C, T, S, kWide, Leave::kPixels, true>(launch, stream);
  }
  if constexpr (std::is_same_v<S, uint32_t>) {
    if constexpr (C == 4) {
      if (Packs(launch.box)) return Launch<C, T, S, kWide, Leave::kPackedBytes>(launch, stream);
    }
    if (launch.box.multiplier != 0) return Launch<C, T, S, kWide, Leave::kBytes>(launch, stream);
  } else if (output.finish.simple && output.rule == SumRule::kFinish && output.target.type == SampleType::kF32 &&
             job.divisor == 0 && output.finish.divisor.kind != DivisionKind::kCorrect) {
    return Launch<C, T, S, kWide, Leave::kFloats>(launch, stream);
  }
  Launch<C, T, S, kWide, Leave::kPixels>(launch, stream);
}

template <int C, typename T, typename S>
void LaunchShape(const WalkLaunch& launch, cudaStream_t stream) {
  if (IsWide(C, launch.box.job.width)) return LaunchLeave<C, T, S, true>(launch, stream);
  LaunchLeave<C, T, S, false>(launch, stream);
}

template <int C>
void LaunchType(const WalkLaunch& launch, cudaStream_t stream) {
  if (launch.box.job.source.type == SampleType::kU8) return LaunchShape<C, uint8_t, uint32_t>(launch, stream);
  LaunchShape<C, float, float>(launch, stream);
}

}  // namespace

bool WalkBands(const BoxSize& box) {
  constexpr int kTall = 240;  // below, reading all rows twice costs more than reading some of them again for each strip
  return box.height >= kTall;
}

BoxCut WalkCut(int channels, SampleType type, const BoxSize& box, const BoxSize& picture) {
  const bool floats = type == SampleType::kF32;
  const bool packed = channels == 4 && type == SampleType::kU8 && box.height <= kPackedRows;
  const Shape shape = ShapeOf(channels, floats, IsWide(channels, box.width), packed);
  const int slots = shape.blocks * kMultiprocessors;
  const int most = std::max(32, shape.Columns() - (box.width - 1));
  const bool bands = WalkBands(box);
  const int step = bands ? kWalkBand : shape.rows;
  const double begin = bands ? box.height / kWalkBand + kWalkBand / 2.0 : box.height - 1.0;  // reads
  const auto cut = [&](int across) {
    const int columns = (picture.width + across - 1) / across;
    const int down = std::max(1, slots / across);
    return BoxCut{columns, ((picture.height + down - 1) / down + step - 1) / step * step};
  };
  const int fewest = (picture.width + most - 1) / most;
  // Of all cuts into as many strips as run at once, the one with the least to do in each.
  BoxCut best = {};
  double least = 0;
  for (int across = fewest; across <= std::max(fewest, slots); ++across) {
    const BoxCut one = cut(across);
    const double summed = (one.segment + shape.Chunk() - 1) / shape.Chunk() * shape.Chunk();
    const double down = (one.segment + box.width - 1.0) * (one.strip + begin * 0.6);
    const double cost = down + 1.7 * summed * one.strip;
    if (across > fewest && cost >= least) continue;
    least = cost;
    best = one;
  }
  return best;
}

bool BoxWalks(const BoxJob& job, int channels, int shared_bytes) {
  const SampleType type = job.source.type;
  if (channels != 1 && channels != 4) return false;
  if (type == SampleType::kU8 ? !job.integers : type != SampleType::kF32) return false;
  const Shape shape = ShapeOf(channels, type == SampleType::kF32, IsWide(channels, job.width), false);
  if (job.width > shape.Columns() * 5 / 8) return false;
  const BoxCut cut = WalkCut(channels, type, {job.width, job.height}, {job.source.width, job.source.height});
  return LayoutOf(shape, false, cut.segment, cut.strip, job.width, job.height).bytes <= shared_bytes;
}

int WalkFirstBand(const BoxJob& job) {
  const int first = job.source.top - BandOrigin(job.anchor_y);
  return first <= 0 ? 0 : (first + kWalkBand - 1) / kWalkBand;
}
int WalkLastBand(const BoxJob& job) {
  return std::max(0, job.source.top + job.source.rows - BandOrigin(job.anchor_y)) / kWalkBand;
}

void LaunchBoxWalk(const BoxLaunch& box, int channels, cudaStream_t stream) {
  const SourceParameters& source = box.job.source;
  WalkLaunch launch = {};
  launch.box = box;
  const BoxCut cut = WalkCut(channels, source.type, {box.job.width, box.job.height}, {source.width, source.height});
  launch.box.strip = cut.strip;
  launch.columns = cut.segment;
  channels == 1 ? LaunchType<1>(launch, stream) : LaunchType<4>(launch, stream);
}

}  // namespace convolve::cuda
