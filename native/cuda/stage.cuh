// The stage: rows of the picture in shared memory as they are stored, with the pixels to the left and right that a
// kernel reaches. Rows have odd pitches, so that threads that read the same place of different rows use different
// banks.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>

#include "cuda/border.cuh"

namespace convolve::cuda {

/// Bytes that are copied into the stage at once: a pixel where that is a power of two from 4 on, else 4.
constexpr int UnitOf(int sample_bytes, int channels) {
  const int pixel = sample_bytes * channels;
  return pixel == 16 || pixel == 8 ? pixel : 4;
}

/// Units of a stage row: the pixels, up to a unit more on each side for alignment, one pixel read in vain; odd.
constexpr int StageUnits(int sample_bytes, int channels, int pixels) {
  const int unit = UnitOf(sample_bytes, channels);
  return (((pixels + 1) * sample_bytes * channels + unit - 1) / unit + 1) | 1;
}

/// Whether picture rows y ... y + rows - 1 lie in the buffer one after the other.
__device__ __forceinline__ bool Follow(const SourceParameters& source, int y, int rows) {
  return y >= source.top && y + rows <= source.top + source.rows;
}

/// The block's stage: where it lies and what it holds.
template <typename T, int C>
struct Stage {
  static constexpr int kUnit = UnitOf(sizeof(T), C);
  static constexpr int kUnitSamples = kUnit / static_cast<int>(sizeof(T));
  char* data;
  int pitch;    // bytes
  int columns;  // pixels
  int window;   // the first pixel's first sample, from the buffer's first sample
  bool inside;  // every column lies in the buffer
  /// Samples from the start of a row to its first pixel: copies begin at multiples of a unit.
  __device__ __forceinline__ int Lead() const { return inside ? window & (kUnitSamples - 1) : 0; }
  __device__ __forceinline__ const T* Row(int row) const {
    return reinterpret_cast<const T*>(data + row * pitch) + Lead();
  }
};

/// Starts copying `rows` rows from picture row `y` on into the stage. `row_table` has their buffer rows unless they
/// follow each other inside the buffer.
template <int kThreads, typename T, int C>
__device__ __forceinline__ void FillStage(const SourceParameters& source, const Stage<T, C>& stage, int y, int rows,
                                          const int* column_table, const int* row_table) {
  constexpr int kUnit = Stage<T, C>::kUnit;
  constexpr int kUnitSamples = Stage<T, C>::kUnitSamples;
  constexpr int kPixelBytes = C * static_cast<int>(sizeof(T));
  constexpr int kWarps = kThreads / 32;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int lead = stage.Lead();
  const int units = (lead + stage.columns * C + kUnitSamples - 1) / kUnitSamples;
  const char* data = static_cast<const char*>(source.data);
  if (stage.inside && Follow(source, y, rows)) {
    // Units may end behind the row's last pixel: buffer rows are padded.
    const char* from = data + int64_t{y - source.top + warp} * source.pitch +
                       (stage.window - lead) * static_cast<int>(sizeof(T)) + lane * kUnit;
    char* to = stage.data + warp * stage.pitch + lane * kUnit;
    const bool second = lane + 32 < units;
#pragma unroll 4
    for (int row = warp; row < rows; row += kWarps) {
      if (lane < units) __pipeline_memcpy_async(to, from, kUnit);
      if (second) __pipeline_memcpy_async(to + 32 * kUnit, from + 32 * kUnit, kUnit);
      for (int i = 64; lane + i < units; i += 32) __pipeline_memcpy_async(to + i * kUnit, from + i * kUnit, kUnit);
      from += kWarps * source.pitch;
      to += kWarps * stage.pitch;
    }
    __pipeline_commit();
    return;
  }
  // At the picture's edges, pixel by pixel.
#pragma unroll 1
  for (int x = lane; x < stage.columns; x += 32) {
    const int column = stage.inside ? stage.window / C + x : column_table[x];
    T* to = reinterpret_cast<T*>(stage.data + warp * stage.pitch) + lead + x * C;
#pragma unroll 4
    for (int row = warp; row < rows; row += kWarps) {
      const int buffer_row = column < 0 ? -1 : row_table[row];
      const T* from =
          reinterpret_cast<const T*>(data + int64_t{max(buffer_row, 0)} * source.pitch) + max(column, 0) * C;
      if (buffer_row < 0) {
#pragma unroll
        for (int c = 0; c < C; ++c) to[c] = static_cast<T>(source.outside[c]);
      } else if constexpr (kPixelBytes == 4 || kPixelBytes == 8 || kPixelBytes == 16) {
        __pipeline_memcpy_async(to, from, kPixelBytes);
      } else {
#pragma unroll
        for (int c = 0; c < C; ++c) to[c] = from[c];
      }
      to = reinterpret_cast<T*>(reinterpret_cast<char*>(to) + kWarps * stage.pitch);
    }
  }
  __pipeline_commit();
}

}  // namespace convolve::cuda
