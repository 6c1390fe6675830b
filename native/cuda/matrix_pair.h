// Pairs on the matrix units: a row and a column of up to 65 cells over 8-bit pictures with four channels, across in
// exact integers, down in halves whose products are summed in float32.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "cuda/parameters.h"
#include "engine/pass.h"

namespace convolve::cuda {

/// Weights as the matrix units want them.
struct MatrixPairWeights {
  int steps = 0;  // windows of 32 bytes across: 1, 2 or 3; 0: the pair cannot
  int height = 0;
  int anchor_x = 0, anchor_y = 0;
  int lead = 0;            // positions that the window begins early, so that it begins at a multiple of four pixels
  float across_scale = 1;  // of a sum across, to the number that is split into halves
  float scale = 1;         // of a sum down, to the pair's result
  /// A 16 x 32 matrix of bytes for each step and digit (the higher first): row m holds the row's weights from m + lead
  /// on. Then a 16 x 8 matrix of halves for each distance of 8 rows from -8 on, twice: the halves nearest the weights,
  /// and what they leave. In the order of the threads' registers: 16 bytes for each of 32 threads.
  std::vector<int8_t> fragments;
};

/// `taken`: the part of the divisor that goes into the weights.
MatrixPairWeights MatrixPairWeightsOf(const SeparableWeights& separable, double taken);

struct MatrixPairJob {
  SourceParameters source;  // u8, four channels, not premultiplied; what lies outside must be a byte
  OutputParameters output;  // u8, finished simply
  const MatrixPairWeights* weights;
  const void* fragments;  // in device memory, 16-byte aligned
};

/// Shared memory of a block.
int MatrixPairSharedBytes(int steps);

void LaunchMatrixPair(const MatrixPairJob& job, cudaStream_t stream);

}  // namespace convolve::cuda
