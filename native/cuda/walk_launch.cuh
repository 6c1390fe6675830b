// Starting a walk: the kernels that exist for one sample type, and how the picture is cut into blocks.
#pragma once

#include <algorithm>

#include "cuda/check.h"
#include "cuda/strips.h"
#include "cuda/walk.cuh"

namespace convolve::cuda {

/// The weights in the order of their use; see WalkParameters.
template <WalkKind kKind, int K>
void OrderWeights(const float* weights, float* to) {
  if constexpr (kKind == WalkKind::kDense) {
    for (int i = 0; i < K; ++i) {
      for (int k = 0; k < K; ++k) to[i * K + k] = weights[(K - 1 - k) * K + i];
    }
  } else {
    for (int set = 0; set < WalkWeightCount(kKind, K); set += 2 * K) {
      for (int k = 0; k < K; ++k) to[set + k] = weights[set + K - 1 - k];
      std::copy_n(weights + set + K, K, to + set + K);
    }
  }
}

template <WalkKind kKind, typename T, int C, int K, bool kPremultiply>
void LaunchOneWalk(const WalkLaunch& launch) {
  using Shape = WalkShape<kKind, T, C, K>;
  constexpr int kAligned = std::max(Shape::kSamples, kWalkSector / static_cast<int>(sizeof(T)));
  const auto kernel = WalkKernel<kKind, T, C, K, kPremultiply>;
  WalkParameters<WalkWeightCount(kKind, K)> p;
  p.source = launch.source;
  p.target = launch.target;
  p.finish = launch.finish;
  OrderWeights<kKind, K>(launch.weights, p.weights);

  const int begin = (p.target.x0 - p.source.left) * C;
  const int end = (p.target.x1 - p.source.left) * C;
  p.first_sample = begin / kAligned * kAligned;
  constexpr int kBlockSamples = kWalkThreads * Shape::kSamples;
  const int across = (end - p.first_sample + kBlockSamples - 1) / kBlockSamples;
  int resident = 0;
  Check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kWalkThreads, 0), "walk occupancy");
  const int rows = p.target.y1 - p.target.y0;
  const int slots = launch.multiprocessors * std::max(1, resident);
  // Float pictures and small kernels: memory is the limit, and short strips in several waves keep it busy to the end.
  constexpr bool kMemoryBound = sizeof(T) == 4 && Shape::kSumRegisters <= 28 && (kKind != WalkKind::kDense || K <= 5);
  const int most = kMemoryBound ? 2 * kWalkGroup : kWalkStripMost;
  p.strip = StripRows(rows, across, slots, K - 1 + kWalkGroup, kWalkGroup, most);
  const dim3 grid(across, (rows + p.strip - 1) / p.strip);
  LaunchNext(kernel, grid, kWalkThreads, 0, launch.stream, p, "walk");
}

template <WalkKind kKind, typename T, int C, int K>
void LaunchWalkOf(const WalkLaunch& launch) {
  if constexpr (C == 4) {
    if (launch.source.premultiply) return LaunchOneWalk<kKind, T, C, K, true>(launch);
  }
  LaunchOneWalk<kKind, T, C, K, false>(launch);
}

template <WalkKind kKind, typename T, int C>
WalkFunction WalkOfSide(int side) {
  switch (side) {
    case 3:
      return LaunchWalkOf<kKind, T, C, 3>;
    case 5:
      return LaunchWalkOf<kKind, T, C, 5>;
    default:
      break;
  }
  if (side == 7) return LaunchWalkOf<kKind, T, C, 7>;
  if constexpr (kKind == WalkKind::kDense) {
    if (side == 9) return LaunchWalkOf<kKind, T, C, 9>;
    if (side == 11) return LaunchWalkOf<kKind, T, C, 11>;
    if (side == 13) return LaunchWalkOf<kKind, T, C, 13>;
    if (side == 15) return LaunchWalkOf<kKind, T, C, 15>;
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
