// Sums of dense kernels and magnitudes over bytes. Four rows at a time are turned: a word then holds four samples below
// each other, so that one instruction multiplies two of them by weights of 16 bits (or all four by weights of 8) and
// adds both to a sum. A result in row j of four reaches from the words of its own four rows into those of the next:
//
//   j = 0:  [w0 w1] [w2 w3] | [w4  0] [     ]        j = 2:  [     ] [w0 w1] | [w2 w3] [w4  0]
//   j = 1:  [ 0 w0] [w1 w2] | [w3 w4] [     ]        j = 3:  [     ] [ 0 w0] | [w1 w2] [w3 w4]
//
// with one such line for each column of the kernel. Sums are whole numbers, so that nothing depends on their order.
#pragma once

#include "cuda/byte_walk.cuh"

namespace convolve::cuda {

inline constexpr int kGridSamples = 16;  // of a thread, from row to row the same
inline constexpr int kGridRows = 4;      // that are turned at a time

/// Of 1.5 x 2^23: with a whole number below 2^22 added they are a float's that is that number more, so that a
/// conversion is an addition. Sums of magnitudes to bytes begin with them.
inline constexpr int kFloatBits = 0x4b400000;

template <WalkKind kKind, int C, int K>
struct GridShape {
  static constexpr int kReach = K / 2 * C;
  static constexpr int kSide = RoundedUp(kReach, kWalkSector);
  static constexpr int kRowSamples = kWalkThreads * kGridSamples + 2 * kSide;
  static constexpr int kRowPixels = kRowSamples / C + 2;
  static constexpr int kHaloWords = (kReach + 3) / 4;
  static constexpr int kWords = kGridSamples / 4 + 2 * kHaloWords;
  static constexpr int kPairs = (K + 1) / 2;  // of weights in a line
  static constexpr int kWeightWords = kKind == WalkKind::kMagnitude ? 4 * K : 2 * K * kPairs;
};

/// The thread's samples of a row, the first of them at `row`, and those beside them.
template <typename S>
__device__ __forceinline__ void ReadWords(const uint8_t* row, uint32_t (&to)[S::kWords]) {
#pragma unroll
  for (int w = 0; w < S::kHaloWords; ++w) {
    to[w] = *reinterpret_cast<const uint32_t*>(row - 4 * (S::kHaloWords - w));
    to[S::kHaloWords + 4 + w] = *reinterpret_cast<const uint32_t*>(row + kGridSamples + 4 * w);
  }
  const uint4 own = *reinterpret_cast<const uint4*>(row);
  to[S::kHaloWords] = own.x;
  to[S::kHaloWords + 1] = own.y;
  to[S::kHaloWords + 2] = own.z;
  to[S::kHaloWords + 3] = own.w;
}

/// The thread's samples of four rows and those beside them, turned.
template <typename S>
struct Turned {
  uint32_t v[4 * S::kWords];

  __device__ __forceinline__ void From(const uint32_t (&rows)[kGridRows][S::kWords]) {
#pragma unroll
    for (int w = 0; w < S::kWords; ++w) {
      uint32_t turned[4];
      Turn(rows[0][w], rows[1][w], rows[2][w], rows[3][w], turned);
#pragma unroll
      for (int i = 0; i < 4; ++i) v[4 * w + i] = turned[i];
    }
  }
  /// Rows that follow each other in shared memory, `from` the thread's first sample of the first.
  __device__ __forceinline__ void Load(const uint8_t* from) {
    uint32_t rows[kGridRows][S::kWords];
#pragma unroll
    for (int r = 0; r < kGridRows; ++r) ReadWords<S>(from + r * S::kRowSamples, rows[r]);
    From(rows);
  }
};

/// Finishes and stores a row of results. Not by where they lie, so that any tiling gives the same bytes.
template <ByteFinish kHow, WalkKind kKind, int C>
__device__ __forceinline__ void StoreSums(const ByteWalkParameters& p, const WalkStore& store, int sample, int y,
                                          const int (&sums)[kGridSamples], const int (&others)[kGridSamples]) {
  if constexpr (kHow == ByteFinish::kAny) {
    float value[kGridSamples];
    float other[kGridSamples];
#pragma unroll
    for (int s = 0; s < kGridSamples; ++s) {
      value[s] = __fmul_rn(__int2float_rn(sums[s]), p.scale);
      if constexpr (kKind == WalkKind::kMagnitude) other[s] = __int2float_rn(others[s]);
    }
    StoreValues<kKind == WalkKind::kMagnitude, uint8_t, C, kGridSamples / 4, false>(p.source, p.finish, store, sample,
                                                                                    y, value, other);
  } else {
    uint32_t packed[kGridSamples / 4];
#pragma unroll
    for (int q = 0; q < kGridSamples / 4; ++q) {
      if constexpr (kHow == ByteFinish::kShift) {
        packed[q] = PackWhole(sums[4 * q] >> p.shift, sums[4 * q + 1] >> p.shift, sums[4 * q + 2] >> p.shift,
                              sums[4 * q + 3] >> p.shift);
      } else {
        float value[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          const float a = __fadd_rn(__int_as_float(sums[4 * q + i]), -12582912.0f);
          const float b = __fadd_rn(__int_as_float(others[4 * q + i]), -12582912.0f);
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
                                       const Turned<GridShape<kKind, C, K>>& first,
                                       const Turned<GridShape<kKind, C, K>>& second, int (&sums)[kGridSamples],
                                       int (&others)[kGridSamples]) {
  using S = GridShape<kKind, C, K>;
  if constexpr (kKind == WalkKind::kMagnitude) {
    // Rows 2 and 3 find their samples in the words between.
#pragma unroll
    for (int s = 0; s < kGridSamples; ++s) {
      sums[s] = kHow == ByteFinish::kAny ? 0 : kFloatBits;
      others[s] = sums[s];
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
    for (int s = 0; s < kGridSamples; ++s) {
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
                                        int rows, int top, int sample, Turned<GridShape<kKind, C, K>>* first,
                                        const Turned<GridShape<kKind, C, K>>& second, WalkStore* store) {
  using S = GridShape<kKind, C, K>;
  int sums[kGridSamples];
  int others[kGridSamples];
  const auto finish = [&](int j) {
    StoreSums<kHow, kKind, C>(p, *store, sample, top + row + j, sums, others);
    store->row += store->pitch;
  };
  if constexpr (kHow == ByteFinish::kAny) {
    // Storing is long: each row in turn becomes the first.
    Turned<S> rest = second;
#pragma unroll 1
    for (int j = 0; j < kGridRows && row + j < rows; ++j) {
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

/// byte_walk_rows.cu: four channels to bytes. `p` has weights and finish.
void LaunchByteRows(const ByteWalkJob& job, ByteFinish how, ByteWalkParameters* p);

}  // namespace convolve::cuda
