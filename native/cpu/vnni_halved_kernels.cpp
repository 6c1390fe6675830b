// Sums of bytes that eight rows of results share (byte_sums.h), with AVX-512's vector neural network instructions.
#include "cpu/byte_sums.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)

#include <utility>

#include "cpu/vnni_begin-inl.h"
#include "cpu/vnni_bytes-inl.h"

namespace convolve::cpu {
namespace {

/// Eight rows of results y by three quarters of the multiplications, after Mou and Duhamel, Short-Length FIR Filters
/// and Their Use in Fast Nonrecursive Filtering, 1991. With the kernel's even rows E and odd rows O, and rows x of
/// samples:
///   y[2t + 1] = E x[2t + 1, 2t + 3, ...] + O x[2t + 2, 2t + 4, ...]                  = A[t] + B[t + 1]
///   y[2t] = (E - O) (x[2t, 2t + 2, ...] - x[2t + 1, 2t + 3, ...]) + A[t] + B[t]
/// In whole numbers that is the very same sum. kRows: the kernel's. kCarried: B[0] is B[4] of the eight rows before.
template <Ending kEnding, size_t kRows, bool kCarried>
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

  static constexpr size_t Early(size_t rows) { return (rows + 1) / 2; }
  static constexpr size_t Late(size_t rows) { return rows / 2 + 1; }
  static constexpr size_t ColumnWords(size_t rows) { return Early(rows) + Late(rows); }

  /// Adds two rows' `bytes` times the words of a column that meet them: even results t take those that begin with the
  /// first weight, odd ones those that begin with a zero.
  template <size_t kPair, size_t kFirst, size_t kCount, size_t kKernelRows>
  CONVOLVE_VNNI_INLINE static void AddPair(__m512i bytes, const uint32_t* words, __m512i (&sums)[kCount]) {
#pragma GCC unroll 8
    for (size_t t = kFirst; t < kCount; ++t) {
      const size_t count = t % 2 == 0 ? Early(kKernelRows) : Late(kKernelRows);
      if (t / 2 > kPair || kPair - t / 2 >= count) continue;
      const uint32_t word = words[(t % 2 == 0 ? 0 : Early(kKernelRows)) + kPair - t / 2];
      sums[t] = _mm512_dpwssd_epi32(sums[t], bytes, _mm512_set1_epi32(static_cast<int>(word)));
    }
  }

  /// A column of weights on four rows of samples, two of each kind, then on those that follow.
  template <size_t kPair>
  CONVOLVE_VNNI_INLINE static void AddColumn(__m512i gather_two, const uint8_t* const* rows, size_t at,
                                             const uint32_t* words, Sums& sums) {
    if constexpr (2 * kPair < 4 + kOdd) {
      // The last pair may have one row only: the other meets a zero.
      constexpr size_t kOther0 = 2 * kPair + 1 < 4 + kOdd ? 2 * kPair + 1 : 2 * kPair;
      const __m512i x0 = Two(gather_two, rows[4 * kPair] + at, rows[2 * kOther0] + at);
      AddPair<kPair, kCarried ? 1 : 0, 5, kOdd>(x0, words + ColumnWords(kEven), sums.b);
      if constexpr (2 * kPair < 3 + kEven) {
        constexpr size_t kOther1 = 2 * kPair + 1 < 3 + kEven ? 2 * kPair + 1 : 2 * kPair;
        const __m512i x1 = Two(gather_two, rows[4 * kPair + 1] + at, rows[2 * kOther1 + 1] + at);
        AddPair<kPair, 0, 4, kEven>(x1, words, sums.a);
        AddPair<kPair, 0, 4, kEven>(_mm512_sub_epi16(x0, x1), words + ColumnWords(kEven) + ColumnWords(kOdd), sums.d);
      }
      AddColumn<kPair + 1>(gather_two, rows, at, words, sums);
    }
  }

  CONVOLVE_VNNI_INLINE static __m512i Gathered(const Constants& constants, const uint8_t* input) {
    return Gather<false>(constants, input);
  }

