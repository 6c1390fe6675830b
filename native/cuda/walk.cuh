// The walk, on the device: a block walks down a strip of the picture, a thread owns a few consecutive samples of every
// row. Rows arrive in shared memory ahead of time, in groups, as they are stored; borders are resolved on the way. Each
// row adds to the K output rows that it touches; those K partial sums live in registers and move up one place a row:
//
//   input row r  ->  sums[0] (gets its last kernel row, is finished and stored) <- sums[1] <- ... <- sums[K-1] (begins)
//
// The move costs nothing: the first product of a row reads sums[k + 1] and writes sums[k]. Weights are kernel
// parameters, laid out in the order of their use, so that multiply-adds take them from uniform registers.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "cuda/border.cuh"
#include "cuda/finish.cuh"
#include "cuda/samples.cuh"
#include "cuda/walk.h"

namespace convolve::cuda {

inline constexpr int kWalkThreads = 128;
inline constexpr int kWalkStripMost = 512;  // output rows a block walks down, at most
inline constexpr int kWalkGroup = 8;        // rows between two barriers
inline constexpr int kWalkGroups = 2;       // one is summed while the other arrives

constexpr int WalkWeightCount(WalkKind kind, int side) {
  if (kind == WalkKind::kDense) return side * side;
  return kind == WalkKind::kSeparable ? 2 * side : 4 * side;
}

/// Weights in the order of use. Dense and magnitude: kernel column by column, each from its last row to its first
/// (sums[0] needs the last). Separable: the column from its last row to its first, then the row.
template <int kWeights>
struct WalkParameters {
  SourceParameters source;
  TargetParameters target;
  FinishParameters finish;
  int first_sample;  // of the first thread's group, from the buffer's first sample; a multiple of 16 bytes
  int strip;         // output rows a block walks down
  float weights[kWeights];
};

template <typename T>
constexpr SampleType WalkType() {
  return sizeof(T) == 1 ? SampleType::kU8 : (sizeof(T) == 2 ? SampleType::kU16 : SampleType::kF32);
}

constexpr int RoundedUp(int value, int step) { return (value + step - 1) / step * step; }

template <WalkKind kKind, typename T, int C, int K>
struct WalkShape {
  static constexpr int kQuads = WalkQuads(kKind, WalkType<T>(), K);
  static constexpr int kSamples = 4 * kQuads;                                        // a thread's
  static constexpr int kReach = K / 2 * C;                                           // samples to each side
  static constexpr int kSide = RoundedUp(kReach, 16 / static_cast<int>(sizeof(T)));  // samples held to each side
  static constexpr int kRowSamples = kWalkThreads * kSamples + 2 * kSide;
  static constexpr int kRowPixels = kRowSamples / C + 2;
  /// A thread's window in its row: from quad kFirstQuad on, tap 0 of sample 0 at kPhase.
  static constexpr int kFirstQuad = (kSide - kReach) / 4;
  static constexpr int kPhase = (kSide - kReach) % 4;
  static constexpr int kWindowQuads = (kPhase + kSamples + 2 * kReach + 3) / 4;
  static constexpr int kSums = kKind == WalkKind::kMagnitude ? 2 : 1;
  /// Blocks that a multiprocessor should hold: what the sums leave of its registers, in steps that the compiler meets
  /// without spilling.
  static constexpr int kSumRegisters = kSums * K * kSamples;
  static constexpr int kBlocks = kSumRegisters <= 28 ? 6 : (kSumRegisters <= 60 ? 5 : (kSumRegisters <= 88 ? 4 : 3));
};

/// Pixel that holds a sample, also left of the buffer.
template <int C>
__device__ __forceinline__ int PixelOf(int sample) {
  constexpr int kBias = 64;  // pixels; more than any window reaches out
  return (sample + kBias * C) / C - kBias;
}

/// The rows of a block in shared memory: which samples they hold and how they get there. What lies inside the buffer is
/// copied in 16-byte chunks; the few samples outside, at the picture's left and right edge, by all threads together.
template <typename T, int C, int kRowSamples>
struct WalkFill {
  static constexpr int kChunk = 16 / static_cast<int>(sizeof(T));  // samples
  static constexpr int kChunks = kRowSamples / kChunk;
  /// Threads beside each other on one row; the others take further rows.
  static constexpr int kRowThreads = kChunks <= 40 ? 32 : (kChunks <= 72 ? 64 : 128);
  static constexpr int kPixelBytes = C * static_cast<int>(sizeof(T));
  static constexpr bool kPixels = kPixelBytes == 4 || kPixelBytes == 8 || kPixelBytes == 16;

