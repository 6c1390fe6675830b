// Byte sums with AVX-512's vector neural network instructions: one vector holds, for each of 16 samples, the bytes
// under four neighbouring weights (or, with a zero after each, under two), and one instruction adds their products to
// 16 sums. A byte permutation makes that vector from 32 bytes as they lie in the row, whatever the number of channels.
#include "cpu/byte_sums.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)

#if !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512vbmi,fma,bmi2")
#define CONVOLVE_VNNI
#else
#define CONVOLVE_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512vbmi,fma,bmi2")))
#endif

#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns of its own header's undefined vectors
#endif
#include <immintrin.h>

namespace convolve::cpu {
namespace {

#define CONVOLVE_VNNI_INLINE CONVOLVE_VNNI inline __attribute__((always_inline))

/// What is the same for all vectors of a job.
struct Constants {
  __m512i gather;  // bytes of the taps of one word, for 16 samples
  __mmask64 taps;  // which bytes of a vector are samples
  size_t word;     // samples from one word's first tap to the next one's
  __m512 scale;
  __m512 other_scale;
  __m512 offset;
  __m512 half;
  __m512i in_order;  // 32-bit pieces of four packed vectors
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
  alignas(64) uint32_t order[16];
  for (uint32_t m = 0; m < 16; ++m) order[m] = m % 4 * 4 + m / 4;
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
  constants.in_order = _mm512_load_si512(order);
  constants.alpha = alpha;
  constants.absolute = job.weights->absolute;
  return constants;
}

/// R output rows of V vectors of 16 samples, from sample x on, for K kernels (1, or the 2 of a magnitude). Words for
/// each row: kGroups, or whatever the kernel says where that is 0.
template <int R, int V, int K, bool kQuads, size_t kGroups>
struct Bytes {
  using Sums = __m512i[K][R][V];

