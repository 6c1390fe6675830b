// What both measurements share: pictures in device memory that one run after the other uses in turn, so that no run
// finds its input in the second-level cache; noise, poison, timing by events, a plain convolution to check against.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>
#include <vector>

#include "cuda/device.h"
#include "engine/pass.h"

namespace convolve::bench {

/// Several source and target pictures of one shape.
class PictureSet {
 public:
  /// Enough of them to hold several times the second-level cache. Sources are noise (f32: 0...1), targets poisoned.
  PictureSet(int width, int height, int channels, SampleType type);

  int count() const { return static_cast<int>(sources_.size()); }
  const cuda::DeviceView& source(int i) const { return sources_[static_cast<size_t>(i % count())].view; }
  const cuda::DeviceView& target(int i) const { return targets_[static_cast<size_t>(i % count())].view; }
  double bytes() const { return bytes_; }  // of one picture, without padding

 private:
  std::vector<cuda::DevicePicture> sources_;
  std::vector<cuda::DevicePicture> targets_;
  double bytes_ = 0;
};

/// Median over samples of the time of one call, in ms; each sample times several calls between two events.
double MedianMilliseconds(const std::function<void(int)>& call, cudaStream_t stream, int calls, int samples);

/// The dense kernel that a pass stands for, correlation with mirrored borders, summed in float64 by one thread a
/// sample, compared with what lies in `got`. Largest difference (f32: relative to full scale) and how many samples
/// differ.
struct Comparison {
  double largest = 0;
  long long unequal = 0;
};
Comparison CompareWithPlain(const Pass& pass, const cuda::DeviceView& source, const cuda::DeviceView& got);

void Poison(const cuda::DeviceView& view);

/// Time of copying one picture, in ms: the fastest of cudaMemcpy and a kernel with 16-byte accesses.
double CopyMilliseconds(const PictureSet& pictures, cudaStream_t stream);

/// Noise weights of a k x k kernel that is not separable; a Gaussian of n taps as a pair.
DenseWeights NoiseKernel(int side);
SeparableWeights GaussianPair(int taps);
DenseWeights DenseOf(const SeparableWeights& separable);

/// Device, driver and compiler, as JSON members without braces.
std::string MachineJson();

/// The backend by the host's clock, as a JSON member; see bench_backend.cpp. To be called before anything else uses the
/// device, so that the first filter is the first.
std::string BackendJson();

/// Ends the program where the file cannot be written.
void WriteFile(const std::string& path, const std::string& text);

void Must(cudaError_t result, const char* what);

}  // namespace convolve::bench
