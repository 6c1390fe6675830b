// A pass by FFT: the bands and strips of tiles whose scratch fits, and the repair of tiles that hold numbers that are
// not finite.
#include "cuda/fft.h"

#include <algorithm>

#include "cuda/check.h"
#include "cuda/device.h"
#include "cuda/fft_launch.h"
#include "cuda/tile.h"

namespace convolve::cuda {
namespace {

/// Scratch of one band. Large, so that few launches end with part of the device idle; small beside a device's memory.
constexpr int64_t kScratchBytes = int64_t{1} << 30;
constexpr int64_t kPointBytes = sizeof(float) * 2;

int FloorDivide(int value, int divisor) { return value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor); }

}  // namespace

void LaunchFft(const FftJob& job, int channels, const Device& device, cudaStream_t stream,
               const std::function<void()>& between) {
  const TargetParameters& target = job.output.target;
  const FftShape& shape = job.shape;
  const int group_step = FftGroupTiles(channels) * shape.step_x;
  const int group_begin = FloorDivide(target.x0, group_step);
  const int group_end = FloorDivide(target.x1 - 1, group_step) + 1;
  const int tile_begin = FloorDivide(target.y0, shape.step_y);
  const int tile_end = FloorDivide(target.y1 - 1, shape.step_y) + 1;
  const int64_t budget = std::min<int64_t>(kScratchBytes, static_cast<int64_t>(device.traits().memory_bytes / 8));
  // A group's bytes in a band of one tile row, and in each further tile row.
  const int64_t row_bytes = int64_t{FftGroupPlanes(channels)} * shape.size_x * kPointBytes;
  const int64_t first_bytes = row_bytes * (shape.size_y + shape.step_y);
  const int64_t further_bytes = row_bytes * shape.step_y * 2;
  const int groups = static_cast<int>(std::clamp<int64_t>(budget / first_bytes, 1, group_end - group_begin));
  const int64_t spare = std::max<int64_t>(0, budget - groups * first_bytes);
  const int tiles = static_cast<int>(std::min<int64_t>(1 + spare / (groups * further_bytes), tile_end - tile_begin));

  FftLaunch launch = {};
  launch.source = job.source;
  launch.output = job.output;
  launch.shape = shape;
  launch.anchor_x = job.kernel.anchor_x;
  launch.anchor_y = job.kernel.anchor_y;
  launch.whole = job.whole;
  launch.colour = 1;
  if (job.source.premultiply && job.source.type == SampleType::kU8) {
    // Two channels share a complex number and its rounding: colour times alpha becomes no larger than alpha alone.
    launch.source.alpha_scale = job.source.alpha_scale / 256;
    launch.colour = 256;
  }
  launch.spectrum = job.spectrum->values();
  launch.roots_x = job.spectrum->roots_x();
  launch.roots_y = job.spectrum->roots_y();
  const bool repair = job.source.type == SampleType::kF32;
  const int64_t line_bytes = row_bytes * groups * (shape.size_y + int64_t{tiles - 1} * shape.step_y);
  const int64_t sum_bytes =
      row_bytes * groups * std::min<int64_t>(int64_t{tiles} * shape.step_y, target.y1 - target.y0);
  const DeviceMemory lines = device.Allocate(static_cast<size_t>(line_bytes), stream);
  const DeviceMemory sums = device.Allocate(static_cast<size_t>(sum_bytes), stream);
  DeviceMemory broken;
  const size_t broken_bytes = sizeof(uint32_t) * static_cast<size_t>(groups) * static_cast<size_t>(tiles);
  if (repair) broken = device.Allocate(broken_bytes, stream);
  launch.lines = static_cast<float2*>(lines.get());
  launch.sums = static_cast<float2*>(sums.get());
  launch.broken = static_cast<uint32_t*>(broken.get());
  for (int tile_y = tile_begin; tile_y < tile_end; tile_y += tiles) {
    for (int group = group_begin; group < group_end; group += groups) {
      launch.group = group;
      launch.groups = std::min(groups, group_end - group);
      launch.tile_y = tile_y;
      launch.tiles_y = std::min(tiles, tile_end - tile_y);
      launch.planes = launch.groups * FftGroupPlanes(channels);
      launch.window_rows = shape.size_y + (launch.tiles_y - 1) * shape.step_y;
      launch.y0 = std::max(target.y0, tile_y * shape.step_y);
      launch.y1 = std::min(target.y1, (tile_y + launch.tiles_y) * shape.step_y);
      between();
      if (repair) Check(cudaMemsetAsync(launch.broken, 0, broken_bytes, stream), "FFT");
      LaunchFftForward(launch, channels, stream);
      LaunchFftColumns(launch, channels, device.traits().multiprocessors, stream);
      LaunchFftBack(launch, channels, stream);
      if (!repair) continue;
      TileJob tile = {};
      tile.source = job.source;
      tile.output = job.output;
      tile.output.target.x0 = std::max(target.x0, group * group_step);
      tile.output.target.x1 = std::min(target.x1, (group + launch.groups) * group_step);
      tile.output.target.y0 = launch.y0;
      tile.output.target.y1 = launch.y1;
      tile.kernels[0] = job.kernel;
      const TileRepair where = {launch.broken, group * group_step, tile_y * shape.step_y, group_step,
                                shape.step_y,  launch.groups,      launch.tiles_y};
      LaunchTileRepair(tile, where, channels, device.traits().multiprocessors, stream);
    }
  }
}

}  // namespace convolve::cuda
