// The byte walk: small kernels of 8-bit pictures whose sums are whole numbers, by the instructions that multiply and
// add two or four bytes at once. Which kernels have one, their weights, and how it is started.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "cuda/parameters.h"
#include "cuda/walk.h"
#include "engine/pass.h"

namespace convolve::cuda {

/// Weights times a factor as whole numbers of 16 bits, of a magnitude of 8.
struct ByteWalkWeights {
  int side = 0;  // 0: cannot
  WalkKind kind = WalkKind::kDense;
  bool exact = false;            // nothing was rounded
  int shift = 0;                 // dense: the factor is 2^shift
  std::vector<int16_t> weights;  // dense: row-major; separable: the row; magnitude: x, then y, row-major
  std::vector<float> column;     // separable: of the sums of whole rows, the factor and the divisor taken out
  double whole = 0;              // separable: the largest sum of whole weights, 0 where they are none
};

/// `taken`: the part of the divisor that goes into the weights. side = 0 where there is no such walk or where whole
/// numbers would round too many results to another level.
ByteWalkWeights ByteWalkOf(const DenseWeights& dense, double taken, int channels);
ByteWalkWeights ByteWalkOf(const SeparableWeights& separable, double taken, int channels);
ByteWalkWeights ByteWalkOf(const MagnitudeWeights& magnitude, double taken_x, double taken_y, int channels);

/// Samples that wide stores need, as WalkAlignment.
int ByteWalkAlignment(const ByteWalkWeights& weights);

struct ByteWalkJob {
  SourceParameters source;  // u8, not premultiplied; what lies outside must be a byte
  TargetParameters target;
  FinishParameters finish;
  const ByteWalkWeights* weights;
  int channels;
  int multiprocessors;
  cudaStream_t stream;
};

void LaunchByteWalk(const ByteWalkJob& job);

/// Dense kernels and magnitudes; separable kernels.
void LaunchByteGrid(const ByteWalkJob& job);
void LaunchBytePair(const ByteWalkJob& job);

/// Pixels that a thread of a separable walk owns: as many as leave room for its sums in registers.
constexpr int BytePairPixels(int channels, int side) { return (side <= 5 ? 16 : 8) / channels; }

}  // namespace convolve::cuda
