// The walk, on the device: every thread owns a few consecutive samples and walks down the picture. Each input row is
// read once (neighbours share it through the first-level cache), and adds to the K output rows that it touches; those K
// partial sums live in registers and move up one place with every row:
//
//   input row r  ->  sums[0] (gets its last kernel row, is finished and stored) <- sums[1] <- ... <- sums[K-1] (begins)
//
// The move costs nothing: the first product of a row reads sums[k + 1] and writes sums[k]. Weights are kernel
// parameters, so each multiply-add takes its weight straight from the constant bank. No shared memory, no barriers.
#pragma once

#include "cuda/border.cuh"
#include "cuda/finish.cuh"
#include "cuda/samples.cuh"
#include "cuda/walk.h"

namespace convolve::cuda {

inline constexpr int kWalkThreads = 128;
inline constexpr int kWalkStripMost = 512;  // output rows a block walks down, at most

constexpr int WalkWeightCount(WalkKind kind, int side) {
  if (kind == WalkKind::kDense) return side * side;
  return kind == WalkKind::kSeparable ? 2 * side : 2 * side * side;
}

template <int kWeights>
struct WalkParameters {
  SourceParameters source;
  TargetParameters target;
  FinishParameters finish;
  int first_sample;  // of the first thread's group, from the buffer's first sample
  int strip;         // output rows a block walks down
  float weights[kWeights];
};

template <typename T>
constexpr SampleType WalkType() {
  return sizeof(T) == 1 ? SampleType::kU8 : (sizeof(T) == 2 ? SampleType::kU16 : SampleType::kF32);
}

/// The window of one thread: its own quads and as many to each side as the kernel reaches.
template <WalkKind kKind, typename T, int C, int K>
struct WalkShape {
  static constexpr int kQuads = WalkQuads(kKind, WalkType<T>(), K);
  static constexpr int kReach = K / 2 * C;  // samples to each side
  static constexpr int kSideQuads = (kReach + 3) / 4;
  static constexpr int kWindowQuads = kQuads + 2 * kSideQuads;
  static constexpr int kPhase = 4 * kSideQuads - kReach;  // of tap 0 of sample 0 in the window
  static constexpr int kSamples = 4 * kQuads;
  static constexpr int kSums = kKind == WalkKind::kMagnitude ? 2 : 1;
  /// The next row is fetched while this one is summed, unless that takes too many registers.
  static constexpr bool kAhead = kWindowQuads * static_cast<int>(sizeof(T)) <= 32;
  /// Pixels that the windows of a block span.
  static constexpr int kColumns = (kWalkThreads * kSamples + 8 * kSideQuads) / C + 2;
};

/// Pixel that holds a sample, also left of the buffer.
template <int C>
__device__ __forceinline__ int PixelOf(int sample) {
  constexpr int kBias = 64;  // pixels; more than any window reaches out
  return (sample + kBias * C) / C - kBias;
}

template <int C, int kQuads>
__device__ __forceinline__ void PremultiplyQuads(const SourceParameters& source, float* v) {
  if constexpr (C == 2 || C == 4) {
    if (source.premultiply) {
#pragma unroll
      for (int s = 0; s < 4 * kQuads; s += C) Premultiply<C>(v + s, source.alpha_scale);
    }
  }
}

template <int C, int kCount>
__device__ __forceinline__ void FillOutside(const SourceParameters& source, int window, float* v) {
  const int shift = C == 3 ? window - PixelOf<C>(window) * C : 0;
#pragma unroll
  for (int s = 0; s < kCount; ++s) v[s] = C == 3 ? source.outside[(s + shift) % C] : source.outside[s % C];
}

/// A window that leaves the buffer, pixel by pixel through the table of columns. The table is read as volatile: here
/// and now, not kept in registers from row to row.
template <int C, int kCount, typename T>
__device__ __forceinline__ void GatherWindow(const SourceParameters& source, const T* row, const int* columns,
                                             int window, int first_column, float* v) {
  if constexpr (C == 4) {
    const volatile int* column_of = columns + (window / 4 - first_column);
#pragma unroll
    for (int s = 0; s < kCount; s += 4) {
      const int column = column_of[s / 4];
      if (column < 0) {
#pragma unroll
        for (int c = 0; c < 4; ++c) v[s + c] = source.outside[c];
      } else {
        Unpack(ReadQuad(row + column * 4), v + s);
        PremultiplyQuads<4, 1>(source, v + s);
      }
    }
  } else {
#pragma unroll
    for (int s = 0; s < kCount; ++s) {
      const int pixel = PixelOf<C>(window + s);
      const int channel = window + s - pixel * C;
      const int column = static_cast<const volatile int*>(columns)[pixel - first_column];
      v[s] = column < 0 ? source.outside[channel] : static_cast<float>(row[column * C + channel]);
      if (C == 2 && channel == 0 && column >= 0 && source.premultiply) {
        v[s] = __fmul_rn(v[s], __fmul_rn(static_cast<float>(row[column * C + 1]), source.alpha_scale));
      }
    }
  }
}

/// One input row's contribution to the K rows of sums; see the drawing above.
template <WalkKind kKind, int C, int K, int kSamples, int kPhase, int kSums, int kWeights>
__device__ __forceinline__ void AddRow(const WalkParameters<kWeights>& p, const float* v,
                                       float (&sums)[kSums][K][kSamples]) {
  if constexpr (kKind == WalkKind::kSeparable) {
    float across[kSamples];
#pragma unroll
    for (int s = 0; s < kSamples; ++s) across[s] = 0.0f;
#pragma unroll
    for (int i = 0; i < K; ++i) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) across[s] = __fmaf_rn(p.weights[K + i], v[kPhase + i * C + s], across[s]);
    }
#pragma unroll
    for (int k = 0; k < K; ++k) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) {
        sums[0][k][s] =
            __fmaf_rn(p.weights[K - 1 - k], across[s], k + 1 < K ? sums[0][k + 1 < K ? k + 1 : k][s] : 0.0f);
      }
    }
  } else {
#pragma unroll
    for (int i = 0; i < K; ++i) {
#pragma unroll
      for (int set = 0; set < kSums; ++set) {
#pragma unroll
        for (int k = 0; k < K; ++k) {
          const float weight = p.weights[set * K * K + (K - 1 - k) * K + i];
#pragma unroll
          for (int s = 0; s < kSamples; ++s) {
            const float before = i > 0 ? sums[set][k][s] : (k + 1 < K ? sums[set][k + 1 < K ? k + 1 : k][s] : 0.0f);
            sums[set][k][s] = __fmaf_rn(weight, v[kPhase + i * C + s], before);
          }
        }
      }
    }
  }
}

