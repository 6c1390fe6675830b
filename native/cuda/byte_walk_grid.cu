// The byte walk of dense kernels and magnitudes. As in walk.cuh a block goes down a strip and rows arrive in shared
// memory ahead of time. Four rows at a time are turned: a word then holds four samples below each other, so that one
// instruction multiplies two of them by weights of 16 bits (or all four by weights of 8) and adds both to a sum. A
// result in row j of four reaches from the words of its own four rows into those of the next:
//
//   j = 0:  [w0 w1] [w2 w3] | [w4  0] [     ]        j = 2:  [     ] [w0 w1] | [w2 w3] [w4  0]
//   j = 1:  [ 0 w0] [w1 w2] | [w3 w4] [     ]        j = 3:  [     ] [ 0 w0] | [w1 w2] [w3 w4]
//
// with one such line for each column of the kernel. Sums are whole numbers, so that nothing depends on their order.
#include <cmath>

#include "cuda/byte_walk.cuh"

namespace convolve::cuda {
namespace {

constexpr int kSamples = 16;  // of a thread, from row to row the same
constexpr int kBlockRows = 4;

/// Blocks that a multiprocessor should hold.
constexpr int BlocksOf(ByteFinish how, WalkKind kind, int side) {
  if (how == ByteFinish::kAny) return side == 3 ? 4 : 3;
  return kind == WalkKind::kMagnitude ? 5 : 4;
}
/// Rows of a strip at most: short strips in several waves where a block has much to do.
constexpr int kShortStrip = 2 * kWalkGroup;

template <WalkKind kKind, int C, int K>
struct Shape {
  static constexpr int kReach = K / 2 * C;
  static constexpr int kSide = RoundedUp(kReach, kWalkSector);
  static constexpr int kRowSamples = kWalkThreads * kSamples + 2 * kSide;
  static constexpr int kRowPixels = kRowSamples / C + 2;
  static constexpr int kHaloWords = (kReach + 3) / 4;
  static constexpr int kWords = kSamples / 4 + 2 * kHaloWords;
  static constexpr int kPairs = (K + 1) / 2;  // of weights in a line
  static constexpr int kWeightWords = kKind == WalkKind::kMagnitude ? 4 * K : 2 * K * kPairs;
};

/// The thread's samples of four rows and those beside them, turned.
template <typename S>
struct Turned {
  uint32_t v[4 * S::kWords];