  const SourceParameters& source;
  int window;      // first sample held, from the buffer's first sample
  int begin, end;  // samples held that lie inside the buffer and are read, in whole chunks
  int needed;      // samples held that are read
  const int* row_table;
  const int* column_table;  // of the pixels from the window's first on

  /// `read_end`: one after the last sample that a wanted output reads, from the buffer's first sample.
  __device__ __forceinline__ WalkFill(const SourceParameters& source, int window, int read_end, const int* row_table,
                                      const int* column_table)
      : source(source), window(window), row_table(row_table), column_table(column_table) {
    needed = min(RoundedUp(read_end - window, kChunk), kRowSamples);
    begin = window < 0 ? RoundedUp(-window, kChunk) : 0;
    end = min(needed, max(begin, (source.columns * C - window) / kChunk * kChunk));
  }
  __device__ __forceinline__ bool Inside() const { return begin == 0 && end == needed; }

  __device__ __forceinline__ T Outside(int sample) const {
    return static_cast<T>(source.outside[window + sample - PixelOf<C>(window + sample) * C]);
  }

  /// One chunk of every `kRowStep`th row of the group, from row `held` on. `buffer_row` is the group's first where all
  /// of them follow each other inside the buffer, else -1.
  __device__ __forceinline__ void StartChunk(int at, int held, int first, int rows, int buffer_row, T* to) const {
    constexpr int kRowStep = kWalkThreads / kRowThreads;
    to += held * kRowSamples + at;
    const char* from = static_cast<const char*>(source.data) + (window + at) * static_cast<int>(sizeof(T));
    if (buffer_row >= 0) {
      from += int64_t{buffer_row + held} * source.pitch;
#pragma unroll
      for (int i = 0; i < kWalkGroup / kRowStep; ++i) {
        __pipeline_memcpy_async(to + i * kRowStep * kRowSamples, from, 16);
        from += kRowStep * source.pitch;
      }
      return;
    }
#pragma unroll 1
    for (int i = held; i < rows; i += kRowStep) {
      const int row = row_table[first + i];
      if (row >= 0) {
        __pipeline_memcpy_async(to, from + int64_t{row} * source.pitch, 16);
      } else {
#pragma unroll 1
        for (int s = 0; s < kChunk; ++s) to[s] = Outside(at + s);
      }
      to += kRowStep * kRowSamples;
    }
  }

  /// The samples left of `begin` and right of `end`, pixel by pixel where a pixel can be copied at once.
  __device__ __forceinline__ void StartEdges(int first, int rows, T* to) const {
    constexpr int kElement = kPixels ? C : 1;
    const int elements = (begin + needed - end) / kElement;
#pragma unroll 1
    for (int i = threadIdx.x; i < elements * rows; i += kWalkThreads) {
      const int row = i / elements;
      int at = (i - row * elements) * kElement;
      if (at >= begin) at += end - begin;
      const int pixel = PixelOf<C>(window + at);
      const int channel = window + at - pixel * C;
      const int buffer_row = row_table[first + row];
      const int column = buffer_row < 0 ? -1 : column_table[pixel - PixelOf<C>(window)];
      T* target = to + row * kRowSamples + at;
      const T* from = reinterpret_cast<const T*>(static_cast<const char*>(source.data) +
                                                 int64_t{max(buffer_row, 0)} * source.pitch) +
                      max(column, 0) * C + channel;
      if (column < 0) {
#pragma unroll
        for (int s = 0; s < kElement; ++s) target[s] = Outside(at + s);
      } else if constexpr (kPixels) {
        __pipeline_memcpy_async(target, from, kPixelBytes);
      } else {
        *target = *from;
      }
    }
  }

