// Lengths of gradients of bytes, 64 at a time. Differences and smoothed samples are 16-bit whole numbers, their
// squares' sum 32-bit ones. A root that is too large by less than a twenty-fifth is cut to a whole number, which is the
// rounded root n or the next one; the whole numbers decide: n is right where n^2 - n < sum.
#include "cpu/byte_gradient.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)

#include "cpu/vnni_begin-inl.h"
#include "cpu/vnni_round-inl.h"

namespace convolve::cpu {
namespace {

constexpr size_t kBytes = 64;

/// The samples of 128-bit pieces' lower halves, and of their upper ones, as 16-bit numbers.
struct Halves {
  __m512i lower;
  __m512i upper;
};

CONVOLVE_VNNI_INLINE __m512i Add(__m512i a, __m512i b) { return _mm512_add_epi16(a, b); }

/// Two bytes that follow each other, first and second.
CONVOLVE_VNNI_INLINE __m512i Pair(int first, int second) {
  return _mm512_set1_epi16(static_cast<int16_t>((first & 0xFF) | second * 256));
}

/// kSobel: the weights are 1 and 2.
template <int R, bool kSobel>
struct Lengths {
  struct Constants {
    __m512i less;    // right less left
    __m512i outer;   // weights of left and right
    __m512i middle;  // weight of what is between, twice the same
    __m512i a;
    __m512i b;
    __m512i root;  // bytes 1 and 2 of each sum
    __mmask64 alpha;
    bool alpha_of_input;
  };

  CONVOLVE_VNNI_INLINE static Constants ConstantsOf(const DirectJob<float>& job) {
    const Gradient& gradient = *job.gradient;
    const int c = static_cast<int>(gradient.down[0]);
    const int e = static_cast<int>(gradient.down[1]);
    Constants constants;
    constants.less = Pair(-1, 1);
    constants.outer = Pair(c, c);
    constants.middle = Pair(e, 0);
    constants.a = _mm512_set1_epi16(static_cast<int16_t>(gradient.across[0]));
    constants.b = _mm512_set1_epi16(static_cast<int16_t>(gradient.across[1]));
    // Of four sums of the first vector, then four of the second, in each 128-bit piece.
    alignas(64) uint8_t root[64];
    for (size_t i = 0; i < 64; ++i) {
      const size_t word = i / 2 % 8;
      const size_t sum = i / 16 * 4 + word % 4;
      root[i] = static_cast<uint8_t>((word < 4 ? 0 : 64) + sum * 4 + 1 + i % 2);
    }
    constants.root = _mm512_load_si512(root);
    const AlphaWork alpha = job.finish.alpha;
    const bool fills = alpha == AlphaWork::kOpaque || alpha == AlphaWork::kInput;
    constants.alpha = _mm512_movepi8_mask(AlphaBytes(fills ? job.step : 0));
    constants.alpha_of_input = alpha == AlphaWork::kInput;
    return constants;
  }

  struct Row {
    Halves difference;
    Halves smooth;
  };

  CONVOLVE_VNNI_INLINE static Row Read(const Constants& constants, const uint8_t* row, size_t step, __mmask64 which) {
    const __m512i left = _mm512_maskz_loadu_epi8(which, row);
    const __m512i middle = _mm512_maskz_loadu_epi8(which, row + step);
    const __m512i right = _mm512_maskz_loadu_epi8(which, row + 2 * step);
    const auto of = [&](__m512i sides, __m512i middles, __m512i& difference, __m512i& smooth) CONVOLVE_VNNI {
      difference = _mm512_maddubs_epi16(sides, constants.less);
      smooth = Add(_mm512_maddubs_epi16(sides, constants.outer), _mm512_maddubs_epi16(middles, constants.middle));
    };
    Row result;
    of(_mm512_unpacklo_epi8(left, right), _mm512_unpacklo_epi8(middle, middle), result.difference.lower,
       result.smooth.lower);
    of(_mm512_unpackhi_epi8(left, right), _mm512_unpackhi_epi8(middle, middle), result.difference.upper,
       result.smooth.upper);
    return result;
  }

  /// a * outer + b * middle.
  CONVOLVE_VNNI_INLINE static __m512i Across(const Constants& constants, __m512i first, __m512i middle, __m512i last) {
    if constexpr (kSobel) return Add(Add(first, middle), Add(middle, last));
    return Add(_mm512_mullo_epi16(constants.a, Add(first, last)), _mm512_mullo_epi16(constants.b, middle));
  }

  /// 32768 and the sum's root and a half, and up to a twenty-sixth more, of sums that are no more than 255^2; their
  /// root is within 2^-14 of itself. Of 0 not a number, whose bytes 1 and 2 are a negative one. Roots are below 2^15.
  CONVOLVE_VNNI_INLINE static __m512i Root(__m512i sum) {
    const __m512 square = _mm512_cvtepi32_ps(sum);
    return _mm512_castps_si512(
        _mm512_fmadd_ps(square, _mm512_rsqrt14_ps(square), _mm512_set1_ps(32768 + 133.0f / 256)));
  }

