// Byte sums with AVX-512's vector neural network instructions: one vector holds, for each of 16 samples, the bytes
// under four neighbouring weights (or, with a zero after each, under two), and one instruction adds their products to
// 16 sums. A byte permutation makes that vector from 32 bytes as they lie in the row, whatever the number of channels.
#include "cpu/byte_sums.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)

#include "cpu/vnni_begin-inl.h"
#include "cpu/vnni_bytes-inl.h"

namespace convolve::cpu {
namespace {

/// What is summed from sample x on: rows of samples, and the words of their weights.
template <int K>
struct Taps {
  const uint8_t* const* rows;
  size_t x;
  const uint32_t* words[K];
  size_t row_count;  // of weights
  size_t groups;     // words of a row
};

/// Sums for R rows of results and V vectors of 16 samples with K kernels (1, or the 2 of a magnitude). Words for each
/// row: kGroups, or whatever the kernel says where that is 0.
template <int R, int V, int K, bool kQuads, size_t kGroups>
struct Bytes {
  using Sums = __m512i[K][R][V];

  /// Row `row` of the samples, for the results Q0 to Q1.
  template <int Q0, int Q1>
  CONVOLVE_VNNI_INLINE static void AddRow(const Constants& constants, const Taps<K>& taps, size_t row, Sums& sums) {
    const size_t groups = kGroups != 0 ? kGroups : taps.groups;
    const uint8_t* input = taps.rows[row] + taps.x;
    for (size_t g = 0; g < groups; ++g, input += constants.word) {
      __m512i bytes[V];
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) bytes[v] = Gather<kQuads>(constants, input + v * 16);
#pragma GCC unroll 8
      for (int k = 0; k < K; ++k) {
#pragma GCC unroll 8
        for (int q = Q0; q <= Q1; ++q) {
          const uint32_t word = *(taps.words[k] + (row - static_cast<size_t>(q)) * groups + g);
          const __m512i weights = _mm512_set1_epi32(static_cast<int>(word));
#pragma GCC unroll 8
          for (int v = 0; v < V; ++v) {
            sums[k][q][v] = Product<kQuads>(sums[k][q][v], bytes[v], weights);
          }
        }
      }
    }
  }

  template <int E>
  CONVOLVE_VNNI_INLINE static void AddFirstRows(const Constants& constants, const Taps<K>& taps, Sums& sums) {
    if constexpr (E < R - 1) {
      AddRow<0, E>(constants, taps, E, sums);
      AddFirstRows<E + 1>(constants, taps, sums);
    }
  }

  template <int E>
  CONVOLVE_VNNI_INLINE static void AddLastRows(const Constants& constants, const Taps<K>& taps, Sums& sums) {
    if constexpr (E < R - 1) {
      AddRow<E + 1, R - 1>(constants, taps, taps.row_count + E, sums);
      AddLastRows<E + 1>(constants, taps, sums);
    }
  }

  /// There are at least R - 1 rows of weights.
  CONVOLVE_VNNI_INLINE static void Sum(const Constants& constants, const Taps<K>& taps, Sums& sums) {
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) {
#pragma GCC unroll 8
      for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) sums[k][q][v] = _mm512_setzero_si512();
      }
    }
    AddFirstRows<0>(constants, taps, sums);
    for (size_t r = R - 1; r < taps.row_count; ++r) AddRow<0, R - 1>(constants, taps, r, sums);
    AddLastRows<0>(constants, taps, sums);
  }
};

/// The length of the two.
CONVOLVE_VNNI_INLINE __m512i RoundedLength(const Constants& constants, __m512i sum, __m512i other) {
  const __m512 x = _mm512_mul_ps(_mm512_cvtepi32_ps(sum), constants.scale);
  const __m512 y = _mm512_mul_ps(_mm512_cvtepi32_ps(other), constants.other_scale);
  // The square root by its reciprocal and one step of Newton's: within 2^-22, several times as quick.
  const __m512 square = _mm512_max_ps(_mm512_fmadd_ps(x, x, _mm512_mul_ps(y, y)), _mm512_set1_ps(1e-12f));
  const __m512 inverse = _mm512_rsqrt14_ps(square);
  const __m512 root = _mm512_mul_ps(square, inverse);
  const __m512 rest = _mm512_fnmadd_ps(root, root, square);
  const __m512 value = _mm512_fmadd_ps(_mm512_mul_ps(rest, inverse), _mm512_set1_ps(0.5f), root);
  return _mm512_cvttps_epi32(_mm512_add_ps(value, constants.half));
}