template <WalkKind kKind, typename T, int C, int K>
__global__ void __launch_bounds__(kWalkThreads)
    WalkKernel(const __grid_constant__ WalkParameters<WalkWeightCount(kKind, K)> p) {
  using Shape = WalkShape<kKind, T, C, K>;
  constexpr int kSamples = Shape::kSamples;
  constexpr int kWindow = Shape::kWindowQuads;
  const SourceParameters& source = p.source;
  const TargetParameters& target = p.target;

  const int block_sample = p.first_sample + static_cast<int>(blockIdx.x) * kWalkThreads * kSamples;
  const int block_window = block_sample - 4 * Shape::kSideQuads;
  const int row_samples = source.columns * C;

  const int top = target.y0 + static_cast<int>(blockIdx.y) * p.strip;
  const int rows = min(p.strip, target.y1 - top);
  // Buffer rows of the strip, and buffer columns for the threads whose window leaves the buffer.
  __shared__ int row_table[kWalkStripMost + K - 1];
  __shared__ int column_table[Shape::kColumns];
  const int first_column = PixelOf<C>(block_window);
  FillRowTable(source, row_table, top - K / 2, rows + K - 1);
  if (block_window < 0 || block_window + kWalkThreads * kSamples + 8 * Shape::kSideQuads > row_samples) {
    FillColumnTable(source, column_table, source.left + first_column, Shape::kColumns);
  }
  __syncthreads();

  const int sample = block_sample + static_cast<int>(threadIdx.x) * kSamples;  // from the buffer's first
  const int begin = (target.x0 - source.left) * C;
  const int end = (target.x1 - source.left) * C;
  if (sample >= end) return;
  const int window = sample - 4 * Shape::kSideQuads;
  const bool inside = window >= 0 && window + 4 * kWindow <= row_samples;

  const T* data = static_cast<const T*>(source.data);
  const int64_t pitch = source.pitch / static_cast<int64_t>(sizeof(T));

  float sums[Shape::kSums][K][kSamples];
#pragma unroll
  for (int set = 0; set < Shape::kSums; ++set) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) sums[set][k][s] = 0.0f;
    }
  }

  RawQuad<T> raw[kWindow];
  const auto fetch = [&](int buffer_row) {
    if (!inside || buffer_row < 0) return;
    const T* from = data + buffer_row * pitch + window;
#pragma unroll
    for (int q = 0; q < Shape::kSideQuads; ++q) raw[q] = ReadQuad(from + 4 * q);
    ReadQuads<Shape::kQuads>(from + 4 * Shape::kSideQuads, raw + Shape::kSideQuads);
#pragma unroll
    for (int q = Shape::kSideQuads + Shape::kQuads; q < kWindow; ++q) raw[q] = ReadQuad(from + 4 * q);
  };

  int buffer_row = row_table[0];
  if constexpr (Shape::kAhead) fetch(buffer_row);