  /// Rounded lengths of 16-bit differences, as 16-bit numbers that bytes cut right.
  CONVOLVE_VNNI_INLINE static __m512i Length(const Constants& constants, __m512i x, __m512i y) {
    const __m512i low = _mm512_unpacklo_epi16(x, y);
    const __m512i high = _mm512_unpackhi_epi16(x, y);
    const __m512i sum_low = _mm512_madd_epi16(low, low);
    const __m512i sum_high = _mm512_madd_epi16(high, high);
    const __m512i near = _mm512_permutex2var_epi8(Root(sum_low), constants.root, Root(sum_high));
    const __m512i less = Add(near, _mm512_set1_epi16(-1));
    // Sums beyond 16 bits are those of roots that are cut anyway.
    const __m512i sum = _mm512_packus_epi32(sum_low, sum_high);
    return _mm512_mask_mov_epi16(near, _mm512_cmple_epu16_mask(sum, _mm512_mullo_epi16(near, less)), less);
  }

  /// Samples from `x` on, as many as `which` says.
  CONVOLVE_VNNI_INLINE static void Block(const DirectJob<float>& job, const Constants& constants, size_t x,
                                         __mmask64 which, bool stream) {
    Row rows[R + 2];
#pragma GCC unroll 8
    for (size_t r = 0; r < R + 2; ++r) {
      const auto* row = reinterpret_cast<const uint8_t*>(job.rows[job.kernels[0].row + r]) + job.kernels[0].offset + x;
      rows[r] = Read(constants, row, job.step, which);
      if (r < 2) continue;
      const size_t q = r - 2;
      const Row& first = rows[q];
      const Row& middle = rows[q + 1];
      const Row& last = rows[r];
      const __m512i lower =
          Length(constants, Across(constants, first.difference.lower, middle.difference.lower, last.difference.lower),
                 _mm512_sub_epi16(last.smooth.lower, first.smooth.lower));
      const __m512i upper =
          Length(constants, Across(constants, first.difference.upper, middle.difference.upper, last.difference.upper),
                 _mm512_sub_epi16(last.smooth.upper, first.smooth.upper));
      __m512i bytes = _mm512_packus_epi16(lower, upper);
      if (constants.alpha_of_input) {
        const auto* own = reinterpret_cast<const uint8_t*>(job.rows[job.input_row + q]) + job.input_offset + x;
        bytes = _mm512_mask_loadu_epi8(bytes, constants.alpha & which, own);
      } else {
        bytes = _mm512_mask_blend_epi8(constants.alpha, bytes, _mm512_set1_epi8(-1));
      }
      uint8_t* const to = reinterpret_cast<uint8_t*>(job.output[q]) + x;
      if (stream) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to), bytes);
      } else {
        _mm512_mask_storeu_epi8(to, which, bytes);
      }
    }
  }

  /// Samples before those whose vectors may be written past the caches; all where none may.
  CONVOLVE_VNNI static size_t BeforeStreams(const DirectJob<float>& job) {
    const auto begin = [&](int q) { return reinterpret_cast<uintptr_t>(job.output[q]) % kBytes; };
    for (int q = 1; q < R; ++q) {
      if (begin(q) != begin(0)) return job.samples;
    }
    return BeforeStream(reinterpret_cast<const uint8_t*>(job.output[0]), job.samples, job.step == 3 ? 0 : job.step);
  }

  CONVOLVE_VNNI __attribute__((noinline)) static void Run(const DirectJob<float>& job) {
    constexpr __mmask64 kAll = ~uint64_t{0};
    const Constants constants = ConstantsOf(job);
    const auto first = [](size_t count) { return (uint64_t{1} << count) - 1; };
    const size_t before = job.stream ? BeforeStreams(job) : 0;
    const bool stream = job.stream && before < job.samples;
    size_t x = 0;
    if (stream && before > 0) {
      Block(job, constants, 0, first(before), false);
      x = before;
    }
    for (; x + kBytes <= job.samples; x += kBytes) Block(job, constants, x, kAll, stream);
    if (x < job.samples) Block(job, constants, x, first(job.samples - x), false);
  }
};

void GradientRows(const DirectJob<float>& job, int outputs) {
  const Gradient& gradient = *job.gradient;
  const bool sobel =
      gradient.across[0] == 1 && gradient.across[1] == 2 && gradient.down[0] == 1 && gradient.down[1] == 2;
  if (outputs == 4) return sobel ? Lengths<4, true>::Run(job) : Lengths<4, false>::Run(job);
  return sobel ? Lengths<1, true>::Run(job) : Lengths<1, false>::Run(job);
}

}  // namespace
}  // namespace convolve::cpu

#if !defined(__clang__)
#pragma GCC pop_options
#endif

namespace convolve::cpu {

ByteGradient VnniGradient() { return HasVnni() ? &GradientRows : nullptr; }

}  // namespace convolve::cpu

#else

namespace convolve::cpu {

ByteGradient VnniGradient() { return nullptr; }

}  // namespace convolve::cpu

#endif
