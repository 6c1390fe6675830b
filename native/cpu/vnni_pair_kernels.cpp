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

/// Up to so many words of a column's weights the loop over them is written out.
constexpr size_t kFewColumnWords = 8;
/// Words of a row's weights that are written out.
constexpr size_t kChunk = 8;
constexpr size_t kLanes = 16;

/// Eight results of 32 samples. Pairs begin with even rows of samples; results of odd rows take the weights that begin
/// with a zero.
template <size_t kWords>
struct Columns {
  static constexpr size_t kTogether = kBytePairRows / 2;
  using Sums = __m512i[kBytePairRows][2];

  struct Constants {
    __m512i gather[2];
    __m256i sign;
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
            _mm256_set1_epi8(static_cast<char>(0x80)),
            _mm512_load_si512(upper)};
  }

  /// Samples less 128.
  CONVOLVE_VNNI_INLINE static __m512i Load(const Constants& constants, const uint8_t* row) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
    return _mm512_castsi256_si512(_mm256_xor_si256(bytes, constants.sign));
  }

  /// Adds the rows of samples 2 * i and 2 * i + 1 to the results kFirst to kLast of either kind.
  template <size_t kFirst, size_t kLast>
  CONVOLVE_VNNI_INLINE static void AddRows(const Constants& constants, const ByteColumnsJob& job, size_t x, size_t i,
                                           Sums& sums) {
    constexpr __mmask64 kUpperBytes = 0xAAAAAAAAAAAAAAAA;
    const __m512i one = Load(constants, job.rows[2 * i] + x);
    const __m512i two = Load(constants, job.rows[2 * i + 1] + x);
    __m512i both[2];
#pragma GCC unroll 2
    for (size_t v = 0; v < 2; ++v) both[v] = _mm512_maskz_permutex2var_epi8(kUpperBytes, one, constants.gather[v], two);
#pragma GCC unroll 4
    for (size_t t = kFirst; t <= kLast; ++t) {
      const __m512i weights = _mm512_set1_epi32(static_cast<int>(job.words[i - t]));
      const __m512i late = _mm512_set1_epi32(static_cast<int>(job.late_words[i - t]));
#pragma GCC unroll 2
      for (size_t v = 0; v < 2; ++v) {
        sums[2 * t][v] = _mm512_dpwssd_epi32(sums[2 * t][v], both[v], weights);
        sums[2 * t + 1][v] = _mm512_dpwssd_epi32(sums[2 * t + 1][v], both[v], late);
      }
    }
  }

  template <size_t i>
  CONVOLVE_VNNI_INLINE static void AddAll(const Constants& constants, const ByteColumnsJob& job, size_t x, Sums& sums) {
    if constexpr (i < kWords + kTogether - 1) {
      constexpr size_t kFirst = i < kWords ? 0 : i - kWords + 1;
      constexpr size_t kLast = i < kTogether ? i : kTogether - 1;
      AddRows<kFirst, kLast>(constants, job, x, i, sums);
      AddAll<i + 1>(constants, job, x, sums);
    }
  }

  CONVOLVE_VNNI_INLINE static void Sum(const Constants& constants, const ByteColumnsJob& job, size_t x, Sums& sums) {
    if constexpr (kWords != 0) {
      AddAll<0>(constants, job, x, sums);
    } else {
      const size_t words = job.word_count;
      AddRows<0, 0>(constants, job, x, 0, sums);
      AddRows<0, 1>(constants, job, x, 1, sums);
      AddRows<0, 2>(constants, job, x, 2, sums);
      for (size_t i = 3; i < words; ++i) AddRows<0, 3>(constants, job, x, i, sums);
      AddRows<1, 3>(constants, job, x, words, sums);
      AddRows<2, 3>(constants, job, x, words + 1, sums);
      AddRows<3, 3>(constants, job, x, words + 2, sums);
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

/// 128 results at once: eight vectors. Two neighbours to a word, a vector of words begins with each 16th sample; what
/// lies between is shifted together from two. kStep: the channels. kRest: words beyond a multiple of kChunk.
template <size_t kRest, size_t kStep>
struct Across {
  static constexpr size_t kVectors = 8;
  static constexpr size_t kBlock = kVectors * kLanes;
  using Sums = __m512i[kVectors];

  /// Words of two pixels that are neighbours, for 16 samples.
  CONVOLVE_VNNI static __m512i Gather() {
    alignas(64) uint16_t gather[32];
    for (size_t lane = 0; lane < kLanes; ++lane) {
      gather[2 * lane] = static_cast<uint16_t>(lane);
      gather[2 * lane + 1] = static_cast<uint16_t>(lane + kStep);
    }
    return _mm512_load_si512(gather);
  }

  CONVOLVE_VNNI_INLINE static __m512i Neighbours(__m512i gather, const int16_t* input) {
    return _mm512_permutexvar_epi16(gather, _mm512_loadu_si512(input));
  }

  /// Words from vector kAt on, for each word of weights that meets them in one of the results.
  template <size_t kWords, size_t kAt, size_t kWord>
  CONVOLVE_VNNI_INLINE static void AddWords(__m512i first, __m512i second, const uint32_t* words, Sums& sums) {
    if constexpr (kWord < kWords) {
      constexpr size_t kOffset = 2 * kStep * kWord;  // samples
      constexpr size_t kFirst = kOffset / kLanes;
      if constexpr (kFirst <= kAt && kAt < kFirst + kVectors) {
        __m512i both = first;
        if constexpr (kOffset % kLanes != 0) both = _mm512_alignr_epi32(second, first, kOffset % kLanes);
        const __m512i weights = _mm512_set1_epi32(static_cast<int>(words[kWord]));
        sums[kAt - kFirst] = _mm512_dpwssd_epi32(sums[kAt - kFirst], both, weights);
      }
      AddWords<kWords, kAt, kWord + 1>(first, second, words, sums);
    }
  }

  template <size_t kWords, size_t kAt>
  CONVOLVE_VNNI_INLINE static void AddFrom(__m512i gather, const int16_t* input, __m512i first, const uint32_t* words,
                                           Sums& sums) {
    if constexpr (kAt < kVectors + 2 * kStep * (kWords - 1) / kLanes) {
      const __m512i second = Neighbours(gather, input + (kAt + 1) * kLanes);
      AddWords<kWords, kAt, 0>(first, second, words, sums);
      AddFrom<kWords, kAt + 1>(gather, input, second, words, sums);
    }
  }

  CONVOLVE_VNNI_INLINE static void Sum(__m512i gather, const ByteAcrossJob& job, const int16_t* input, Sums& sums) {
    size_t word = 0;
    for (; word + kChunk <= job.word_count; word += kChunk, input += 2 * kStep * kChunk) {
      AddFrom<kChunk, 0>(gather, input, Neighbours(gather, input), job.words + word, sums);
    }
    if constexpr (kRest != 0) AddFrom<kRest, 0>(gather, input, Neighbours(gather, input), job.words + word, sums);
  }

  struct Row {
    const int16_t* input;
    uint8_t* output;
    const uint8_t* ahead;
  };

  /// Samples `begin` to `end` of a row.
  CONVOLVE_VNNI __attribute__((noinline)) static void Blocks(const ByteAcrossJob& job, const Row& row,
                                                             const Rounding& rounding, const UpperBytes& upper,
                                                             size_t begin, size_t end, bool stream) {
    const __m512i gather = Gather();
    const __m512i start = _mm512_set1_epi32(job.start.value_or(0));
    const bool in_upper = job.start.has_value();
    for (size_t x = begin; x < end; x += kBlock) {
      if (row.ahead != nullptr) {
        _mm_prefetch(reinterpret_cast<const char*>(row.ahead + x), _MM_HINT_T0);
        _mm_prefetch(reinterpret_cast<const char*>(row.ahead + x + 64), _MM_HINT_T0);
      }
      Sums sums;
#pragma GCC unroll 8
      for (size_t v = 0; v < kVectors; ++v) sums[v] = start;
      Sum(gather, job, row.input + x, sums);
#pragma GCC unroll 2
      for (size_t half = 0; half < 2; ++half) {
        const __m512i bytes = in_upper ? upper.Bytes(sums + 4 * half) : rounding.Bytes(sums + 4 * half);
        StoreBytes(bytes, row.output, x + 64 * half, end, stream);
      }
    }
  }

  CONVOLVE_VNNI static void Run(const ByteAcrossJob& job) {
    const Rounding rounding(job.scale, job.offset, job.opaque_channels);
    const UpperBytes upper(job.opaque_channels);
    for (size_t q = 0; q < job.rows; ++q) {
      const Row row{job.input + q * job.input_stride, job.output[q], job.ahead == nullptr ? nullptr : job.ahead[q]};
      const size_t before = job.stream ? BeforeStream(row.output, job.samples, job.opaque_channels) : job.samples;
      if (before > 0) Blocks(job, row, rounding, upper, 0, before, false);
      if (before < job.samples) Blocks(job, row, rounding, upper, before, job.samples, true);
    }
  }
};

template <size_t... kIndex>
void ColumnsOf(const ByteColumnsJob& job, std::index_sequence<kIndex...> /*words*/) {
  if (job.word_count > kFewColumnWords) return Columns<0>::Run(job);
  ((job.word_count == kIndex + 1 ? Columns<kIndex + 1>::Run(job) : void()), ...);
}

template <size_t kStep, size_t... kIndex>
void AcrossOf(const ByteAcrossJob& job, std::index_sequence<kIndex...> /*rests*/) {
  ((job.word_count % kChunk == kIndex ? Across<kIndex, kStep>::Run(job) : void()), ...);
}

void SumColumns(const ByteColumnsJob& job) { ColumnsOf(job, std::make_index_sequence<kFewColumnWords>()); }

void SumAcross(const ByteAcrossJob& job) {
  constexpr auto kRests = std::make_index_sequence<kChunk>();
  switch (job.step) {
    case 1:
      return AcrossOf<1>(job, kRests);
    case 2:
      return AcrossOf<2>(job, kRests);
    case 3:
      return AcrossOf<3>(job, kRests);
    default:
      return AcrossOf<4>(job, kRests);
  }
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
