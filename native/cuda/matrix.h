// The matrix: small dense kernels of 8-bit pictures with four channels on the tensor cores, in exact integers. Which
// kernels can, their weights as the matrix units want them, and how it is started.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "cuda/parameters.h"
#include "engine/pass.h"

namespace convolve::cuda {

/// Sums of weights and bytes stay below 2^31, and the window of 16 outputs within 32 bytes.
inline constexpr int kMatrixCells = 255;

/// Weights as whole numbers of up to three digits to the base 256, each -128 ... 127, times `scale`. Of a magnitude:
/// two kernels of one digit.
struct MatrixWeights {
  int digits = 0;     // 0: cannot
  bool fine = false;  // weights as they are, or in three digits: also for results that are not bytes
  bool magnitude = false;
  int height = 0;
  int anchor_x = 0, anchor_y = 0;
  int lead = 0;  // positions that the window begins early, so that it begins at a multiple of four pixels
  float scale = 1;
  /// A 16 x 32 matrix for each kernel row and digit (the highest first) or kernel: row m holds the kernel row from
  /// column m + lead on. In the order of the threads' registers: 16 bytes for each of 32 threads.
  std::vector<int8_t> fragments;
};

/// `taken`: the part of the divisor that goes into the weights. digits = 0 where the kernel is too large.
MatrixWeights MatrixWeightsOf(const DenseWeights& dense, double taken);
/// The two kernels must have small whole weights.
MatrixWeights MatrixWeightsOf(const MagnitudeWeights& magnitude, double taken_x, double taken_y);

struct MatrixJob {
  SourceParameters source;  // u8, four channels, not premultiplied; what lies outside must be a byte
  OutputParameters output;
  const MatrixWeights* weights;
  const void* fragments;  // in device memory, 16-byte aligned
};

/// Whether the current device and the code that this build has for it know the instruction (compute capability 8.0).
bool MatrixRuns();

void LaunchMatrix(const MatrixJob& job, cudaStream_t stream);

}  // namespace convolve::cuda