template <Ending kEnding, int R, int V, int K, bool kQuads, size_t kGroups = 0>
CONVOLVE_VNNI __attribute__((noinline)) void Rows(const ByteJob& job) {
  using Block = Bytes<R, V, K, kQuads, kGroups>;
  const Constants constants = ConstantsOf(job);
  const ByteKernel& kernel = job.weights->kernels.front();
  Taps<K> taps{job.rows, 0, {}, static_cast<size_t>(kernel.rows), static_cast<size_t>(kernel.groups)};
  for (int k = 0; k < K; ++k) taps.words[k] = job.weights->kernels[static_cast<size_t>(k)].words.data();
  for (size_t x = 0; x < job.samples; x += V * 16) {
    if (!job.padded && x + V * 16 > job.samples) x = job.samples - V * 16;  // some samples twice: the same again
    taps.x = x;
    typename Block::Sums sums;
    Block::Sum(constants, taps, sums);
#pragma GCC unroll 8
    for (int q = 0; q < R; ++q) {
      __m512i results[V];
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        if constexpr (K == 2) {
          results[v] = RoundedLength(constants, sums[0][q][v], sums[1][q][v]);
        } else {
          results[v] = Rounded<kEnding>(constants, sums[0][q][v]);
        }
      }
      Store<kEnding>(job, constants, static_cast<size_t>(q), x, results);
    }
  }
}

/// Four rows of results of 3 x 3 weights, written out: 64 samples at once. Of 16-bit weights the last column's taps are
/// paired down the rows, which begin with even ones as those of Columns do (vnni_pair_kernels.cpp): five words for each
/// result, not six.
template <Ending kEnding, bool kQuads>
struct ThreeByThree {
  static constexpr size_t kVectors = 4;
  using Sums = __m512i[4][kVectors];

  struct Weights {
    __m512i rows[3];  // of each row, or its first two
    __m512i even[2];  // of the last column, for even results and
    __m512i odd[2];
  };

  CONVOLVE_VNNI static Weights WeightsOf(const ByteKernel& kernel) {
    const uint32_t* const words = kernel.words.data();
    if constexpr (kQuads) return {{All(words[0]), All(words[1]), All(words[2])}, {}, {}};
    return {{All(words[0]), All(words[2]), All(words[4])},
            {All(words[1] | words[3] << 16), All(words[5])},
            {All(words[1] << 16), All(words[3] | words[5] << 16)}};
  }

  /// Row kRow of the samples, then those that follow.
  template <size_t kRow>
  CONVOLVE_VNNI_INLINE static void AddRows(const Constants& constants, const uint8_t* const* rows, size_t x,
                                           const Weights& weights, Sums& sums) {
    if constexpr (kRow < 6) {
      constexpr size_t kFirst = kRow < 2 ? 0 : kRow - 2;
      constexpr size_t kLast = kRow < 3 ? kRow : 3;
      __m512i bytes[kVectors];
#pragma GCC unroll 4
      for (size_t v = 0; v < kVectors; ++v) bytes[v] = Gather<kQuads>(constants, rows[kRow] + x + v * 16);
#pragma GCC unroll 4
      for (size_t q = kFirst; q <= kLast; ++q) {
#pragma GCC unroll 4
        for (size_t v = 0; v < kVectors; ++v) {
          sums[q][v] = Product<kQuads>(sums[q][v], bytes[v], weights.rows[kRow - q]);
        }
      }
      AddRows<kRow + 1>(constants, rows, x, weights, sums);
    }
  }

