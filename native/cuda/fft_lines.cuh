// Lines of the FFT in a block: threads, shared memory.
#pragma once

#include "cuda/fft_launch.h"
#include "cuda/fft_transform.cuh"

namespace convolve::cuda {

inline constexpr int kFftThreads = 256;

/// Rows: threads take T of a line, or two lines side by side so that a warp is full.
template <int N>
struct FftRows {
  static constexpr int kPairs = 32 / FftSize<N>::T;           // lines of a warp
  static constexpr int kLines = kFftThreads / FftSize<N>::T;  // lines of a block
  static constexpr int kWarpPoints = kPairs * FftSize<N>::kExchangePoints;
  static constexpr int kBytes = kFftThreads / 32 * kWarpPoints * static_cast<int>(sizeof(float2));
};

}  // namespace convolve::cuda
