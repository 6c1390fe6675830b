// The tile: any dense kernel of 1 to 511 cells a side, any anchor, one kernel or the two of a magnitude. How it is
// started.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>

#include "cuda/parameters.h"

namespace convolve::cuda {

struct TileJob {
  SourceParameters source;
  OutputParameters output;
  DeviceKernel kernels[2];
  bool magnitude;  // both kernels
};

/// Which pixels of a job have to be summed again: those of broken tiles. Tile (0, 0) begins at (x, y), a position of
/// the input; flags are in device memory, [across][down].
struct TileRepair {
  const uint32_t* broken;
  int x, y;
  int step_x, step_y;
  int across, down;
};

/// Sums the pixels of broken tiles, and nothing where no tile is broken. One kernel, not a magnitude.
void LaunchTileRepair(const TileJob& job, const TileRepair& repair, int channels, int multiprocessors,
                      cudaStream_t stream);

/// Launches in bands of rows, none of them long; `between` is called before each launch and may throw.
void LaunchTile(const TileJob& job, int channels, cudaStream_t stream, const std::function<void()>& between);

}  // namespace convolve::cuda