  /// 16 samples of the eight rows, row q to place(q).
  template <typename Place>
  CONVOLVE_VNNI_INLINE static void Run(const ByteJob& job, const Constants& constants, __m512i gather_two,
                                       const ByteKernel& kernel, size_t x, const Place& place) {
    Sums sums;
#pragma GCC unroll 8
    for (size_t t = 0; t < 4; ++t) sums.a[t] = sums.d[t] = sums.b[t + 1] = _mm512_setzero_si512();
    sums.b[0] = kCarried ? _mm512_loadu_si512(job.carried + x) : _mm512_setzero_si512();
    const uint32_t* words = kernel.halved.data();
    size_t at = x;
    const int groups = kernel.paired_column ? kernel.groups - 1 : kernel.groups;
    for (int g = 0; g < groups; ++g, at += constants.word, words += 2 * kEven + kOdd) {
      AddRows<0>(constants, job.rows, at, words, sums);
    }
    if (kernel.paired_column) AddColumn<0>(gather_two, job.rows, at, words, sums);
    _mm512_storeu_si512(job.carry + x, sums.b[4]);
#pragma GCC unroll 8
    for (size_t t = 0; t < 4; ++t) {
      const __m512i both = _mm512_add_epi32(sums.a[t], sums.b[t]);
      const __m512i even = _mm512_add_epi32(both, sums.d[t]);
      const __m512i odd = _mm512_add_epi32(sums.a[t], sums.b[t + 1]);
      Store<kEnding>(job, constants, 2 * t, x, Rounded<kEnding>(constants, even), place(2 * t));
      Store<kEnding>(job, constants, 2 * t + 1, x, Rounded<kEnding>(constants, odd), place(2 * t + 1));
    }
  }
};

template <Ending kEnding, size_t kRows, bool kCarried>
CONVOLVE_VNNI __attribute__((noinline)) void EightRows(const ByteJob& job) {
  const Constants constants = ConstantsOf(job);
  const ByteKernel& kernel = job.weights->kernels.front();
  using Block = Halved<kEnding, kRows, kCarried>;
  const __m512i gather_two = GatherTwo();
  const size_t aligned = AlignedFrom(job, 8);
  alignas(64) uint8_t lines[8][64];
  size_t x = 0;
  while (x < job.samples) {
    if (x >= aligned && x + 64 <= job.samples) {
      for (size_t i = 0; i < 64; i += 16) {
        Block::Run(job, constants, gather_two, kernel, x + i, [&](size_t q) { return lines[q] + i; });
      }
      for (size_t q = 0; q < 8; ++q) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(job.output[q] + x), _mm512_load_si512(lines[q]));
      }
      x += 64;
      continue;
    }
    if (!job.padded && x + 16 > job.samples) x = job.samples - 16;  // some samples twice: the same again
    Block::Run(job, constants, gather_two, kernel, x, [&](size_t q) { return job.output[q] + x; });
    x += 16;
    if (x > aligned && x < aligned + 16) x = aligned;
  }
}

template <Ending kEnding, bool kCarried, size_t... kIndex>
void EightRowsOf(const ByteJob& job, std::index_sequence<kIndex...> /*sizes*/) {
  const size_t rows = static_cast<size_t>(job.weights->kernels.front().rows);
  ((rows == kLeastHalvedRows + kIndex ? EightRows<kEnding, kLeastHalvedRows + kIndex, kCarried>(job) : void()), ...);
}

template <Ending kEnding>
void EightRowsEnding(const ByteJob& job) {
  constexpr auto kSizes = std::make_index_sequence<kMostHalvedRows - kLeastHalvedRows + 1>();
  job.carried == nullptr ? EightRowsOf<kEnding, false>(job, kSizes) : EightRowsOf<kEnding, true>(job, kSizes);
}

}  // namespace
}  // namespace convolve::cpu

#if !defined(__clang__)
#pragma GCC pop_options
#endif

namespace convolve::cpu {

void EightByteRows(const ByteJob& job) {
  const ByteWeights& weights = *job.weights;
  if (weights.inside) return EightRowsEnding<Ending::kInside>(job);
  weights.absolute ? EightRowsEnding<Ending::kAbsolute>(job) : EightRowsEnding<Ending::kCut>(job);
}

}  // namespace convolve::cpu

#endif