  /// Starts filling rows `first` ... `first` + kWalkGroup - 1 (of `total`) of the block's strip into `to`. `y` is the
  /// picture row of the strip's first.
  __device__ __forceinline__ void Start(int first, int total, int y, T* to) const {
    const int rows = min(kWalkGroup, total - first);
    const int held = static_cast<int>(threadIdx.x) / kRowThreads;
    const bool follow = rows == kWalkGroup && y + first >= source.top && y + first + rows <= source.top + source.rows;
    const int buffer_row = follow ? y + first - source.top : -1;
#pragma unroll 1
    for (int at = begin + static_cast<int>(threadIdx.x) % kRowThreads * kChunk; at < end; at += kRowThreads * kChunk) {
      StartChunk(at, held, first, rows, buffer_row, to);
    }
    if (!Inside()) StartEdges(first, rows, to);
    __pipeline_commit();
  }
};

/// One input row's contribution to the K rows of sums of a separable kernel.
template <int C, int K, int kSamples, int kPhase>
__device__ __forceinline__ void AddSeparableRow(const float* column, const float* row, const float* v,
                                                float (&sums)[K][kSamples]) {
  float across[kSamples];
#pragma unroll
  for (int s = 0; s < kSamples; ++s) across[s] = 0.0f;
#pragma unroll
  for (int i = 0; i < K; ++i) {
#pragma unroll
    for (int s = 0; s < kSamples; ++s) across[s] = __fmaf_rn(row[i], v[kPhase + i * C + s], across[s]);
  }
#pragma unroll
  for (int k = 0; k < K; ++k) {
#pragma unroll
    for (int s = 0; s < kSamples; ++s) {
      sums[k][s] = __fmaf_rn(column[k], across[s], k + 1 < K ? sums[k + 1 < K ? k + 1 : k][s] : 0.0f);
    }
  }
}

/// One input row's contribution to the K rows of sums; see the drawing above.
template <WalkKind kKind, int C, int K, int kSamples, int kPhase, int kSums>
__device__ __forceinline__ void AddRow(const float* weights, const float* v, float (&sums)[kSums][K][kSamples]) {
  if constexpr (kKind != WalkKind::kDense) {
#pragma unroll
    for (int set = 0; set < kSums; ++set) {
      const float* column = weights + set * 2 * K;
      AddSeparableRow<C, K, kSamples, kPhase>(column, column + K, v, sums[set]);
    }
  } else {
#pragma unroll
    for (int i = 0; i < K; ++i) {
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const float weight = weights[i * K + k];
#pragma unroll
        for (int s = 0; s < kSamples; ++s) {
          const float before = i > 0 ? sums[0][k][s] : (k + 1 < K ? sums[0][k + 1 < K ? k + 1 : k][s] : 0.0f);
          sums[0][k][s] = __fmaf_rn(weight, v[kPhase + i * C + s], before);
        }
      }
    }
  }
}

template <int C, int kQuads>
__device__ __forceinline__ void PremultiplyQuads(float alpha_scale, float* v) {
#pragma unroll
  for (int s = 0; s < 4 * kQuads; s += C) Premultiply<C>(v + s, alpha_scale);
}

/// A value that stays in its register: the compiler would rather load kernel parameters again in every row, and each of
/// those loads stalls a warp.
__device__ __forceinline__ int Pinned(int value) {
  int pinned;
  asm volatile("mov.b32 %0, %1;" : "=r"(pinned) : "r"(value));
  return pinned;
}

/// How a thread's samples are finished and where they go.
struct WalkStore {
  static constexpr int kSimple = 1;  // FinishParameters::simple, and any division is a multiplication
  static constexpr int kMultiply = 2;
  static constexpr int kBound = 4;
  static constexpr int kFullAlpha = 8;
  static constexpr int kBytes = 16;  // the target is u8
  static constexpr int kWords = 32;  // u16

