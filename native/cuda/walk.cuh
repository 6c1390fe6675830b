// The walk, on the device: a block walks down a strip of the picture, a thread owns a few consecutive samples of every
// row. Rows arrive in shared memory ahead of time, in groups, as they are stored; borders are resolved on the way. Each
// row adds to the K output rows that it touches; those K partial sums live in registers and move up one place a row:
//
//   input row r  ->  sums[0] (gets its last kernel row, is finished and stored) <- sums[1] <- ... <- sums[K-1] (begins)
//
// The move costs nothing: the first product of a row reads sums[k + 1] and writes sums[k]. Weights are kernel
// parameters, laid out in the order of their use, so that multiply-adds take them from uniform registers.
#pragma once

#include "cuda/launch.cuh"
#include "cuda/walk_fill.cuh"
#include "cuda/walk_store.cuh"

namespace convolve::cuda {

/// One input row's contribution to the K rows of sums of a separable kernel.
template <int C, int K, int kSamples, int kPhase>
__device__ __forceinline__ void AddSeparableRow(const float* column, const float* row, const float* v,
                                                float (&sums)[K][kSamples]) {
  float across[kSamples];
#pragma unroll
  for (int s = 0; s < kSamples; ++s) across[s] = 0.0f;
#pragma unroll
  for (int i = 0; i < K; ++i) {
#pragma unroll
    for (int s = 0; s < kSamples; ++s) across[s] = __fmaf_rn(row[i], v[kPhase + i * C + s], across[s]);
  }
#pragma unroll
  for (int k = 0; k < K; ++k) {
#pragma unroll
    for (int s = 0; s < kSamples; ++s) {
      sums[k][s] = __fmaf_rn(column[k], across[s], k + 1 < K ? sums[k + 1 < K ? k + 1 : k][s] : 0.0f);
    }
  }
}

/// One input row's contribution to the K rows of sums; see the drawing above.
template <WalkKind kKind, int C, int K, int kSamples, int kPhase, int kSums>
__device__ __forceinline__ void AddRow(const float* weights, const float* v, float (&sums)[kSums][K][kSamples]) {
  if constexpr (kKind != WalkKind::kDense) {
#pragma unroll
    for (int set = 0; set < kSums; ++set) {
      const float* column = weights + set * 2 * K;
      AddSeparableRow<C, K, kSamples, kPhase>(column, column + K, v, sums[set]);
    }
  } else {
#pragma unroll
    for (int i = 0; i < K; ++i) {
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const float weight = weights[i * K + k];
#pragma unroll
        for (int s = 0; s < kSamples; ++s) {
          const float before = i > 0 ? sums[0][k][s] : (k + 1 < K ? sums[0][k + 1 < K ? k + 1 : k][s] : 0.0f);
          sums[0][k][s] = __fmaf_rn(weight, v[kPhase + i * C + s], before);
        }
      }
    }
  }
}

template <WalkKind kKind, typename T, int C, int K, bool kPremultiply>
__global__ void __launch_bounds__(kWalkThreads, WalkShape<kKind, T, C, K>::kBlocks)
    WalkKernel(const __grid_constant__ WalkParameters<WalkWeightCount(kKind, K)> p) {
  using Shape = WalkShape<kKind, T, C, K>;
  constexpr int kSamples = Shape::kSamples;
  constexpr int kRowSamples = Shape::kRowSamples;
  const SourceParameters& source = p.source;
  const TargetParameters& target = p.target;

  __shared__ __align__(16) T rows[kWalkGroups][kWalkGroup * kRowSamples];
  __shared__ __align__(16) int row_table[kWalkStripMost + K - 1 + kWalkGroup];  // read in whole groups
  __shared__ int column_table[Shape::kRowPixels];

  LetNextPrepare();
  const int block_sample = p.first_sample + static_cast<int>(blockIdx.x) * kWalkThreads * kSamples;
  const int window = block_sample - Shape::kSide;  // of the block
  const int begin = (target.x0 - source.left) * C;
  const int end = (target.x1 - source.left) * C;
  const int top = target.y0 + static_cast<int>(blockIdx.y) * p.strip;
  const int total = min(p.strip, target.y1 - top) + K - 1;  // input rows
  const WalkFill<T, C, kRowSamples> filler(source, window, end + Shape::kReach, row_table, column_table);
  FillRowTable(source, row_table, top - K / 2, total);
  if (!filler.Inside()) {
    FillColumnTable(source, column_table, source.left + PixelOf<C>(window), Shape::kRowPixels);
  }
  __syncthreads();
  AwaitWork();

  const auto fill = [&](int group) { filler.Start(group * kWalkGroup, total, top - K / 2, rows[group % kWalkGroups]); };
#pragma unroll
  for (int group = 0; group + 1 < kWalkGroups; ++group) fill(group);

  const int sample = block_sample + static_cast<int>(threadIdx.x) * kSamples;  // from the buffer's first
  const int bytes = target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4);
  WalkStore store(p.finish, target, kKind == WalkKind::kMagnitude);
  store.row = static_cast<char*>(target.data) + int64_t{top - target.top} * target.pitch +
              (sample + int64_t{source.left - target.left} * C) * bytes;
  store.before = begin - sample;
  store.wanted = end - sample;
  store.vector = target.vector && store.before <= 0 && store.wanted >= kSamples;
  float sums[Shape::kSums][K][kSamples];
#pragma unroll
  for (int set = 0; set < Shape::kSums; ++set) {
#pragma unroll
    for (int k = 0; k < K; ++k) {
#pragma unroll
      for (int s = 0; s < kSamples; ++s) sums[set][k][s] = 0.0f;
    }
  }

#pragma unroll 1
  for (int group = 0; group * kWalkGroup < total; ++group) {
    __pipeline_wait_prior(kWalkGroups - 2);
    __syncthreads();  // this group has arrived; the one before it is summed, its place free
    fill(group + kWalkGroups - 1);
    if (store.wanted <= 0) continue;
    const T* from = rows[group % kWalkGroups] + static_cast<int>(threadIdx.x) * kSamples + 4 * Shape::kFirstQuad;
    const int group_rows = min(kWalkGroup, total - group * kWalkGroup);
#pragma unroll 1
    for (int r = 0; r < group_rows; ++r, from += kRowSamples) {
      float v[4 * Shape::kWindowQuads];
#pragma unroll
      for (int q = 0; q < Shape::kWindowQuads; ++q) Unpack(ReadQuad(from + 4 * q), v + 4 * q);
      if constexpr (kPremultiply) PremultiplyQuads<C, Shape::kWindowQuads>(source.alpha_scale, v);
      AddRow<kKind, C, K, kSamples, Shape::kPhase>(p.weights, v, sums);
      const int y = top + group * kWalkGroup + r - (K - 1);
      if (y < top) continue;
      float value[kSamples];
      float other[kSamples];
#pragma unroll
      for (int s = 0; s < kSamples; ++s) {
        value[s] = sums[0][0][s];
        other[s] = sums[Shape::kSums - 1][0][s];
      }
      StoreValues<kKind == WalkKind::kMagnitude, T, C, Shape::kQuads, kPremultiply>(source, p.finish, store, sample, y,
                                                                                    value, other);
      store.row += store.pitch;
    }
  }
}

}  // namespace convolve::cuda
