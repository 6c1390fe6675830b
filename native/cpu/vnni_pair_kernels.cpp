// Pairs on bytes with AVX-512's vector neural network instructions: each multiplies two 16-bit neighbours by two
// weights and adds them to a 32-bit sum. Down the columns the neighbours are two rows, put together by a byte
// permutation, the bytes in the upper half of each word: a sum's upper word is then what is kept of it. Across they are
// two pixels.
#include "cpu/byte_pairs.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)

#include <utility>

#include "cpu/vnni_begin-inl.h"
#include "cpu/vnni_round-inl.h"

namespace convolve::cpu {
namespace {

/// Up to so many words of weights the loops over them are written out.
constexpr size_t kFewColumnWords = 8;
constexpr size_t kFewRowWords = 16;
constexpr size_t kLanes = 16;

/// Eight results of 32 samples: the even rows of results have their pairs begin with even rows of samples, the odd ones
/// with odd rows.
template <size_t kWords>
struct Columns {
  static constexpr size_t kTogether = kBytePairRows / 2;
  using Sums = __m512i[kBytePairRows][2];

  struct Constants {
    __m512i gather[2];
    __m512i sign;
    __m512i upper;
  };

  CONVOLVE_VNNI static Constants ConstantsOf() {
    alignas(64) uint8_t gather[2][64] = {};
    alignas(64) uint16_t upper[32];
    for (size_t v = 0; v < 2; ++v) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        gather[v][lane * 4 + 1] = static_cast<uint8_t>(v * kLanes + lane);
        gather[v][lane * 4 + 3] = static_cast<uint8_t>(64 + v * kLanes + lane);
      }
    }
    for (uint16_t i = 0; i < 32; ++i) upper[i] = static_cast<uint16_t>(2 * i + 1);
    return {{_mm512_load_si512(gather[0]), _mm512_load_si512(gather[1])},
            _mm512_set1_epi8(static_cast<char>(0x80)),
            _mm512_load_si512(upper)};
  }

  /// Samples less 128.
  CONVOLVE_VNNI_INLINE static __m512i Load(const Constants& constants, const uint8_t* row) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
    return _mm512_xor_si512(_mm512_castsi256_si512(bytes), constants.sign);
  }

  /// Adds two rows of samples, whose place is 2 * i + kOdd, for the results kFirst to kLast of that kind.
  template <size_t kOdd, size_t kFirst, size_t kLast>
  CONVOLVE_VNNI_INLINE static void Add(const Constants& constants, __m512i one, __m512i two, const uint32_t* words,
                                       size_t i, Sums& sums) {
    constexpr __mmask64 kUpperBytes = 0xAAAAAAAAAAAAAAAA;
    __m512i both[2];
#pragma GCC unroll 2
    for (size_t v = 0; v < 2; ++v) both[v] = _mm512_maskz_permutex2var_epi8(kUpperBytes, one, constants.gather[v], two);
#pragma GCC unroll 4
    for (size_t t = kFirst; t <= kLast; ++t) {
      const __m512i weights = _mm512_set1_epi32(static_cast<int>(words[i - t]));
#pragma GCC unroll 2
      for (size_t v = 0; v < 2; ++v) {
        sums[2 * t + kOdd][v] = _mm512_dpwssd_epi32(sums[2 * t + kOdd][v], both[v], weights);
      }
    }
  }

  /// The rows of samples 2 * i, 2 * i + 1 and 2 * i + 2, of which the first was loaded before.
  template <size_t kFirst, size_t kLast>
  CONVOLVE_VNNI_INLINE static void AddRows(const Constants& constants, const ByteColumnsJob& job, size_t x, size_t i,
                                           __m512i& before, Sums& sums) {
    const __m512i middle = Load(constants, job.rows[2 * i + 1] + x);
    const __m512i after = Load(constants, job.rows[2 * i + 2] + x);
    Add<0, kFirst, kLast>(constants, before, middle, job.words, i, sums);
    Add<1, kFirst, kLast>(constants, middle, after, job.words, i, sums);
    before = after;
  }

  template <size_t i>
  CONVOLVE_VNNI_INLINE static void AddAll(const Constants& constants, const ByteColumnsJob& job, size_t x,
                                          __m512i& before, Sums& sums) {
    if constexpr (i < kWords + kTogether - 1) {
      constexpr size_t kFirst = i < kWords ? 0 : i - kWords + 1;
      constexpr size_t kLast = i < kTogether ? i : kTogether - 1;
      AddRows<kFirst, kLast>(constants, job, x, i, before, sums);
      AddAll<i + 1>(constants, job, x, before, sums);
    }
  }

  CONVOLVE_VNNI_INLINE static void Sum(const Constants& constants, const ByteColumnsJob& job, size_t x, Sums& sums) {
    __m512i before = Load(constants, job.rows[0] + x);
    if constexpr (kWords != 0) {
      AddAll<0>(constants, job, x, before, sums);
    } else {
      const size_t words = job.word_count;
      AddRows<0, 0>(constants, job, x, 0, before, sums);
      AddRows<0, 1>(constants, job, x, 1, before, sums);
      AddRows<0, 2>(constants, job, x, 2, before, sums);
      for (size_t i = 3; i < words; ++i) AddRows<0, 3>(constants, job, x, i, before, sums);
      AddRows<1, 3>(constants, job, x, words, before, sums);
      AddRows<2, 3>(constants, job, x, words + 1, before, sums);
      AddRows<3, 3>(constants, job, x, words + 2, before, sums);
    }
  }

  CONVOLVE_VNNI __attribute__((noinline)) static void Run(const ByteColumnsJob& job) {
    const Constants constants = ConstantsOf();
    for (size_t x = 0; x < job.samples; x += kByteColumnsBlock) {
      Sums sums;
#pragma GCC unroll 8
      for (size_t q = 0; q < kBytePairRows; ++q) sums[q][0] = sums[q][1] = _mm512_set1_epi32(1 << 15);
      Sum(constants, job, x, sums);
#pragma GCC unroll 8
      for (size_t q = 0; q < kBytePairRows; ++q) {
        _mm512_store_si512(job.output + q * job.output_stride + x,
                           _mm512_permutex2var_epi16(sums[q][0], constants.upper, sums[q][1]));
      }
    }
  }
};

