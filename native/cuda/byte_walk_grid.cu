// The byte walk of dense kernels and magnitudes. As in walk.cuh a block goes down a strip and rows arrive in shared
// memory ahead of time; byte_grid.cuh sums them.
#include <cmath>

#include "cuda/byte_grid.cuh"

namespace convolve::cuda {
namespace {

/// Blocks that a multiprocessor should hold.
constexpr int BlocksOf(ByteFinish how, WalkKind kind, int side) {
  if (how == ByteFinish::kAny) return side == 3 ? 4 : 3;
  return kind == WalkKind::kMagnitude ? 5 : 4;
}
/// Rows of a strip at most: short strips in several waves where a block has much to do.
constexpr int kShortStrip = 2 * kWalkGroup;

template <ByteFinish kHow, WalkKind kKind, int C, int K>
__global__ void __launch_bounds__(kWalkThreads, BlocksOf(kHow, kKind, K))
    GridKernel(const __grid_constant__ ByteWalkParameters p) {
  using S = GridShape<kKind, C, K>;
  const SourceParameters& source = p.source;
  const TargetParameters& target = p.target;
  __shared__ __align__(16) uint8_t rows[kWalkGroups][kWalkGroup * S::kRowSamples];
  __shared__ __align__(16) int row_table[kWalkStripMost + K - 1 + 2 * kWalkGroup];
  __shared__ int column_table[S::kRowPixels];

  LetNextPrepare();
  const int block_sample = p.first_sample + static_cast<int>(blockIdx.x) * kWalkThreads * kGridSamples;
  const int window = block_sample - S::kSide;
  const int begin = (target.x0 - source.left) * C;
  const int end = (target.x1 - source.left) * C;
  const int top = target.y0 + static_cast<int>(blockIdx.y) * p.strip;
  const int outputs = min(p.strip, target.y1 - top);
  const int total = outputs + K - 1;
  const WalkFill<uint8_t, C, S::kRowSamples> filler(source, window, end + S::kReach, row_table, column_table);
  FillRowTable(source, row_table, top - K / 2, total);
  if (!filler.Inside()) FillColumnTable(source, column_table, source.left + PixelOf<C>(window), S::kRowPixels);
  __syncthreads();
  AwaitWork();
  const auto fill = [&](int group) { filler.Start(group * kWalkGroup, total, top - K / 2, rows[group % kWalkGroups]); };
  fill(0);

  const int sample = block_sample + static_cast<int>(threadIdx.x) * kGridSamples;  // from the buffer's first
  const int bytes = target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4);
  WalkStore store(p.finish, target, kKind == WalkKind::kMagnitude);
  store.row = static_cast<char*>(target.data) + int64_t{top - target.top} * target.pitch +
              (sample + int64_t{source.left - target.left} * C) * bytes;
  store.before = begin - sample;
  store.wanted = end - sample;
  store.vector = target.vector && store.before <= 0 && store.wanted >= kGridSamples;
  uint32_t weights[S::kWeightWords];
  if constexpr (kKind == WalkKind::kDense) {
#pragma unroll
    for (int i = 0; i < S::kWeightWords; ++i) weights[i] = static_cast<uint32_t>(Pinned(static_cast<int>(p.words[i])));
  }
  const int half = kHow == ByteFinish::kShift ? Pinned((1 << p.shift) >> 1) : 0;

