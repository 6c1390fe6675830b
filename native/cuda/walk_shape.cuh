// The walk's measures: threads, rows and registers of each kind, and what a launch is told.
#pragma once

#include "cuda/walk.h"

namespace convolve::cuda {

inline constexpr int kWalkThreads = 128;
inline constexpr int kWalkStripMost = 512;  // output rows a block walks down, at most
inline constexpr int kWalkGroup = 8;        // rows between two barriers
inline constexpr int kWalkGroups = 2;       // one is summed while the other arrives
inline constexpr int kWalkSector = 32;      // bytes that memory moves at once: rows in shared memory begin with them

constexpr int WalkWeightCount(WalkKind kind, int side) {
  if (kind == WalkKind::kDense) return side * side;
  return kind == WalkKind::kSeparable ? 2 * side : 4 * side;
}

/// Weights in the order of use. Dense and magnitude: kernel column by column, each from its last row to its first
/// (sums[0] needs the last). Separable: the column from its last row to its first, then the row.
template <int kWeights>
struct WalkParameters {
  SourceParameters source;
  TargetParameters target;
  FinishParameters finish;
  int first_sample;  // of the first thread's group, from the buffer's first sample; a multiple of 16 bytes
  int strip;         // output rows a block walks down
  float weights[kWeights];
};

template <typename T>
constexpr SampleType WalkType() {
  return sizeof(T) == 1 ? SampleType::kU8 : (sizeof(T) == 2 ? SampleType::kU16 : SampleType::kF32);
}

constexpr int RoundedUp(int value, int step) { return (value + step - 1) / step * step; }

template <WalkKind kKind, typename T, int C, int K>
struct WalkShape {
  static constexpr int kQuads = WalkQuads(kKind, WalkType<T>(), K);
  static constexpr int kSamples = 4 * kQuads;                                                 // a thread's
  static constexpr int kReach = K / 2 * C;                                                    // samples to each side
  static constexpr int kSide = RoundedUp(kReach, kWalkSector / static_cast<int>(sizeof(T)));  // held to each side
  static constexpr int kRowSamples = kWalkThreads * kSamples + 2 * kSide;
  static constexpr int kRowPixels = kRowSamples / C + 2;
  /// A thread's window in its row: from quad kFirstQuad on, tap 0 of sample 0 at kPhase.
  static constexpr int kFirstQuad = (kSide - kReach) / 4;
  static constexpr int kPhase = (kSide - kReach) % 4;
  static constexpr int kWindowQuads = (kPhase + kSamples + 2 * kReach + 3) / 4;
  static constexpr int kSums = kKind == WalkKind::kMagnitude ? 2 : 1;
  /// Blocks that a multiprocessor should hold: what the sums leave of its registers, in steps that the compiler meets
  /// without spilling.
  static constexpr int kSumRegisters = kSums * K * kSamples;
  static constexpr int kBlocks = kSumRegisters <= 28 ? 6 : (kSumRegisters <= 60 ? 5 : (kSumRegisters <= 88 ? 4 : 3));
};

}  // namespace convolve::cuda