  template <int Q0, int Q1>
  CONVOLVE_VNNI_INLINE static void AddRow(const Constants& constants, const uint8_t* input,
                                          const uint32_t* const (&words)[K], size_t groups, Sums& sums) {
    for (size_t g = 0; g < groups; ++g, input += constants.word) {
      __m512i bytes[V];
#pragma GCC unroll 8
      for (int v = 0; v < V; ++v) {
        const __m256i lying = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(input + v * 16));
        const __m512i wide = _mm512_castsi256_si512(lying);
        bytes[v] = kQuads ? _mm512_permutexvar_epi8(constants.gather, wide)
                          : _mm512_maskz_permutexvar_epi8(constants.taps, constants.gather, wide);
      }
#pragma GCC unroll 8
      for (int k = 0; k < K; ++k) {
#pragma GCC unroll 8
        for (int q = Q0; q <= Q1; ++q) {
          const uint32_t word = *(words[k] + g - static_cast<size_t>(q) * groups);
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

  CONVOLVE_VNNI_INLINE static void WordsAt(const ByteJob& job, size_t row, const uint32_t* (&words)[K]) {
    for (int k = 0; k < K; ++k) {
      const ByteKernel& kernel = job.weights->kernels[static_cast<size_t>(k)];
      words[k] = kernel.words.data() + row * static_cast<size_t>(kernel.groups);
    }
  }

  template <int E>
  CONVOLVE_VNNI_INLINE static void AddFirstRows(const ByteJob& job, const Constants& constants, size_t x, size_t groups,
                                                Sums& sums) {
    if constexpr (E < R - 1) {
      const uint32_t* words[K];
      WordsAt(job, E, words);
      AddRow<0, E>(constants, job.rows[E] + x, words, groups, sums);
      AddFirstRows<E + 1>(job, constants, x, groups, sums);
    }
  }

  template <int E>
  CONVOLVE_VNNI_INLINE static void AddLastRows(const ByteJob& job, const Constants& constants, size_t x, size_t rows,
                                               size_t groups, Sums& sums) {
    if constexpr (E < R - 1) {
      const uint32_t* words[K];
      WordsAt(job, rows + E, words);
      AddRow<E + 1, R - 1>(constants, job.rows[rows + E] + x, words, groups, sums);
      AddLastRows<E + 1>(job, constants, x, rows, groups, sums);
    }
  }

  /// Rounded and ready to be packed.
  CONVOLVE_VNNI_INLINE static __m512i Rounded(const Constants& constants, const Sums& sums, int q, int v) {
    __m512 value;
    if constexpr (K == 2) {
      const __m512 x = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[0][q][v]), constants.scale);
      const __m512 y = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[1][q][v]), constants.other_scale);
      // The square root by its reciprocal and one step of Newton's: within 2^-22, several times as quick.
      const __m512 square = _mm512_max_ps(_mm512_fmadd_ps(x, x, _mm512_mul_ps(y, y)), _mm512_set1_ps(1e-12f));
      const __m512 inverse = _mm512_rsqrt14_ps(square);
      const __m512 root = _mm512_mul_ps(square, inverse);
      const __m512 rest = _mm512_fnmadd_ps(root, root, square);
      value = _mm512_fmadd_ps(_mm512_mul_ps(rest, inverse), _mm512_set1_ps(0.5f), root);
      value = _mm512_add_ps(value, constants.half);
    } else {
      value = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sums[0][q][v]), constants.scale, constants.offset);
      if (constants.absolute) value = _mm512_add_ps(_mm512_abs_ps(value), constants.half);
    }
    return _mm512_cvttps_epi32(value);
  }

  CONVOLVE_VNNI_INLINE static void Run(const ByteJob& job, const Constants& constants, size_t x, uint8_t* const* to) {
    Sums sums;
#pragma GCC unroll 8
    for (int k = 0; k < K; ++k) {
#pragma GCC unroll 8
      for (int q = 0; q < R; ++q) {
#pragma GCC unroll 8
        for (int v = 0; v < V; ++v) sums[k][q][v] = _mm512_setzero_si512();
      }
    }
    const ByteKernel& kernel = job.weights->kernels.front();
    const size_t groups = kGroups != 0 ? kGroups : static_cast<size_t>(kernel.groups);
    const size_t rows = static_cast<size_t>(kernel.rows);
    AddFirstRows<0>(job, constants, x, groups, sums);
    for (size_t r = R - 1; r < rows; ++r) {
      const uint32_t* words[K];
      WordsAt(job, r, words);
      AddRow<0, R - 1>(constants, job.rows[r] + x, words, groups, sums);
    }
    AddLastRows<0>(job, constants, x, rows, groups, sums);
#pragma GCC unroll 8
    for (int q = 0; q < R; ++q) {
      if constexpr (V == 4) {
        const __m512i low = _mm512_packs_epi32(Rounded(constants, sums, q, 0), Rounded(constants, sums, q, 1));
        const __m512i high = _mm512_packs_epi32(Rounded(constants, sums, q, 2), Rounded(constants, sums, q, 3));
        __m512i bytes = _mm512_permutexvar_epi32(constants.in_order, _mm512_packus_epi16(low, high));
        if (constants.alpha != 0) {
          const __m512i alpha =
              job.alpha_of_input
                  ? _mm512_loadu_si512(job.rows[job.input_row + static_cast<size_t>(q)] + job.input_offset + x)
                  : _mm512_set1_epi8(-1);
          bytes = _mm512_mask_mov_epi8(bytes, constants.alpha, alpha);
        }
        _mm512_storeu_si512(to[q], bytes);
      } else {
        // Two vectors: each 128-bit piece holds four bytes of the first, four of the second, twice.
        const __m512i packed = _mm512_packs_epi32(Rounded(constants, sums, q, 0), Rounded(constants, sums, q, 1));
        const __m512i ordered =
            _mm512_permutexvar_epi32(constants.in_order, _mm512_packus_epi16(packed, _mm512_setzero_si512()));
        __m256i bytes = _mm512_castsi512_si256(ordered);
        if (constants.alpha != 0) {
          const __m256i alpha = job.alpha_of_input
                                    ? _mm256_loadu_si256(reinterpret_cast<const __m256i*>(
                                          job.rows[job.input_row + static_cast<size_t>(q)] + job.input_offset + x))
                                    : _mm256_set1_epi8(-1);
          bytes = _mm256_mask_mov_epi8(bytes, static_cast<__mmask32>(constants.alpha), alpha);
        }
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to[q]), bytes);
      }
    }
  }
};

template <int R, int V, int K, bool kQuads, size_t kGroups = 0>
CONVOLVE_VNNI __attribute__((noinline)) void Rows(const ByteJob& job) {
  constexpr size_t kBlock = V * 16;
  const Constants constants = ConstantsOf(job);
  for (size_t x = 0; x < job.samples; x += kBlock) {
    if (!job.padded && x + kBlock > job.samples) x = job.samples - kBlock;  // some samples twice: the same again
    uint8_t* to[R];
    for (int q = 0; q < R; ++q) to[q] = job.output[q] + x;
    Bytes<R, V, K, kQuads, kGroups>::Run(job, constants, x, to);
  }
}

void ByteRowsOf(const ByteJob& job, int outputs) {
  const int groups = job.weights->kernels.front().groups;
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

ByteRows VnniByteRows() {
  return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi") ? &ByteRowsOf : nullptr;
}

}  // namespace convolve::cpu

#else

namespace convolve::cpu {

ByteRows VnniByteRows() { return nullptr; }

}  // namespace convolve::cpu

#endif