#pragma unroll 1
  for (int r = 0; r < rows + K - 1; ++r) {
    if constexpr (!Shape::kAhead) fetch(buffer_row);
    float v[4 * kWindow];
    if (buffer_row < 0) {
      FillOutside<C, 4 * kWindow>(source, window, v);
    } else if (inside) {
#pragma unroll
      for (int q = 0; q < kWindow; ++q) Unpack(raw[q], v + 4 * q);
      PremultiplyQuads<C, kWindow>(source, v);
    } else {
      GatherWindow<C, 4 * kWindow>(source, data + buffer_row * pitch, column_table, window, first_column, v);
    }
    if (r + 1 < rows + K - 1) buffer_row = row_table[r + 1];
    if constexpr (Shape::kAhead) fetch(buffer_row);

    AddRow<kKind, C, K, kSamples, Shape::kPhase>(p, v, sums);
    if (r < K - 1) continue;

    const int y = top + r - (K - 1);
    float value[kSamples];
#pragma unroll
    for (int s = 0; s < kSamples; ++s) {
      value[s] = Divide(sums[0][0][s], p.finish.divisor);
      if constexpr (kKind == WalkKind::kMagnitude) {
        value[s] = Length(value[s], Divide(sums[Shape::kSums - 1][0][s], p.finish.divisor_y));
      }
    }
    float own[kSamples];
    if (p.finish.steps & kStepOwn) {
      // Samples of the region lie inside the buffer; the others are not stored.
      const T* from = data + (y - source.top) * pitch;
#pragma unroll
      for (int s = 0; s < kSamples; ++s) own[s] = static_cast<float>(from[min(max(sample + s, 0), row_samples - 1)]);
      PremultiplyQuads<C, Shape::kQuads>(source, own);
    }
    FinishSamples<C, kSamples>(p.finish, value, own);

    char* row = static_cast<char*>(target.data) + (y - target.top) * target.pitch;
    const int64_t at = sample + int64_t{source.left - target.left} * C;
    if (target.vector && sample >= begin && sample + kSamples <= end) {
      WriteQuads<Shape::kQuads>(row + at * (target.type == SampleType::kU8    ? 1
                                            : target.type == SampleType::kU16 ? 2
                                                                              : 4),
                                target.type, value);
    } else {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) {
        if (sample + s >= begin && sample + s < end) WriteSample(row, at + s, target.type, value[s]);
      }
    }
  }
}

}  // namespace convolve::cuda
