// Byte sums with AVX-512's vector neural network instructions: one vector holds, for each of 16 samples, the bytes
// under four neighbouring weights (or, with a zero after each, under two), and one instruction adds their products to
// 16 sums. A byte permutation makes that vector from 32 bytes as they lie in the row, whatever the number of channels.
#include "cpu/byte_sums.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)

#include <utility>

#include "cpu/vnni_begin-inl.h"
#include "cpu/vnni_round-inl.h"

namespace convolve::cpu {
namespace {

/// What is the same for all vectors of a job.
struct Constants {
  __m512i gather;  // bytes of the taps of one word, for 16 samples
  __mmask64 taps;  // which bytes of a vector are samples
  size_t word;     // samples from one word's first tap to the next one's
  __m512 scale;
  __m512 other_scale;
  __m512 offset;
  __m512 half;
  __m512i in_order;  // PackOrder
  __mmask64 alpha;   // alpha bytes of a block
  bool absolute;
};

CONVOLVE_VNNI Constants ConstantsOf(const ByteJob& job) {
  const ByteKernel& kernel = job.weights->kernels.front();
  const size_t taps = static_cast<size_t>(32 / kernel.bits);
  alignas(64) uint8_t gather[64] = {};
  uint64_t used = 0;
  for (size_t lane = 0; lane < 16; ++lane) {
    for (size_t tap = 0; tap < taps; ++tap) {
      const size_t byte = lane * 4 + tap * (4 / taps);
      gather[byte] = static_cast<uint8_t>(lane + tap * job.step);
      used |= uint64_t{1} << byte;
    }
  }
  uint64_t alpha = 0;
  for (size_t i = 0; i < 64 && job.alpha_channels != 0; ++i) {
    if (i % job.alpha_channels == job.alpha_channels - 1) alpha |= uint64_t{1} << i;
  }
  Constants constants;
  constants.gather = _mm512_load_si512(gather);
  constants.taps = used;
  constants.word = taps * job.step;
  constants.scale = _mm512_set1_ps(kernel.scale);
  constants.other_scale = _mm512_set1_ps(job.weights->kernels.back().scale);
  constants.offset =
      _mm512_set1_ps(job.weights->absolute ? job.weights->offset : job.weights->offset + job.weights->half);
  constants.half = _mm512_set1_ps(job.weights->half);
  constants.in_order = PackOrder();
  constants.alpha = alpha;
  constants.absolute = job.weights->absolute;
  return constants;
}

/// What is summed from sample x on: rows of samples, each `apart` after the one before, and the words of their weights.
template <int K>
struct Taps {
  const uint8_t* const* rows;
  size_t apart;
  size_t x;
  const uint32_t* words[K];
  size_t row_count;  // of weights
  size_t groups;     // words of a row
};

/// Sums for R rows of results and V vectors of 16 samples with K kernels (1, or the 2 of a magnitude). Words for each
/// row: kGroups, or whatever the kernel says where that is 0. kLess: from each row's samples those of the next are
/// subtracted.
template <int R, int V, int K, bool kQuads, size_t kGroups, bool kLess = false>
struct Bytes {
  using Sums = __m512i[K][R][V];

  CONVOLVE_VNNI_INLINE static __m512i Gather(const Constants& constants, const uint8_t* input) {
    const __m512i wide = _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(input)));
    return kQuads ? _mm512_permutexvar_epi8(constants.gather, wide)
                  : _mm512_maskz_permutexvar_epi8(constants.taps, constants.gather, wide);
  }