  __device__ __forceinline__ void Load(const uint8_t* from) {
    uint32_t rows[kBlockRows][S::kWords];
#pragma unroll
    for (int r = 0; r < kBlockRows; ++r) {
      const uint8_t* row = from + r * S::kRowSamples;
#pragma unroll
      for (int w = 0; w < S::kHaloWords; ++w) {
        rows[r][w] = *reinterpret_cast<const uint32_t*>(row - 4 * (S::kHaloWords - w));
        rows[r][S::kHaloWords + 4 + w] = *reinterpret_cast<const uint32_t*>(row + kSamples + 4 * w);
      }
      const uint4 own = *reinterpret_cast<const uint4*>(row);
      rows[r][S::kHaloWords] = own.x;
      rows[r][S::kHaloWords + 1] = own.y;
      rows[r][S::kHaloWords + 2] = own.z;
      rows[r][S::kHaloWords + 3] = own.w;
    }
#pragma unroll
    for (int w = 0; w < S::kWords; ++w) {
      uint32_t turned[4];
      Turn(rows[0][w], rows[1][w], rows[2][w], rows[3][w], turned);
#pragma unroll
      for (int i = 0; i < 4; ++i) v[4 * w + i] = turned[i];
    }
  }
};

/// Finishes and stores a row of results. Not by where they lie, so that any tiling gives the same bytes.
template <ByteFinish kHow, WalkKind kKind, int C>
__device__ __forceinline__ void StoreSums(const ByteWalkParameters& p, const WalkStore& store, int sample, int y,
                                          const int (&sums)[kSamples], const int (&others)[kSamples]) {
  if constexpr (kHow == ByteFinish::kAny) {
    float value[kSamples];
    float other[kSamples];
#pragma unroll
    for (int s = 0; s < kSamples; ++s) {
      value[s] = __fmul_rn(__int2float_rn(sums[s]), p.scale);
      if constexpr (kKind == WalkKind::kMagnitude) other[s] = __int2float_rn(others[s]);
    }
    StoreValues<kKind == WalkKind::kMagnitude, uint8_t, C, kSamples / 4, false>(p.source, p.finish, store, sample, y,
                                                                                value, other);
  } else {
    uint32_t packed[kSamples / 4];
#pragma unroll
    for (int q = 0; q < kSamples / 4; ++q) {
      if constexpr (kHow == ByteFinish::kShift) {
        packed[q] = PackWhole(sums[4 * q] >> p.shift, sums[4 * q + 1] >> p.shift, sums[4 * q + 2] >> p.shift,
                              sums[4 * q + 3] >> p.shift);
      } else {
        float value[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const float a = __int2float_rn(sums[4 * q + i]);
          const float b = __int2float_rn(others[4 * q + i]);
          float root;
          asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(__fmaf_rn(a, a, __fmul_rn(b, b))));
          value[i] = root;
        }
        packed[q] = PackScaled(value, p.scale);
      }
      if (C == 4 && (store.flags & WalkStore::kFullAlpha)) packed[q] |= 0xff000000u;
    }
    WritePacked(store, packed);
  }
}

/// Row `kRow` of four of the results that begin with `first`. `half`: what is added so that a shift rounds.
template <ByteFinish kHow, WalkKind kKind, int C, int K, int kRow>
__device__ __forceinline__ void SumRow(const ByteWalkParameters& p, const uint32_t* weights, int half,
                                       const Turned<Shape<kKind, C, K>>& first,
                                       const Turned<Shape<kKind, C, K>>& second, int (&sums)[kSamples],
                                       int (&others)[kSamples]) {
  using S = Shape<kKind, C, K>;
  if constexpr (kKind == WalkKind::kMagnitude) {
    // Rows 2 and 3 find their samples in the words between.
#pragma unroll
    for (int s = 0; s < kSamples; ++s) {
      sums[s] = 0;
      others[s] = 0;
#pragma unroll
      for (int i = 0; i < K; ++i) {
        const int at = 4 * S::kHaloWords + s + (i - K / 2) * C;
        const uint32_t bytes = kRow < 2 ? first.v[at] : __byte_perm(first.v[at], second.v[at], 0x5432);
        if (kHow != ByteFinish::kGap || i != K / 2) sums[s] = AddFour(p.words[i * 4 + kRow % 2], bytes, sums[s]);
        others[s] = AddFour(p.words[i * 4 + 2 + kRow % 2], bytes, others[s]);
      }
    }
  } else {
#pragma unroll
    for (int s = 0; s < kSamples; ++s) {
      sums[s] = half;
#pragma unroll
      for (int i = 0; i < K; ++i) {
        const int at = 4 * S::kHaloWords + s + (i - K / 2) * C;
#pragma unroll
        for (int pair = 0; pair < S::kPairs; ++pair) {
          const int place = kRow / 2 + pair;
          const uint32_t bytes = place < 2 ? first.v[at] : second.v[at];
          const uint32_t weight = weights[(i * 2 + kRow % 2) * S::kPairs + pair];
          sums[s] = place % 2 == 0 ? AddTwo<0>(weight, bytes, sums[s]) : AddTwo<1>(weight, bytes, sums[s]);
        }
      }
    }
  }
}

/// The four rows of results from row `row` of the strip on, those of them that there are.
template <ByteFinish kHow, WalkKind kKind, int C, int K>
__device__ __forceinline__ void SumRows(const ByteWalkParameters& p, const uint32_t* weights, int half, int row,
                                        int rows, int top, int sample, Turned<Shape<kKind, C, K>>* first,
                                        const Turned<Shape<kKind, C, K>>& second, WalkStore* store) {
  using S = Shape<kKind, C, K>;
  int sums[kSamples];
  int others[kSamples];
  const auto finish = [&](int j) {
    StoreSums<kHow, kKind, C>(p, *store, sample, top + row + j, sums, others);
    store->row += store->pitch;
  };
  if constexpr (kHow == ByteFinish::kAny) {
    // Storing is long: each row in turn becomes the first.
    Turned<S> rest = second;
#pragma unroll 1
    for (int j = 0; j < kBlockRows && row + j < rows; ++j) {
      SumRow<kHow, kKind, C, K, 0>(p, weights, half, *first, rest, sums, others);
      finish(j);
#pragma unroll
      for (int i = 0; i < 4 * S::kWords; ++i) {
        first->v[i] = __funnelshift_r(first->v[i], rest.v[i], 8);
        rest.v[i] >>= 8;
      }
    }
    return;
  }
  SumRow<kHow, kKind, C, K, 0>(p, weights, half, *first, second, sums, others);
  finish(0);
  if (row + 1 >= rows) return;
  SumRow<kHow, kKind, C, K, 1>(p, weights, half, *first, second, sums, others);
  finish(1);
  if (row + 2 >= rows) return;
  SumRow<kHow, kKind, C, K, 2>(p, weights, half, *first, second, sums, others);
  finish(2);
  if (row + 3 >= rows) return;
  SumRow<kHow, kKind, C, K, 3>(p, weights, half, *first, second, sums, others);
  finish(3);
}

template <ByteFinish kHow, WalkKind kKind, int C, int K>
__global__ void __launch_bounds__(kWalkThreads, BlocksOf(kHow, kKind, K))
    GridKernel(const __grid_constant__ ByteWalkParameters p) {
  using S = Shape<kKind, C, K>;
  const SourceParameters& source = p.source;
  const TargetParameters& target = p.target;
  __shared__ __align__(16) uint8_t rows[kWalkGroups][kWalkGroup * S::kRowSamples];
  __shared__ __align__(16) int row_table[kWalkStripMost + K - 1 + 2 * kWalkGroup];
  __shared__ int column_table[S::kRowPixels];

  const int block_sample = p.first_sample + static_cast<int>(blockIdx.x) * kWalkThreads * kSamples;
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
  const auto fill = [&](int group) { filler.Start(group * kWalkGroup, total, top - K / 2, rows[group % kWalkGroups]); };
  fill(0);

  const int sample = block_sample + static_cast<int>(threadIdx.x) * kSamples;  // from the buffer's first
  const int bytes = target.type == SampleType::kU8 ? 1 : (target.type == SampleType::kU16 ? 2 : 4);
  WalkStore store(p.finish, target, kKind == WalkKind::kMagnitude);
  store.row = static_cast<char*>(target.data) + int64_t{top - target.top} * target.pitch +
              (sample + int64_t{source.left - target.left} * C) * bytes;
  store.before = begin - sample;
  store.wanted = end - sample;
  store.vector = target.vector && store.before <= 0 && store.wanted >= kSamples;
  uint32_t weights[S::kWeightWords];
  if constexpr (kKind == WalkKind::kDense) {
#pragma unroll
    for (int i = 0; i < S::kWeightWords; ++i) weights[i] = static_cast<uint32_t>(Pinned(static_cast<int>(p.words[i])));
  }
  const int half = kHow == ByteFinish::kShift ? Pinned((1 << p.shift) >> 1) : 0;

  Turned<S> first;
  Turned<S> second;
#pragma unroll 1
  for (int row = -kBlockRows; row < outputs; row += kBlockRows) {
    const int group = (row + kBlockRows) / kWalkGroup;
    const bool begins = (row + kBlockRows) % kWalkGroup == 0;
    if (begins) {
      __pipeline_wait_prior(0);
      __syncthreads();  // this group has arrived; the one before it is summed, its place free
      fill(group + 1);
    }
    if (store.wanted <= 0) continue;
    first = second;
    second.Load(rows[group % kWalkGroups] + (begins ? 0 : kBlockRows * S::kRowSamples) + S::kSide +
                static_cast<int>(threadIdx.x) * kSamples);
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

template <int C, ByteFinish kDense, ByteFinish kMagnitude>
void LaunchOf(const ByteWalkJob& job, ByteWalkParameters* p) {
  if (job.weights->kind == WalkKind::kMagnitude) {
    PutColumns(*job.weights, p->words);
    LaunchBytes<kSamples>(GridKernel<kMagnitude, WalkKind::kMagnitude, C, 3>, job, 2, kShortStrip, p);
  } else if (job.weights->side == 3) {
    PutLines<3>(*job.weights, p->words);
    LaunchBytes<kSamples>(GridKernel<kDense, WalkKind::kDense, C, 3>, job, 2, kWalkStripMost, p);
  } else {
    PutLines<5>(*job.weights, p->words);
    LaunchBytes<kSamples>(GridKernel<kDense, WalkKind::kDense, C, 5>, job, 4, kShortStrip, p);
  }
}

template <int C>
void LaunchChannels(const ByteWalkJob& job, bool any, ByteWalkParameters* p) {
  if (any) return LaunchOf<C, ByteFinish::kAny, ByteFinish::kAny>(job, p);
  const std::vector<int16_t>& w = job.weights->weights;
  if (job.weights->kind == WalkKind::kMagnitude && w[1] == 0 && w[4] == 0 && w[7] == 0) {
    PutColumns(*job.weights, p->words);
    return LaunchBytes<kSamples>(GridKernel<ByteFinish::kGap, WalkKind::kMagnitude, C, 3>, job, 2, kShortStrip, p);
  }
  LaunchOf<C, ByteFinish::kShift, ByteFinish::kRoot>(job, p);
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
