// Ready passes: what the lowered passes of a plan need in device memory — weights, spectra, a tone curve's samples —
// copied there once a run.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cuda/device.h"
#include "cuda/lowering.h"
#include "cuda/point.h"

namespace convolve::cuda {

/// A pass with its weights on the device.
struct ReadyPass {
  const LoweredPass* lowered = nullptr;
  const float* weights = nullptr;         // kTile, kStaged and kFft; the others carry theirs
  const void* fragments = nullptr;        // LoweredPass::matrix or pair, where the pass may run on the tensor cores
  const SparseTap* taps = nullptr;        // kSparse
  const FftSpectrum* spectrum = nullptr;  // kFft
};

class ReadyPasses {
 public:
  /// Queues the copies. `passes` outlives this; `kind` is the picture's, its `stored` that of the first pass's input.
  ReadyPasses(const Device& device, const std::vector<LoweredPass>& passes, const PictureKind& kind,
              cudaStream_t stream);

  const ReadyPass& operator[](size_t index) const { return ready_[index]; }
  /// The picture's tone curve.
  const PointCurve& curve() const { return curve_; }

 private:
  DeviceMemory memory_;
  std::vector<std::shared_ptr<const FftSpectrum>> spectra_;
  std::vector<ReadyPass> ready_;
  PointCurve curve_{};
};

}  // namespace convolve::cuda
