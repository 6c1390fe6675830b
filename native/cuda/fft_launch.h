// The three kernels of the FFT: what they are told, and how each is started. Across: rows of the picture to their
// spectra. Down: columns of those to the full spectrum, times the kernel's, and back. Back: rows to results. What lies
// between them is scratch in device memory, row by row of each plane, complex float32:
//
//   picture --RowsForward--> lines [plane][window row][x frequency] --Columns--> sums [plane][result row][x frequency]
//           --RowsBack--> results
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "cuda/fft.h"

namespace convolve::cuda {

/// One launch's part of the picture: groups of tiles from `group` on, tile rows from `tile_y` on.
struct FftLaunch {
  SourceParameters source;
  OutputParameters output;
  FftShape shape;
  int anchor_x, anchor_y;
  int group, groups;
  int tile_y, tiles_y;
  int planes;       // of all groups
  int window_rows;  // positions that the windows of all tile rows cover
  int y0, y1;       // result rows that are wanted, positions of the input
  bool whole;
  float colour;  // what colours of results are multiplied by
  float2* lines;
  float2* sums;
  const float2* spectrum;
  const float2* roots_x;
  const float2* roots_y;
  uint32_t* broken;  // [group][tile row] becomes 1 where a result is not a finite number; null where none can be
};

/// Each is a file of its own, so that they compile apart.
void LaunchFftForward(const FftLaunch& launch, int channels, cudaStream_t stream);
void LaunchFftColumns(const FftLaunch& launch, int channels, int multiprocessors, cudaStream_t stream);
void LaunchFftBack(const FftLaunch& launch, int channels, cudaStream_t stream);

}  // namespace convolve::cuda