  int flags;
  int pitch;
  char* row;    // of the next output row, at the thread's first sample
  int before;   // samples that belong to no wanted pixel, at the front
  int wanted;   // samples up to the end of the wanted ones
  bool vector;  // all are wanted and lie aligned

  __device__ __forceinline__ WalkStore(const FinishParameters& finish, const TargetParameters& target, bool magnitude) {
    const bool corrects =
        finish.divisor.kind == DivisionKind::kCorrect || (magnitude && finish.divisor_y.kind == DivisionKind::kCorrect);
    const bool divides = magnitude || finish.divisor.kind != DivisionKind::kNone;
    flags = (finish.simple && !corrects ? kSimple : 0) | (divides ? kMultiply : 0) |
            ((finish.steps & kStepBound) != 0 ? kBound : 0) | (finish.alpha == AlphaRule::kFull ? kFullAlpha : 0) |
            (target.type == SampleType::kU8 ? kBytes : 0) | (target.type == SampleType::kU16 ? kWords : 0);
    flags = Pinned(flags);
    pitch = Pinned(target.pitch);
  }
  __device__ __forceinline__ SampleType type() const {
    return (flags & kBytes) != 0 ? SampleType::kU8 : ((flags & kWords) != 0 ? SampleType::kU16 : SampleType::kF32);
  }
};

template <int kQuads>
__device__ __forceinline__ void WriteRow(const WalkStore& store, const float* value) {
  if (store.vector) {
    WriteQuads<kQuads>(store.row, store.type(), value);
  } else {
#pragma unroll
    for (int s = 0; s < 4 * kQuads; ++s) {
      if (s >= store.before && s < store.wanted) WriteSample(store.row, s, store.type(), value[s]);
    }
  }
}

/// Finishes and stores a thread's samples of output row y.
template <WalkKind kKind, typename T, int C, int K, bool kPremultiply, int kWeights>
__device__ __forceinline__ void StoreRow(
    const WalkParameters<kWeights>& p, const WalkStore& store, int sample, int y,
    const float (&sums)[WalkShape<kKind, T, C, K>::kSums][K][WalkShape<kKind, T, C, K>::kSamples]) {
  using Shape = WalkShape<kKind, T, C, K>;
  constexpr int kSamples = Shape::kSamples;
  float value[kSamples];
  float other[kSamples];
#pragma unroll
  for (int s = 0; s < kSamples; ++s) {
    value[s] = sums[0][0][s];
    other[s] = sums[Shape::kSums - 1][0][s];
  }
  if (store.flags & WalkStore::kSimple) {
    if (store.flags & WalkStore::kMultiply) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) {
        value[s] = __fmul_rn(value[s], p.finish.divisor.reciprocal);
        if constexpr (kKind == WalkKind::kMagnitude) {
          value[s] = Length(value[s], __fmul_rn(other[s], p.finish.divisor_y.reciprocal));
        }
      }
    }
    if (store.flags & WalkStore::kBound) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) value[s] = Bounded(value[s], 0.0f, p.finish.full_scale);
    }
    if (C == 4 && (store.flags & WalkStore::kFullAlpha)) {
#pragma unroll
      for (int s = 3; s < kSamples; s += 4) value[s] = p.finish.full_scale;
    }
  } else {
    DivideSamples<kSamples>(p.finish.divisor, value);
    if constexpr (kKind == WalkKind::kMagnitude) {
      DivideSamples<kSamples>(p.finish.divisor_y, other);
#pragma unroll
      for (int s = 0; s < kSamples; ++s) value[s] = Length(value[s], other[s]);
    }
    float own[kSamples];
    if (p.finish.steps & kStepOwn) {
      // Rows are padded: quads that begin inside a row may be read to their end.
      const SourceParameters& source = p.source;
      const T* from =
          reinterpret_cast<const T*>(static_cast<const char*>(source.data) + int64_t{y - source.top} * source.pitch) +
          sample;
#pragma unroll
      for (int q = 0; q < Shape::kQuads; ++q) Unpack(ReadQuad(from + 4 * q), own + 4 * q);
      if constexpr (kPremultiply) PremultiplyQuads<C, Shape::kQuads>(source.alpha_scale, own);
    }
    FinishSamples<C, kSamples>(p.finish, value, own);
  }
  WriteRow<Shape::kQuads>(store, value);
}