/// 128 results at once: eight vectors. kShared: two words of weights are as far apart as half a vector is long (four
/// channels), so that vectors of neighbours serve several results.
template <size_t kWords, bool kShared>
struct Across {
  static constexpr size_t kVectors = 8;
  static constexpr size_t kBlock = kVectors * kLanes;
  using Sums = __m512i[kVectors];

  /// Words of two pixels that are neighbours, for 16 samples.
  CONVOLVE_VNNI static __m512i GatherOf(size_t step) {
    alignas(64) uint16_t gather[32];
    for (size_t lane = 0; lane < kLanes; ++lane) {
      gather[2 * lane] = static_cast<uint16_t>(lane);
      gather[2 * lane + 1] = static_cast<uint16_t>(lane + step);
    }
    return _mm512_load_si512(gather);
  }

  CONVOLVE_VNNI_INLINE static __m512i Neighbours(__m512i gather, const int16_t* input) {
    return _mm512_permutexvar_epi16(gather, _mm512_loadu_si512(input));
  }

  CONVOLVE_VNNI_INLINE static __m512i Weights(const uint32_t* words, size_t word) {
    return _mm512_set1_epi32(static_cast<int>(words[word]));
  }

  /// Neighbours at half vector `g`, for each vector whose word of weights lies there.
  template <size_t kFirst, size_t kLast>
  CONVOLVE_VNNI_INLINE static void AddShared(__m512i gather, const int16_t* input, const uint32_t* words, size_t g,
                                             Sums& sums) {
    const __m512i both = Neighbours(gather, input + g * (kLanes / 2));
#pragma GCC unroll 8
    for (size_t v = kFirst; v <= kLast; ++v) sums[v] = _mm512_dpwssd_epi32(sums[v], both, Weights(words, g - 2 * v));
  }

  template <size_t g>
  CONVOLVE_VNNI_INLINE static void AddAllShared(__m512i gather, const int16_t* input, const uint32_t* words,
                                                Sums& sums) {
    constexpr size_t kEnd = 2 * (kVectors - 1) + kWords;
    if constexpr (g < kEnd) {
      constexpr size_t kFirst = g < kWords ? 0 : (g - kWords) / 2 + 1;
      constexpr size_t kLast = g / 2 < kVectors ? g / 2 : kVectors - 1;
      if constexpr (kFirst <= kLast) AddShared<kFirst, kLast>(gather, input, words, g, sums);
      AddAllShared<g + 1>(gather, input, words, sums);
    }
  }

