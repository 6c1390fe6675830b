// Lines of the FFT in a block: threads, shared memory, and the kernel of a number of channels and points.
#pragma once

#include <type_traits>

#include "cuda/channels.cuh"
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

/// Calls launch(channels, points) with both as types that carry the number.
template <typename Launcher>
void WithChannelsAndPoints(int channels, int points, const Launcher& launch) {
  WithChannels(channels, [&](auto c) {
    switch (points) {
      case 256:
        return launch(c, std::integral_constant<int, 256>());
      case 512:
        return launch(c, std::integral_constant<int, 512>());
      default:
        return launch(c, std::integral_constant<int, 1024>());
    }
  });
}

}  // namespace convolve::cuda
