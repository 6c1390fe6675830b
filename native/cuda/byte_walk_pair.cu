// The byte walk of separable kernels. As in walk.cuh a block goes down a strip, and each row adds to the rows of
// results that it touches; what it adds, its sum across, is found in whole numbers: bytes of one channel beside each
// other lie in a word, so that one instruction multiplies two of them by weights of 16 bits and adds both. Down in
// float32.
#include <cmath>

#include "cuda/byte_walk.cuh"

namespace convolve::cuda {
namespace {

template <int C, int K>
struct Shape {
  static constexpr int kPixels = BytePairPixels(C, K);  // of a thread
  static constexpr int kSamples = kPixels * C;
  /// Pixels before the thread's own: as many as the kernel reaches, rounded up to 8 bytes of four channels or 4 of one.
  static constexpr int kBefore = C == 4 ? RoundedUp(K / 2, 2) : RoundedUp(K / 2, 4);
  static constexpr int kWindow = kPixels + 2 * kBefore;
  static constexpr int kWindowPairs = (kWindow + 1) / 2;
  static constexpr int kPairWords = (C + 1) / 2;  // of two pixels
  static constexpr int kSide = RoundedUp(kBefore * C, kWalkSector);
  static constexpr int kRowSamples = kWalkThreads * kSamples + 2 * kSide;
  static constexpr int kRowPixels = kRowSamples / C + 2;
  static constexpr int kPairs = (K + 1) / 2;
  static constexpr int kSumRegisters = K * kSamples;
  static constexpr int kBlocks = kSumRegisters <= 60 ? 5 : (kSumRegisters <= 88 ? 4 : 3);
};

/// The window's bytes two pixels at a time, a half of a word for each channel.
template <int C, int K>
__device__ __forceinline__ void LoadWindow(const uint8_t* from,
                                           uint32_t (&pairs)[Shape<C, K>::kWindowPairs][Shape<C, K>::kPairWords]) {
  using S = Shape<C, K>;
  if constexpr (C == 1) {
    // A word holds two pairs.
#pragma unroll
    for (int w = 0; w < S::kWindowPairs; w += 2) {
      const uint32_t word = *reinterpret_cast<const uint32_t*>(from + 2 * w);
      pairs[w][0] = word;
      if (w + 1 < S::kWindowPairs) pairs[w + 1][0] = word;
    }
  } else {
#pragma unroll
    for (int i = 0; i < S::kWindowPairs; ++i) {
      const uint2 two = *reinterpret_cast<const uint2*>(from + 8 * i);
      pairs[i][0] = __byte_perm(two.x, two.y, 0x5140);
      pairs[i][1] = __byte_perm(two.x, two.y, 0x7362);
    }
  }
}

template <ByteFinish kHow, int C, int K>
__global__ void __launch_bounds__(kWalkThreads, Shape<C, K>::kBlocks)
    PairKernel(const __grid_constant__ ByteWalkParameters p) {
  using S = Shape<C, K>;
  constexpr int kSamples = S::kSamples;
  // Sums to bytes begin with the half that rounds them: nearly all results round as one rounded addition would.
  constexpr float kBegin = kHow == ByteFinish::kFloat ? 0.5f : 0.0f;
  const SourceParameters& source = p.source;
  const TargetParameters& target = p.target;
  __shared__ __align__(16) uint8_t rows[kWalkGroups][kWalkGroup * S::kRowSamples];
  __shared__ __align__(16) int row_table[kWalkStripMost + K - 1 + kWalkGroup];
  __shared__ int column_table[S::kRowPixels];

  LetNextPrepare();
  const int block_sample = p.first_sample + static_cast<int>(blockIdx.x) * kWalkThreads * kSamples;
  const int window = block_sample - S::kSide;
  const int begin = (target.x0 - source.left) * C;
  const int end = (target.x1 - source.left) * C;
  const int top = target.y0 + static_cast<int>(blockIdx.y) * p.strip;
  const int total = min(p.strip, target.y1 - top) + K - 1;
  const WalkFill<uint8_t, C, S::kRowSamples> filler(source, window, end + K / 2 * C, row_table, column_table);
  FillRowTable(source, row_table, top - K / 2, total);
  if (!filler.Inside()) FillColumnTable(source, column_table, source.left + PixelOf<C>(window), S::kRowPixels);
  __syncthreads();
  AwaitWork();
  const auto fill = [&](int group) { filler.Start(group * kWalkGroup, total, top - K / 2, rows[group % kWalkGroups]); };
  fill(0);

  const int sample = block_sample + static_cast<int>(threadIdx.x) * kSamples;
  const int bytes = target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4);
  WalkStore store(p.finish, target, false);
  store.row = static_cast<char*>(target.data) + int64_t{top - target.top} * target.pitch +
              (sample + int64_t{source.left - target.left} * C) * bytes;
  store.before = begin - sample;
  store.wanted = end - sample;
  store.vector = target.vector && store.before <= 0 && store.wanted >= kSamples;
  uint32_t weights[2 * S::kPairs];
#pragma unroll
  for (int i = 0; i < 2 * S::kPairs; ++i) weights[i] = static_cast<uint32_t>(Pinned(static_cast<int>(p.words[i])));
  float sums[K][kSamples];
#pragma unroll
  for (int k = 0; k < K; ++k) {
#pragma unroll
    for (int s = 0; s < kSamples; ++s) sums[k][s] = 0.0f;
  }

#pragma unroll 1
  for (int group = 0; group * kWalkGroup < total; ++group) {
    __pipeline_wait_prior(0);
    __syncthreads();  // this group has arrived; the one before it is summed, its place free
    fill(group + 1);
    if (store.wanted <= 0) continue;
    const uint8_t* from =
        rows[group % kWalkGroups] + S::kSide + static_cast<int>(threadIdx.x) * kSamples - S::kBefore * C;
    const int group_rows = min(kWalkGroup, total - group * kWalkGroup);
#pragma unroll 1
    for (int r = 0; r < group_rows; ++r, from += S::kRowSamples) {
      uint32_t pairs[S::kWindowPairs][S::kPairWords];
      LoadWindow<C, K>(from, pairs);
      float across[kSamples];
#pragma unroll
      for (int s = 0; s < kSamples; ++s) {
        const int first = S::kBefore - K / 2 + s / C;  // byte of the first tap
        int sum = 0;
#pragma unroll
        for (int pair = 0; pair < S::kPairs; ++pair) {
          const int place = first / 2 + pair;
          const uint32_t weight = weights[first % 2 * S::kPairs + pair];
          const int half = C == 1 ? place % 2 : s % C % 2;
          sum = half == 0 ? AddTwo<0>(weight, pairs[place][s % C / 2], sum)
                          : AddTwo<1>(weight, pairs[place][s % C / 2], sum);
        }
        across[s] = __int2float_rn(sum);
      }
#pragma unroll
      for (int k = 0; k < K; ++k) {
#pragma unroll
        for (int s = 0; s < kSamples; ++s) {
          sums[k][s] = __fmaf_rn(p.column[k], across[s], k + 1 < K ? sums[k + 1 < K ? k + 1 : k][s] : kBegin);
        }
      }
      const int y = top + group * kWalkGroup + r - (K - 1);
      if (y < top) continue;
      float value[kSamples];
#pragma unroll
      for (int s = 0; s < kSamples; ++s) value[s] = sums[0][s];
      if constexpr (kHow == ByteFinish::kFloat) {
        uint32_t packed[kSamples / 4];
#pragma unroll
        for (int q = 0; q < kSamples / 4; ++q) {
          packed[q] = PackWhole(__float2int_rz(value[4 * q]), __float2int_rz(value[4 * q + 1]),
                                __float2int_rz(value[4 * q + 2]), __float2int_rz(value[4 * q + 3]));
          if (C == 4 && (store.flags & WalkStore::kFullAlpha)) packed[q] |= 0xff000000u;
        }
        WritePacked(store, packed);
      } else {
        StoreValues<false, uint8_t, C, kSamples / 4, false>(source, p.finish, store, sample, y, value, value);
      }
      store.row += store.pitch;
    }
  }
}

/// Whether the weights of the column can take the divisor. A power of two moves no bit of them. A small sum of whole
/// numbers over an odd one lies further from every half than float32 is wrong.
bool Divides(const Divisor& divisor, const ByteWalkWeights& weights) {
  constexpr double kLargestSum = 900;
  if (divisor.kind != DivisionKind::kCorrect) return true;
  return weights.whole > 0 && weights.whole <= kLargestSum && std::fmod(divisor.value, 2.0F) == 1;
}

template <int C, int K>
void LaunchSide(const ByteWalkJob& job) {
  ByteWalkParameters p = {};
  p.source = job.source;
  p.target = job.target;
  p.finish = job.finish;
  const ByteWalkWeights& weights = *job.weights;
  for (int odd = 0; odd < 2; ++odd) {
    for (int pair = 0; pair < Shape<C, K>::kPairs; ++pair) {
      p.words[odd * Shape<C, K>::kPairs + pair] = PairOfWeights(weights.weights.data(), 1, K, 2 * pair - odd);
    }
  }
  std::reverse_copy(weights.column.begin(), weights.column.end(), p.column);
  const auto launch = [&](const auto& kernel) {
    LaunchBytes<Shape<C, K>::kSamples>(kernel, job, K - 1, kWalkStripMost, &p);
  };
  const Divisor& divisor = p.finish.divisor;
  if (p.finish.simple && p.target.type == SampleType::kU8 && Divides(divisor, weights)) {
    for (float& weight : p.column) weight *= p.finish.divisor.reciprocal;
    return launch(PairKernel<ByteFinish::kFloat, C, K>);
  }
  launch(PairKernel<ByteFinish::kAny, C, K>);
}

template <int C>
void LaunchChannels(const ByteWalkJob& job) {
  switch (job.weights->side) {
    case 3:
      return LaunchSide<C, 3>(job);
    case 5:
      return LaunchSide<C, 5>(job);
    case 7:
      return LaunchSide<C, 7>(job);
    case 9:
      return LaunchSide<C, 9>(job);
    case 11:
      return LaunchSide<C, 11>(job);
    case 13:
      return LaunchSide<C, 13>(job);
    default:
      return LaunchSide<C, 15>(job);
  }
}

}  // namespace

void LaunchBytePair(const ByteWalkJob& job) {
  if (job.channels == 1) return LaunchChannels<1>(job);
  LaunchChannels<4>(job);
}

}  // namespace convolve::cuda
