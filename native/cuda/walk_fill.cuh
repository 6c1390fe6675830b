// How a walk's rows get into shared memory: copied ahead of time, borders resolved on the way.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "cuda/border.cuh"
#include "cuda/walk_shape.cuh"

namespace convolve::cuda {

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

}  // namespace convolve::cuda
