// Starting a walk: the kernels that exist for one sample type, and how the picture is cut into blocks.
#pragma once

#include <algorithm>

#include "cuda/check.h"
#include "cuda/walk.cuh"

namespace convolve::cuda {

template <WalkKind kKind, typename T, int C, int K>
void LaunchOneWalk(const WalkLaunch& launch) {
  constexpr int kWeights = WalkWeightCount(kKind, K);
  constexpr int kSamples = WalkShape<kKind, T, C, K>::kSamples;
  const auto kernel = WalkKernel<kKind, T, C, K>;
  WalkParameters<kWeights> p;
  p.source = launch.source;
  p.target = launch.target;
  p.finish = launch.finish;
  std::copy_n(launch.weights, kWeights, p.weights);

  const int begin = (p.target.x0 - p.source.left) * C;
  const int end = (p.target.x1 - p.source.left) * C;
  p.first_sample = begin / kSamples * kSamples;
  const int across = (end - p.first_sample + kWalkThreads * kSamples - 1) / (kWalkThreads * kSamples);
  // Strips as long as they can be while every multiprocessor has its share of blocks: each strip reads K - 1 rows more
  // than it writes.
  int resident = 0;
  Check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kWalkThreads, 0), "walk occupancy");
  const int rows = p.target.y1 - p.target.y0;
  const int down = std::max(1, launch.multiprocessors * std::max(1, resident) / across);
  p.strip = std::clamp((rows + down - 1) / down, std::min(rows, 8), kWalkStripMost);
  const dim3 grid(across, (rows + p.strip - 1) / p.strip);
  kernel<<<grid, kWalkThreads, 0, launch.stream>>>(p);
  Check(cudaGetLastError(), "walk");
}

template <WalkKind kKind, typename T, int C>
WalkFunction WalkOfSide(int side) {
  switch (side) {
    case 3:
      return LaunchOneWalk<kKind, T, C, 3>;
    case 5:
      return LaunchOneWalk<kKind, T, C, 5>;
    default:
      break;
  }
  if constexpr (kKind != WalkKind::kMagnitude) {
    if (side == 7) return LaunchOneWalk<kKind, T, C, 7>;
  }
  if constexpr (kKind == WalkKind::kDense) {
    if (side == 9) return LaunchOneWalk<kKind, T, C, 9>;
    if (side == 11) return LaunchOneWalk<kKind, T, C, 11>;
    if (side == 13) return LaunchOneWalk<kKind, T, C, 13>;
    if (side == 15) return LaunchOneWalk<kKind, T, C, 15>;
  }
  return nullptr;
}

template <typename T, int C>
WalkFunction WalkOfKind(WalkKind kind, int side) {
  switch (kind) {
    case WalkKind::kDense:
      return WalkOfSide<WalkKind::kDense, T, C>(side);
    case WalkKind::kSeparable:
      return WalkOfSide<WalkKind::kSeparable, T, C>(side);
    case WalkKind::kMagnitude:
      return WalkOfSide<WalkKind::kMagnitude, T, C>(side);
  }
  return nullptr;
}

/// The launcher of a walk for sources of T, or null. Two channels have none: grey with alpha goes to the tile.
template <typename T>
WalkFunction WalkOf(const WalkKey& key) {
  switch (key.channels) {
    case 1:
      return WalkOfKind<T, 1>(key.kind, key.side);
    case 3:
      return WalkOfKind<T, 3>(key.kind, key.side);
    case 4:
      return WalkOfKind<T, 4>(key.kind, key.side);
    default:
      return nullptr;
  }
}

}  // namespace convolve::cuda