  /// Row `row` of the samples, for the results Q0 to Q1.
  template <int Q0, int Q1>
  CONVOLVE_VNNI_INLINE static void AddRow(const Constants& constants, const Taps<K>& taps, size_t row, Sums& sums) {
    const size_t groups = kGroups != 0 ? kGroups : taps.groups;
    const uint8_t* input = taps.rows[row * taps.apart] + taps.x;
    [[maybe_unused]] const uint8_t* less = kLess ? taps.rows[row * taps.apart + 1] + taps.x : nullptr;
    for (size_t g = 0; g < groups; ++g, input += constants.word) {
      __m512i bytes[V];
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        bytes[v] = Gather(constants, input + v * 16);
        if constexpr (kLess) bytes[v] = _mm512_sub_epi16(bytes[v], Gather(constants, less + v * 16));
      }
      if constexpr (kLess) less += constants.word;
#pragma GCC unroll 8
      for (int k = 0; k < K; ++k) {
#pragma GCC unroll 8
        for (int q = Q0; q <= Q1; ++q) {
          const uint32_t word = *(taps.words[k] + (row - static_cast<size_t>(q)) * groups + g);
          const __m512i weights = _mm512_set1_epi32(static_cast<int>(word));
#pragma GCC unroll 8
          for (int v = 0; v < V; ++v) {
            sums[k][q][v] = kQuads ? _mm512_dpbusd_epi32(sums[k][q][v], bytes[v], weights)
                                   : _mm512_dpwssd_epi32(sums[k][q][v], bytes[v], weights);
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

/// Rounded and ready to be packed.
CONVOLVE_VNNI_INLINE __m512i Rounded(const Constants& constants, __m512i sum) {
  __m512 value = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), constants.scale, constants.offset);
  if (constants.absolute) value = _mm512_add_ps(_mm512_abs_ps(value), constants.half);
  return _mm512_cvttps_epi32(value);
}

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

/// Rounded results of row `q` become bytes.
CONVOLVE_VNNI_INLINE void Store(const ByteJob& job, const Constants& constants, size_t q, size_t x,
                                const __m512i (&results)[4]) {
  __m512i bytes = Packed(results, constants.in_order);
  if (constants.alpha != 0) {
    const __m512i alpha = job.alpha_of_input ? _mm512_loadu_si512(job.rows[job.input_row + q] + job.input_offset + x)
                                             : _mm512_set1_epi8(-1);
    bytes = _mm512_mask_mov_epi8(bytes, constants.alpha, alpha);
  }
  _mm512_storeu_si512(job.output[q] + x, bytes);
}

CONVOLVE_VNNI_INLINE void Store(const ByteJob& job, const Constants& constants, size_t q, size_t x,
                                const __m512i (&results)[2]) {
  // Each 128-bit piece holds four bytes of the first vector, four of the second, twice.
  const __m512i packed = _mm512_packs_epi32(results[0], results[1]);
  const __m512i ordered =
      _mm512_permutexvar_epi32(constants.in_order, _mm512_packus_epi16(packed, _mm512_setzero_si512()));
  __m256i bytes = _mm512_castsi512_si256(ordered);
  if (constants.alpha != 0) {
    const auto* const input = reinterpret_cast<const __m256i*>(job.rows[job.input_row + q] + job.input_offset + x);
    const __m256i alpha = job.alpha_of_input ? _mm256_loadu_si256(input) : _mm256_set1_epi8(-1);
    bytes = _mm256_mask_mov_epi8(bytes, static_cast<__mmask32>(constants.alpha), alpha);
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(job.output[q] + x), bytes);
}

CONVOLVE_VNNI_INLINE void Store(const ByteJob& job, const Constants& constants, size_t q, size_t x, __m512i result) {
  __m128i bytes = _mm512_cvtusepi32_epi8(_mm512_max_epi32(result, _mm512_setzero_si512()));
  if (constants.alpha != 0) {
    const auto* const input = reinterpret_cast<const __m128i*>(job.rows[job.input_row + q] + job.input_offset + x);
    const __m128i alpha = job.alpha_of_input ? _mm_loadu_si128(input) : _mm_set1_epi8(-1);
    bytes = _mm_mask_mov_epi8(bytes, static_cast<__mmask16>(constants.alpha), alpha);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(job.output[q] + x), bytes);
}

template <int R, int V, int K, bool kQuads, size_t kGroups = 0>
CONVOLVE_VNNI __attribute__((noinline)) void Rows(const ByteJob& job) {
  using Block = Bytes<R, V, K, kQuads, kGroups>;
  const Constants constants = ConstantsOf(job);
  const ByteKernel& kernel = job.weights->kernels.front();
  Taps<K> taps{job.rows, 1, 0, {}, static_cast<size_t>(kernel.rows), static_cast<size_t>(kernel.groups)};
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
          results[v] = Rounded(constants, sums[0][q][v]);
        }
      }
      Store(job, constants, static_cast<size_t>(q), x, results);
    }
  }
}

/// Eight rows of results y by three quarters of the multiplications, after Mou and Duhamel, Short-Length FIR Filters
/// and Their Use in Fast Nonrecursive Filtering, 1991. With the kernel's even rows E and odd rows O, and rows x of
/// samples:
///   y[2t + 1] = E x[2t + 1, 2t + 3, ...] + O x[2t + 2, 2t + 4, ...]                  = A[t] + B[t + 1]
///   y[2t] = (E - O) (x[2t, 2t + 2, ...] - x[2t + 1, 2t + 3, ...]) + A[t] + B[t]
/// In whole numbers that is the very same sum. kRows: the kernel's. kCarried: B[0] is B[4] of the eight rows before.
template <size_t kRows, bool kCarried>
struct Halved {
  static constexpr size_t kEven = (kRows + 1) / 2;
  static constexpr size_t kOdd = kRows / 2;

  struct Sums {
    __m512i a[4];
    __m512i b[5];
    __m512i d[4];  // (E - O) (x - x)
  };