template <WalkKind kKind, typename T, int C, int K, bool kPremultiply>
__global__ void __launch_bounds__(kWalkThreads, WalkShape<kKind, T, C, K>::kBlocks)
    WalkKernel(const __grid_constant__ WalkParameters<WalkWeightCount(kKind, K)> p) {
  using Shape = WalkShape<kKind, T, C, K>;
  constexpr int kSamples = Shape::kSamples;
  constexpr int kRowSamples = Shape::kRowSamples;
  const SourceParameters& source = p.source;
  const TargetParameters& target = p.target;

  __shared__ __align__(16) T rows[kWalkGroups][kWalkGroup * kRowSamples];
  __shared__ __align__(16) int row_table[kWalkStripMost + K - 1 + kWalkGroup];  // read in whole groups
  __shared__ int column_table[Shape::kRowPixels];

  const int block_sample = p.first_sample + static_cast<int>(blockIdx.x) * kWalkThreads * kSamples;
  const int window = block_sample - Shape::kSide;  // of the block
  const int begin = (target.x0 - source.left) * C;
  const int end = (target.x1 - source.left) * C;
  const int top = target.y0 + static_cast<int>(blockIdx.y) * p.strip;
  const int total = min(p.strip, target.y1 - top) + K - 1;  // input rows
  const WalkFill<T, C, kRowSamples> filler(source, window, end + Shape::kReach, row_table, column_table);
  FillRowTable(source, row_table, top - K / 2, total);
  if (!filler.Inside()) {
    FillColumnTable(source, column_table, source.left + PixelOf<C>(window), Shape::kRowPixels);
  }
  __syncthreads();

  const auto fill = [&](int group) { filler.Start(group * kWalkGroup, total, top - K / 2, rows[group % kWalkGroups]); };
#pragma unroll
  for (int group = 0; group + 1 < kWalkGroups; ++group) fill(group);

  const int sample = block_sample + static_cast<int>(threadIdx.x) * kSamples;  // from the buffer's first
  const int bytes = target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4);
  WalkStore store(p.finish, target, kKind == WalkKind::kMagnitude);
  store.row = static_cast<char*>(target.data) + int64_t{top - target.top} * target.pitch +
              (sample + int64_t{source.left - target.left} * C) * bytes;
  store.before = begin - sample;
  store.wanted = end - sample;
  store.vector = target.vector && store.before <= 0 && store.wanted >= kSamples;
  float sums[Shape::kSums][K][kSamples];
#pragma unroll
  for (int set = 0; set < Shape::kSums; ++set) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) sums[set][k][s] = 0.0f;
    }
  }

#pragma unroll 1
  for (int group = 0; group * kWalkGroup < total; ++group) {
    __pipeline_wait_prior(kWalkGroups - 2);
    __syncthreads();  // this group has arrived; the one before it is summed, its place free
    fill(group + kWalkGroups - 1);
    if (store.wanted <= 0) continue;
    const T* from = rows[group % kWalkGroups] + static_cast<int>(threadIdx.x) * kSamples + 4 * Shape::kFirstQuad;
    const int group_rows = min(kWalkGroup, total - group * kWalkGroup);
#pragma unroll 1
    for (int r = 0; r < group_rows; ++r, from += kRowSamples) {
      float v[4 * Shape::kWindowQuads];
#pragma unroll
      for (int q = 0; q < Shape::kWindowQuads; ++q) Unpack(ReadQuad(from + 4 * q), v + 4 * q);
      if constexpr (kPremultiply) PremultiplyQuads<C, Shape::kWindowQuads>(source.alpha_scale, v);
      AddRow<kKind, C, K, kSamples, Shape::kPhase>(p.weights, v, sums);
      const int y = top + group * kWalkGroup + r - (K - 1);
      if (y < top) continue;
      StoreRow<kKind, T, C, K, kPremultiply>(p, store, sample, y, sums);
      store.row += store.pitch;
    }
  }
}

}  // namespace convolve::cuda
