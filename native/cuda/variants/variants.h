// The teaching variants: one convolution in the ways of the textbooks and papers, each small enough to be read in one
// go, none as fast as what the backend uses by itself. All of them compute whole passes, with every border, depth,
// alpha mode and epilogue, because they read pixels and store sums through the same few functions (pixels.cuh); only
// the way in which the sums are computed differs. Which there are, and how one is started.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <string>
#include <vector>

#include "cuda/device.h"
#include "cuda/parameters.h"
#include "engine/pass.h"

namespace convolve::cuda {

struct VariantJob {
  SourceParameters source;
  OutputParameters output;  // its rule is SumRule::kFinish
  DeviceKernel kernel;      // shape and anchor; `weights` as the variant's `prepare` made them, in device memory
  const Device* device = nullptr;
  cudaStream_t stream = nullptr;
  std::function<void()> between;  // to be called before each launch; may throw

  int width() const { return output.target.x1 - output.target.x0; }
  int height() const { return output.target.y1 - output.target.y0; }
};

struct Variant {
  VariantName id;
  const char* name;
  const char* idea;
  const char* origin;  // the book, paper or manual that it comes from
  /// Largest error of a result, as a share of full scale times the sum of the weights' magnitudes over the divisor.
  double tolerance;
  bool floats;  // reads float32 pictures only; others are converted first
  /// The weights as the launch wants them, divided by `taken`. Throws Error kUnsupported where it cannot run the
  /// kernel.
  std::vector<float> (*prepare)(const DenseWeights& dense, double taken);
  /// Queues the pass. Throws Error.
  void (*launch)(const VariantJob& job, int channels);
};

/// In the order in which a reader should meet them.
const std::vector<Variant>& Variants();

/// Throws Error kUnsupported, with all names, where this build has none of this name.
const Variant& VariantNamed(VariantName name);

/// `prepare` of most: row-major, as they are.
std::vector<float> PlainWeights(const DenseWeights& dense, double taken);
/// Throws Error kUnsupported unless width and height are at most `side`.
void RequireSides(const char* name, const DenseWeights& dense, int side);

// One for each file.
Variant Naive1d();
Variant Naive2d();
Variant ConstantMemory();
Variant Shared1d();
Variant Shared2d();
Variant TextureReads();
Variant TwoLaunches();
Variant Winograd();
Variant TensorCores();
#if CONVOLVE_CUFFT
Variant CuFft();
#endif

}  // namespace convolve::cuda
