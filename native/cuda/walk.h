// The walk: small kernels with odd sides of 3 to 15 and their anchor in the middle, summed in registers. Which sizes,
// channels and kinds have one, and how it is started.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "cuda/parameters.h"

namespace convolve::cuda {

enum class WalkKind { kDense, kSeparable, kMagnitude };

/// What one walk computes. Weights: dense side x side, row-major; separable the column, then the row; magnitude x, then
/// y.
struct WalkKey {
  WalkKind kind;
  SampleType type;  // of the source
  int channels;
  int side;
};

struct WalkLaunch {
  SourceParameters source;  // what lies outside must be a value of its sample type
  TargetParameters target;
  FinishParameters finish;
  const float* weights;  // host memory
  int multiprocessors;
  cudaStream_t stream;
};

/// Starts one walk; throws Error where the launch fails.
using WalkFunction = void (*)(const WalkLaunch& launch);

/// Null where there is no such walk.
WalkFunction FindWalk(const WalkKey& key);

/// Samples that wide stores need: the target's first sample must lie a multiple of these away from the source's first.
int WalkAlignment(const WalkKey& key);

/// One for each sample type, each in a file of its own so that they compile apart.
WalkFunction FindWalkU8(const WalkKey& key);
WalkFunction FindWalkU16(const WalkKey& key);
WalkFunction FindWalkF32(const WalkKey& key);

/// Quads (four samples) that a thread owns: as many as leave room for the sums (side rows of them) in registers. More
/// quads share more conversions and weights.
constexpr int WalkQuads(WalkKind kind, SampleType type, int side) {
  if (type == SampleType::kF32) return 1;
  const int sums = kind == WalkKind::kMagnitude ? 2 * side : side;
  const int most = sums <= 5 ? 4 : (sums <= 11 ? 2 : 1);
  return type == SampleType::kU16 && most > 2 ? 2 : most;
}

}  // namespace convolve::cuda
