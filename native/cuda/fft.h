// Large kernels by the fast Fourier transform: overlap-save on tiles of 256, 512 or 1024 points a side, with transforms
// of our own. How the picture is cut, the kernel's spectrum and its cache, and how a pass is started.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "cuda/parameters.h"

namespace convolve::cuda {

class Device;

/// How a kernel cuts every picture: windows of size_x x size_y positions, step_x x step_y of them results. Tile (0, 0)
/// begins at the picture's first pixel, so a tile's values do not depend on the region that is asked for.
struct FftShape {
  int size_x = 0, size_y = 0;
  int step_x = 0, step_y = 0;
};

/// Shared memory that windows of 512 and 1024 points need.
inline constexpr int kFftSharedBytes = 70 << 10;

/// All 0 where a block has too little shared memory for the windows that the kernel needs.
FftShape FftShapeOf(int width, int height, int shared_bytes);

/// Two real lines travel as one complex line (a plane). Tiles that lie beside each other and share planes are a group,
/// the unit of the cut across: for 1, 2, 3, 4 channels 2, 1, 2, 1 tiles.
constexpr int FftGroupTiles(int channels) { return channels % 2 == 0 ? 1 : 2; }
constexpr int FftGroupPlanes(int channels) { return channels * FftGroupTiles(channels) / 2; }

/// A kernel's spectrum in device memory, over size_x * size_y, and the roots of unity that the transforms multiply by.
class FftSpectrum {
 public:
  /// `weights` row-major, width x height. Computed in float64 on the device; waits for it.
  FftSpectrum(const std::vector<double>& weights, int width, int height, const FftShape& shape, cudaStream_t stream);
  FftSpectrum(const FftSpectrum&) = delete;
  FftSpectrum& operator=(const FftSpectrum&) = delete;
  /// Waits for everything on the device, which may still read it.
  ~FftSpectrum();

  const float2* values() const { return values_; }
  const float2* roots_x() const { return values_ + points_; }
  const float2* roots_y() const { return values_ + points_ + size_x_; }
  size_t bytes() const { return bytes_; }

 private:
  float2* values_ = nullptr;
  size_t points_ = 0;
  int size_x_ = 0;
  size_t bytes_ = 0;
};

/// The spectra of the kernels used last.
class FftSpectra {
 public:
  std::shared_ptr<const FftSpectrum> Get(const std::vector<double>& weights, int width, int height,
                                         const FftShape& shape, cudaStream_t stream);

 private:
  struct Entry {
    std::vector<double> weights;
    int width, height;
    std::shared_ptr<const FftSpectrum> spectrum;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;  // the one used last is the last
};

struct FftJob {
  SourceParameters source;
  OutputParameters output;
  DeviceKernel kernel;  // its weights repair tiles that hold numbers that are not finite
  FftShape shape;
  const FftSpectrum* spectrum;
  bool whole;  // sums are whole numbers: they are rounded to the next one
};

/// Launches in bands of tiles whose spectra fit a bounded part of the device's memory; `between` is called before each
/// launch and may throw.
void LaunchFft(const FftJob& job, int channels, const Device& device, cudaStream_t stream,
               const std::function<void()>& between);

}  // namespace convolve::cuda