  /// The last column of the rows 2 * kPair and 2 * kPair + 1 of the samples, then that of those that follow.
  template <size_t kPair>
  CONVOLVE_VNNI_INLINE static void AddColumn(__m512i gather_two, const uint8_t* const* rows, size_t x,
                                             const Weights& weights, Sums& sums) {
    if constexpr (kPair < 3) {
      __m512i both[kVectors];
#pragma GCC unroll 4
      for (size_t v = 0; v < kVectors; ++v) {
        both[v] = Two(gather_two, rows[2 * kPair] + x + v * 16, rows[2 * kPair + 1] + x + v * 16);
      }
#pragma GCC unroll 2
      for (size_t word = 0; word < 2; ++word) {
        const size_t q = 2 * (kPair - word);
        if (kPair < word || q > 2) continue;
#pragma GCC unroll 4
        for (size_t v = 0; v < kVectors; ++v) {
          sums[q][v] = _mm512_dpwssd_epi32(sums[q][v], both[v], weights.even[word]);
          sums[q + 1][v] = _mm512_dpwssd_epi32(sums[q + 1][v], both[v], weights.odd[word]);
        }
      }
      AddColumn<kPair + 1>(gather_two, rows, x, weights, sums);
    }
  }

  CONVOLVE_VNNI __attribute__((noinline)) static void Run(const ByteJob& job) {
    const Constants constants = ConstantsOf(job);
    const Weights weights = WeightsOf(job.weights->kernels.front());
    const __m512i gather_two = GatherTwo();
    const size_t aligned = AlignedFrom(job, 4);
    for (size_t x = 0; x < job.samples;) {
      if (!job.padded && x + 64 > job.samples) x = job.samples - 64;  // some samples twice: the same again
      const bool stream = x >= aligned && (x - aligned) % 64 == 0;
      Sums sums;
#pragma GCC unroll 4
      for (size_t q = 0; q < 4; ++q) {
#pragma GCC unroll 4
        for (size_t v = 0; v < kVectors; ++v) sums[q][v] = _mm512_setzero_si512();
      }
      AddRows<0>(constants, job.rows, x, weights, sums);
      if constexpr (!kQuads) AddColumn<0>(gather_two, job.rows, x + 2 * job.step, weights, sums);
#pragma GCC unroll 4
      for (size_t q = 0; q < 4; ++q) {
#pragma GCC unroll 4
        for (size_t v = 0; v < kVectors; ++v) sums[q][v] = Rounded<kEnding>(constants, sums[q][v]);
        Store<kEnding>(job, constants, q, x, sums[q], stream);
      }
      x = x == 0 && aligned != 0 && aligned < 64 ? aligned : x + 64;
    }
  }
};

/// Of 16-bit weights: whether each row's second word has one.
bool IsThreeByThree(const ByteKernel& kernel) {
  if (kernel.rows != 3 || kernel.groups != 2) return false;
  return ((kernel.words[1] | kernel.words[3] | kernel.words[5]) >> 16) == 0;
}

template <Ending kEnding>
void LinearRows(const ByteJob& job, int outputs) {
  const ByteKernel& kernel = job.weights->kernels.front();
  if (kernel.bits == 8) {
    if (outputs == 1) return Rows<kEnding, 1, 4, 1, true>(job);
    return kernel.groups == 1 && kernel.rows == 3 ? ThreeByThree<kEnding, true>::Run(job)
                                                  : Rows<kEnding, 4, 4, 1, true>(job);
  }
  if (outputs == 1) return Rows<kEnding, 1, 4, 1, false>(job);
  return IsThreeByThree(kernel) ? ThreeByThree<kEnding, false>::Run(job) : Rows<kEnding, 4, 4, 1, false>(job);
}

void ByteRowsOf(const ByteJob& job, int outputs) {
  if (outputs == 8) return EightByteRows(job);
  const ByteWeights& weights = *job.weights;
  if (weights.kernels.size() == 2) {
    if (outputs == 1) return Rows<Ending::kCut, 1, 2, 2, true>(job);
    return weights.kernels.front().groups == 1 ? Rows<Ending::kCut, 4, 2, 2, true, 1>(job)
                                               : Rows<Ending::kCut, 4, 2, 2, true>(job);
  }
  if (weights.inside) return LinearRows<Ending::kInside>(job, outputs);
  return weights.absolute ? LinearRows<Ending::kAbsolute>(job, outputs) : LinearRows<Ending::kCut>(job, outputs);
}

}  // namespace
}  // namespace convolve::cpu

#if !defined(__clang__)
#pragma GCC pop_options
#endif

namespace convolve::cpu {

ByteRows VnniByteRows() { return HasVnni() ? &ByteRowsOf : nullptr; }

}  // namespace convolve::cpu

#else

namespace convolve::cpu {

ByteRows VnniByteRows() { return nullptr; }

}  // namespace convolve::cpu

#endif
