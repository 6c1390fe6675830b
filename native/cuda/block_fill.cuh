// Filling a block's shared memory with a rectangle of the picture, converted to working values; borders are resolved
// here, so that the loops that sum never see an edge.
#pragma once

#include <cuda_pipeline_primitives.h>

#include "cuda/border.cuh"
#include "cuda/samples.cuh"

namespace convolve::cuda {

/// A rectangle of C-channel pixels in shared memory.
struct SharedTile {
  float* data;
  int pitch;  // pixels from row to row
};

template <int C, typename T>
__device__ __forceinline__ void FillTyped(const SourceParameters& source, SharedTile tile, int columns, int rows,
                                          const int* column_table, const int* row_table, int first_thread_row,
                                          int thread_rows, int lane) {
  const char* data = static_cast<const char*>(source.data);
  for (int y = first_thread_row; y < rows; y += thread_rows) {
    const int buffer_row = row_table[y];
    const T* from = reinterpret_cast<const T*>(data + int64_t{max(buffer_row, 0)} * source.pitch);
    float* to = tile.data + y * tile.pitch * C;
#pragma unroll 4
    for (int x = lane; x < columns; x += 32) {
      const int column = buffer_row < 0 ? -1 : column_table[x];
      float pixel[C];
      if (column < 0) {
#pragma unroll
        for (int c = 0; c < C; ++c) pixel[c] = source.outside[c];
      } else {
        ReadPixel<C>(from + column * C, pixel);
      }
      if constexpr (C == 2 || C == 4) {
        if (source.premultiply) Premultiply<C>(pixel, source.alpha_scale);
      }
      if constexpr (C == 4) {
        *reinterpret_cast<float4*>(to + x * 4) = make_float4(pixel[0], pixel[1], pixel[2], pixel[3]);
      } else {
#pragma unroll
        for (int c = 0; c < C; ++c) to[x * C + c] = pixel[c];
      }
    }
  }
}

/// Working values that need no arithmetic: copied without passing through registers. The caller waits with
/// __pipeline_wait_prior before its barrier.
template <int C>
__device__ __forceinline__ void FillAsync(const SourceParameters& source, SharedTile tile, int columns, int rows,
                                          const int* column_table, const int* row_table, int first_thread_row,
                                          int thread_rows, int lane) {
  const char* data = static_cast<const char*>(source.data);
  for (int y = first_thread_row; y < rows; y += thread_rows) {
    const int buffer_row = row_table[y];
    const float* from = reinterpret_cast<const float*>(data + int64_t{max(buffer_row, 0)} * source.pitch);
    float* to = tile.data + y * tile.pitch * C;
    for (int x = lane; x < columns; x += 32) {
      const int column = buffer_row < 0 ? -1 : column_table[x];
      if (column < 0) {
#pragma unroll
        for (int c = 0; c < C; ++c) to[x * C + c] = source.outside[c];
      } else if constexpr (C == 4) {
        __pipeline_memcpy_async(to + x * 4, from + column * 4, 16);
      } else if constexpr (C == 2) {
        __pipeline_memcpy_async(to + x * 2, from + column * 2, 8);
      } else {
#pragma unroll
        for (int c = 0; c < C; ++c) __pipeline_memcpy_async(to + x * C + c, from + column * C + c, 4);
      }
    }
  }
  __pipeline_commit();
}

/// Fills `rows` x `columns` pixels; the tables say which buffer row and column each is, or -1. Threads of a warp take
/// neighbouring pixels. Every warp of the block calls it.
template <int C>
__device__ __forceinline__ void FillTile(const SourceParameters& source, SharedTile tile, int columns, int rows,
                                         const int* column_table, const int* row_table) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int warps = blockDim.x / 32;
  if (source.type == SampleType::kU8) {
    FillTyped<C, uint8_t>(source, tile, columns, rows, column_table, row_table, warp, warps, lane);
  } else if (source.type == SampleType::kU16) {
    FillTyped<C, uint16_t>(source, tile, columns, rows, column_table, row_table, warp, warps, lane);
  } else if (source.premultiply) {
    FillTyped<C, float>(source, tile, columns, rows, column_table, row_table, warp, warps, lane);
  } else {
    FillAsync<C>(source, tile, columns, rows, column_table, row_table, warp, warps, lane);
  }
}

}  // namespace convolve::cuda
