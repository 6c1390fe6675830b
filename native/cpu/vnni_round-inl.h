// Sums in 32 bits become bytes: scaled, rounded, packed. For what vnni_begin-inl.h began.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace convolve::cpu {
namespace {

/// Where packing puts the 32-bit pieces of four vectors.
CONVOLVE_VNNI_INLINE __m512i PackOrder() {
  return _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
}

/// 0, 1, 2 ...
CONVOLVE_VNNI_INLINE __m512i Rising() {
  const __m512i words = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i each = _mm512_mullo_epi32(words, _mm512_set1_epi32(0x04040404));
  return _mm512_add_epi8(each, _mm512_set1_epi32(0x03020100));
}

/// Four vectors of whole numbers as bytes, cut to them, in their order.
CONVOLVE_VNNI_INLINE __m512i Packed(const __m512i (&results)[4], __m512i in_order) {
  const __m512i low = _mm512_packs_epi32(results[0], results[1]);
  const __m512i high = _mm512_packs_epi32(results[2], results[3]);
  return _mm512_permutexvar_epi32(in_order, _mm512_packus_epi16(low, high));
}

/// All ones where the last of `opaque_channels` (2 or 4; 0: none) lies.
CONVOLVE_VNNI_INLINE __m512i AlphaBytes(size_t opaque_channels) {
  if (opaque_channels == 0) return _mm512_setzero_si512();
  return opaque_channels == 2 ? _mm512_set1_epi16(static_cast<int16_t>(0xFF00))
                              : _mm512_set1_epi32(static_cast<int>(0xFF000000));
}

/// Sums become bytes that are their upper bytes, plus 128.
class UpperBytes {
 public:
  /// `opaque_channels`: as of Rounding.
  CONVOLVE_VNNI explicit UpperBytes(size_t opaque_channels) {
    const __m512i lanes = _mm512_and_si512(Rising(), _mm512_set1_epi8(31));
    order_ = _mm512_add_epi8(_mm512_slli_epi32(lanes, 2), _mm512_set1_epi8(3));
    const __m512i alpha = AlphaBytes(opaque_channels);
    flip_ = _mm512_or_si512(alpha, _mm512_set1_epi8(static_cast<char>(0x80)));
    const uint64_t colours = ~_mm512_movepi8_mask(alpha);
    first_ = colours & 0xFFFFFFFF;
    last_ = colours & ~uint64_t{0xFFFFFFFF};
  }

  CONVOLVE_VNNI_INLINE __m512i Bytes(const __m512i* sums) const {
    constexpr int kOrThenXor = 0x56;
    return _mm512_ternarylogic_epi32(_mm512_maskz_permutex2var_epi8(first_, sums[0], order_, sums[1]),
                                     _mm512_maskz_permutex2var_epi8(last_, sums[2], order_, sums[3]), flip_,
                                     kOrThenXor);
  }

 private:
  __m512i order_;
  __m512i flip_;
  __mmask64 first_;
  __mmask64 last_;
};

/// Added to floats from 0 to 255 it rounds them, in their lowest bytes.
constexpr float kToLowBytes = 8388608;  // 2^23

/// Vectors of 32 bits become bytes that are their lowest ones.
class LowBytes {
 public:
  CONVOLVE_VNNI LowBytes() : order_(_mm512_slli_epi32(_mm512_and_si512(Rising(), _mm512_set1_epi8(31)), 2)) {}

  CONVOLVE_VNNI_INLINE __m512i Bytes(const __m512i (&sums)[4]) const {
    constexpr __mmask64 kFirst = 0xFFFFFFFF;
    return _mm512_or_si512(_mm512_maskz_permutex2var_epi8(kFirst, sums[0], order_, sums[1]),
                           _mm512_maskz_permutex2var_epi8(~kFirst, sums[2], order_, sums[3]));
  }
  CONVOLVE_VNNI_INLINE __m128i Bytes(__m512i sums) const {
    return _mm512_castsi512_si128(_mm512_permutexvar_epi8(order_, sums));
  }

 private:
  __m512i order_;
};

/// 64 bytes from `x` on of a row that has `samples`; `stream`: past the caches, where they are all of the row.
CONVOLVE_VNNI_INLINE void StoreBytes(__m512i bytes, uint8_t* row, size_t x, size_t samples, bool stream) {
  if (x + 64 <= samples) {
    if (stream) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(row + x), bytes);
    } else {
      _mm512_storeu_si512(row + x, bytes);
    }
  } else if (x < samples) {
    _mm512_mask_storeu_epi8(row + x, (uint64_t{1} << (samples - x)) - 1, bytes);
  }
}

/// Samples of a row before those whose vectors may be written past the caches; `samples` where none may. Bytes repeat
/// after `channels`.
CONVOLVE_VNNI_INLINE size_t BeforeStream(const uint8_t* row, size_t samples, size_t channels) {
  const size_t before = (64 - reinterpret_cast<uintptr_t>(row) % 64) % 64;
  return before < samples && (channels == 0 || before % channels == 0) ? before : samples;
}

class Rounding {
 public:
  /// `offset`: with the half. `opaque_channels`: 2 or 4, the last of these becomes 255; 0: none does.
  CONVOLVE_VNNI Rounding(float scale, float offset, size_t opaque_channels)
      : scale_(_mm512_set1_ps(scale)), offset_(_mm512_set1_ps(offset)) {
    in_order_ = PackOrder();
    alpha_ = AlphaBytes(opaque_channels);
  }

  CONVOLVE_VNNI_INLINE __m512i Bytes(const __m512i* sums) const {
    __m512i results[4];
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) {
      results[v] = _mm512_cvttps_epi32(_mm512_fmadd_ps(_mm512_cvtepi32_ps(sums[v]), scale_, offset_));
    }
    return _mm512_or_si512(Packed(results, in_order_), alpha_);
  }

 private:
  __m512 scale_;
  __m512 offset_;
  __m512i in_order_;  // PackOrder
  __m512i alpha_;     // 255 where alpha becomes that, else 0
};

}  // namespace
}  // namespace convolve::cpu