  /// Adds `bytes` times the word of kernel row kRow - t for each result t that there is such a row for.
  template <size_t kRow, size_t kFirst, size_t kCount, size_t kKernelRows>
  CONVOLVE_VNNI_INLINE static void Add(__m512i bytes, const uint32_t* words, __m512i (&sums)[kCount]) {
#pragma GCC unroll 8
    for (size_t t = kFirst; t < kCount; ++t) {
      if (t > kRow || kRow - t >= kKernelRows) continue;
      sums[t] = _mm512_dpwssd_epi32(sums[t], bytes, _mm512_set1_epi32(static_cast<int>(words[kRow - t])));
    }
  }

  /// The two rows of samples 2 * kRow and 2 * kRow + 1, then those that follow, with the words of one group.
  template <size_t kRow>
  CONVOLVE_VNNI_INLINE static void AddRows(const Constants& constants, const uint8_t* const* rows, size_t at,
                                           const uint32_t* words, Sums& sums) {
    if constexpr (kRow < 4 + kOdd) {
      const __m512i x0 = Gathered(constants, rows[2 * kRow] + at);
      Add<kRow, kCarried ? 1 : 0, 5, kOdd>(x0, words + kEven, sums.b);
      if constexpr (kRow < 3 + kEven) {
        const __m512i x1 = Gathered(constants, rows[2 * kRow + 1] + at);
        Add<kRow, 0, 4, kEven>(x1, words, sums.a);
        Add<kRow, 0, 4, kEven>(_mm512_sub_epi16(x0, x1), words + kEven + kOdd, sums.d);
      }
      AddRows<kRow + 1>(constants, rows, at, words, sums);
    }
  }

  CONVOLVE_VNNI_INLINE static __m512i Gathered(const Constants& constants, const uint8_t* input) {
    return Bytes<1, 1, 1, false, 0>::Gather(constants, input);
  }

  /// 16 samples of the eight rows.
  CONVOLVE_VNNI_INLINE static void Run(const ByteJob& job, const Constants& constants, const ByteKernel& kernel,
                                       size_t x) {
    Sums sums;
#pragma GCC unroll 8
    for (size_t t = 0; t < 4; ++t) sums.a[t] = sums.d[t] = sums.b[t + 1] = _mm512_setzero_si512();
    sums.b[0] = kCarried ? _mm512_loadu_si512(job.carried + x) : _mm512_setzero_si512();
    const uint32_t* words = kernel.halved.data();
    size_t at = x;
    for (int g = 0; g < kernel.groups; ++g, at += constants.word, words += 2 * kEven + kOdd) {
      AddRows<0>(constants, job.rows, at, words, sums);
    }
    _mm512_storeu_si512(job.carry + x, sums.b[4]);
#pragma GCC unroll 8
    for (size_t t = 0; t < 4; ++t) {
      const __m512i both = _mm512_add_epi32(sums.a[t], sums.b[t]);
      Store(job, constants, 2 * t, x, Rounded(constants, _mm512_add_epi32(both, sums.d[t])));
      Store(job, constants, 2 * t + 1, x, Rounded(constants, _mm512_add_epi32(sums.a[t], sums.b[t + 1])));
    }
  }
};

template <size_t kRows, bool kCarried>
CONVOLVE_VNNI __attribute__((noinline)) void EightRows(const ByteJob& job) {
  const Constants constants = ConstantsOf(job);
  const ByteKernel& kernel = job.weights->kernels.front();
  for (size_t x = 0; x < job.samples; x += 16) {
    if (!job.padded && x + 16 > job.samples) x = job.samples - 16;  // some samples twice: the same again
    Halved<kRows, kCarried>::Run(job, constants, kernel, x);
  }
}

template <bool kCarried, size_t... kIndex>
void EightRowsOf(const ByteJob& job, std::index_sequence<kIndex...> /*sizes*/) {
  const size_t rows = static_cast<size_t>(job.weights->kernels.front().rows);
  ((rows == kLeastHalvedRows + kIndex ? EightRows<kLeastHalvedRows + kIndex, kCarried>(job) : void()), ...);
}

void ByteRowsOf(const ByteJob& job, int outputs) {
  const int groups = job.weights->kernels.front().groups;
  if (outputs == 8) {
    constexpr auto kSizes = std::make_index_sequence<kMostHalvedRows - kLeastHalvedRows + 1>();
    return job.carried == nullptr ? EightRowsOf<false>(job, kSizes) : EightRowsOf<true>(job, kSizes);
  }
  if (job.weights->kernels.size() == 2) {
    if (outputs == 1) return Rows<1, 2, 2, true>(job);
    return groups == 1 ? Rows<4, 2, 2, true, 1>(job) : Rows<4, 2, 2, true>(job);
  }
  if (job.weights->kernels.front().bits == 8) {
    if (outputs == 1) return Rows<1, 4, 1, true>(job);
    return groups == 1 ? Rows<4, 4, 1, true, 1>(job) : Rows<4, 4, 1, true>(job);
  }
  if (outputs == 1) return Rows<1, 4, 1, false>(job);
  return groups == 2 ? Rows<4, 4, 1, false, 2>(job) : Rows<4, 4, 1, false>(job);
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