  /// The half vectors before all results have begun, and those after the first has ended, of many words.
  static constexpr size_t kEnds = 2 * (kVectors - 1);
  template <size_t g>
  CONVOLVE_VNNI_INLINE static void AddFirst(__m512i gather, const int16_t* input, const uint32_t* words, Sums& sums) {
    if constexpr (g < kEnds) {
      AddShared<0, g / 2>(gather, input, words, g, sums);
      AddFirst<g + 1>(gather, input, words, sums);
    }
  }
  template <size_t e>
  CONVOLVE_VNNI_INLINE static void AddLast(__m512i gather, const int16_t* input, const uint32_t* words, size_t count,
                                           Sums& sums) {
    if constexpr (e < kEnds) {
      AddShared<e / 2 + 1, kVectors - 1>(gather, input, words, count + e, sums);
      AddLast<e + 1>(gather, input, words, count, sums);
    }
  }

  CONVOLVE_VNNI_INLINE static void Sum(__m512i gather, const ByteAcrossJob& job, const int16_t* input, Sums& sums) {
    const uint32_t* const words = job.words;
    if constexpr (kShared && kWords != 0) {
      AddAllShared<0>(gather, input, words, sums);
    } else if constexpr (kShared) {
      static_assert(kFewRowWords >= kEnds);
      AddFirst<0>(gather, input, words, sums);
      for (size_t g = kEnds; g < job.word_count; ++g) AddShared<0, kVectors - 1>(gather, input, words, g, sums);
      AddLast<0>(gather, input, words, job.word_count, sums);
    } else {
      const size_t count = kWords != 0 ? kWords : job.word_count;
      for (size_t k = 0; k < count; ++k, input += 2 * job.step) {
        const __m512i weights = Weights(words, k);
#pragma GCC unroll 8
        for (size_t v = 0; v < kVectors; ++v) {
          sums[v] = _mm512_dpwssd_epi32(sums[v], Neighbours(gather, input + v * kLanes), weights);
        }
      }
    }
  }

  CONVOLVE_VNNI __attribute__((noinline)) static void Run(const ByteAcrossJob& job) {
    const __m512i gather = GatherOf(job.step);
    const Rounding rounding(job.scale, job.offset, job.opaque_channels);
    for (size_t row = 0; row < job.rows; ++row) {
      const int16_t* const input = job.input + row * job.input_stride;
      uint8_t* const output = job.output[row];
      const size_t before = job.stream ? rounding.BeforeStream(output, job.samples) : job.samples;
      for (size_t x = 0; x < before; x += kBlock) Block<false>(gather, job, rounding, input, output, x, before);
      for (size_t x = before; x < job.samples; x += kBlock) {
        Block<true>(gather, job, rounding, input, output, x, job.samples);
      }
    }
  }

  template <bool kStream>
  CONVOLVE_VNNI_INLINE static void Block(__m512i gather, const ByteAcrossJob& job, const Rounding& rounding,
                                         const int16_t* input, uint8_t* output, size_t x, size_t samples) {
    Sums sums;
#pragma GCC unroll 8
    for (size_t v = 0; v < kVectors; ++v) sums[v] = _mm512_setzero_si512();
    Sum(gather, job, input + x, sums);
    rounding.Store<kStream>(sums, output, x, samples);
    rounding.Store<kStream>(sums + 4, output, x + 64, samples);
  }
};

template <size_t... kIndex>
void ColumnsOf(const ByteColumnsJob& job, std::index_sequence<kIndex...> /*words*/) {
  if (job.word_count > kFewColumnWords) return Columns<0>::Run(job);
  ((job.word_count == kIndex + 1 ? Columns<kIndex + 1>::Run(job) : void()), ...);
}

template <bool kShared, size_t... kIndex>
void AcrossOf(const ByteAcrossJob& job, std::index_sequence<kIndex...> /*words*/) {
  if (job.word_count > kFewRowWords) return Across<0, kShared>::Run(job);
  ((job.word_count == kIndex + 1 ? Across<kIndex + 1, kShared>::Run(job) : void()), ...);
}

void SumColumns(const ByteColumnsJob& job) { ColumnsOf(job, std::make_index_sequence<kFewColumnWords>()); }

void SumAcross(const ByteAcrossJob& job) {
  constexpr auto kWords = std::make_index_sequence<kFewRowWords>();
  return job.step == 4 ? AcrossOf<true>(job, kWords) : AcrossOf<false>(job, kWords);
}

}  // namespace
}  // namespace convolve::cpu

#if !defined(__clang__)
#pragma GCC pop_options
#endif

namespace convolve::cpu {

BytePairKernels VnniBytePairs() { return HasVnni() ? BytePairKernels{&SumColumns, &SumAcross} : BytePairKernels{}; }

}  // namespace convolve::cpu

#else

namespace convolve::cpu {

BytePairKernels VnniBytePairs() { return {}; }

}  // namespace convolve::cpu

#endif