  Turned<S> first;
  Turned<S> second;
#pragma unroll 1
  for (int row = -kGridRows; row < outputs; row += kGridRows) {
    const int group = (row + kGridRows) / kWalkGroup;
    const bool begins = (row + kGridRows) % kWalkGroup == 0;
    if (begins) {
      __pipeline_wait_prior(0);
      __syncthreads();  // this group has arrived; the one before it is summed, its place free
      fill(group + 1);
    }
    if (store.wanted <= 0) continue;
    first = second;
    second.Load(rows[group % kWalkGroups] + (begins ? 0 : kGridRows * S::kRowSamples) + S::kSide +
                static_cast<int>(threadIdx.x) * kGridSamples);
    if (row >= 0) SumRows<kHow, kKind, C, K>(p, weights, half, row, outputs, top, sample, &first, second, &store);
  }
}

/// A dense line's pairs where its first sample is even and where it is odd.
template <int K>
void PutLines(const ByteWalkWeights& from, uint32_t* to) {
  constexpr int kPairs = (K + 1) / 2;
  for (int i = 0; i < K; ++i) {
    for (int odd = 0; odd < 2; ++odd) {
      for (int pair = 0; pair < kPairs; ++pair) *to++ = PairOfWeights(from.weights.data() + i, K, K, 2 * pair - odd);
    }
  }
}

/// For each column of both kernels their weights as bytes, from byte 0 on and from byte 1 on.
void PutColumns(const ByteWalkWeights& from, uint32_t* to) {
  for (int i = 0; i < 3; ++i) {
    for (int kernel = 0; kernel < 2; ++kernel) {
      uint32_t word = 0;
      for (int j = 0; j < 3; ++j) {
        word |= static_cast<uint32_t>(from.weights[static_cast<size_t>(kernel * 9 + j * 3 + i)] & 255) << (8 * j);
      }
      *to++ = word;
      *to++ = word << 8;
    }
  }
}

/// What of a division is left to a shift: -1 where it is no power of two.
int ShiftOf(const Divisor& divisor) {
  if (divisor.kind == DivisionKind::kNone) return 0;
  int exponent = 0;
  const bool power = std::frexp(divisor.value, &exponent) == 0.5F && exponent >= 1 && exponent <= 20;
  return power ? exponent - 1 : -1;
}

template <int C, ByteFinish kMagnitude>
void LaunchMagnitude(const ByteWalkJob& job, ByteWalkParameters* p) {
  PutColumns(*job.weights, p->words);
  if constexpr (C == 4 && kMagnitude != ByteFinish::kAny) {
    LaunchByteRows(job, kMagnitude, p);
  } else {
    LaunchBytes<kGridSamples>(GridKernel<kMagnitude, WalkKind::kMagnitude, C, 3>, job, 2, kShortStrip, p);
  }
}

template <int C, ByteFinish kDense>
void LaunchDense(const ByteWalkJob& job, ByteWalkParameters* p) {
  if (job.weights->side == 5) {
    PutLines<5>(*job.weights, p->words);
    return LaunchBytes<kGridSamples>(GridKernel<kDense, WalkKind::kDense, C, 5>, job, 4, kShortStrip, p);
  }
  PutLines<3>(*job.weights, p->words);
  if constexpr (C == 4 && kDense != ByteFinish::kAny) {
    LaunchByteRows(job, kDense, p);
  } else {
    LaunchBytes<kGridSamples>(GridKernel<kDense, WalkKind::kDense, C, 3>, job, 2, kWalkStripMost, p);
  }
}

template <int C>
void LaunchChannels(const ByteWalkJob& job, bool any, ByteWalkParameters* p) {
  if (job.weights->kind == WalkKind::kDense) {
    return any ? LaunchDense<C, ByteFinish::kAny>(job, p) : LaunchDense<C, ByteFinish::kShift>(job, p);
  }
  if (any) return LaunchMagnitude<C, ByteFinish::kAny>(job, p);
  const std::vector<int16_t>& w = job.weights->weights;
  const bool gap = w[1] == 0 && w[4] == 0 && w[7] == 0;
  gap ? LaunchMagnitude<C, ByteFinish::kGap>(job, p) : LaunchMagnitude<C, ByteFinish::kRoot>(job, p);
}

}  // namespace

void LaunchByteGrid(const ByteWalkJob& job) {
  ByteWalkParameters p = {};
  p.source = job.source;
  p.target = job.target;
  p.finish = job.finish;
  p.shift = job.weights->shift;
  p.scale = std::ldexp(1.0F, -p.shift);
  bool any = !p.finish.simple || p.target.type != SampleType::kU8;
  const int divided = ShiftOf(p.finish.divisor);
  if (job.weights->kind == WalkKind::kMagnitude) {
    any = any || divided < 0 || p.finish.divisor.value != p.finish.divisor_y.value;
    if (!any) p.scale = p.finish.divisor.reciprocal;
  } else {
    any = any || divided < 0 || p.shift + divided > 30;
    if (!any) p.shift += divided;
  }
  switch (job.channels) {
    case 1:
      return LaunchChannels<1>(job, any, &p);
    case 3:
      return LaunchChannels<3>(job, any, &p);
    default:
      return LaunchChannels<4>(job, any, &p);
  }
}

}  // namespace convolve::cuda
