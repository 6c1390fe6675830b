// Sums in 32 bits become bytes: scaled, rounded, packed. For what vnni_begin-inl.h began.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace convolve::cpu {
namespace {

/// Where packing puts the 32-bit pieces of four vectors.
CONVOLVE_VNNI_INLINE __m512i PackOrder() {
  alignas(64) uint32_t order[16];
  for (uint32_t m = 0; m < 16; ++m) order[m] = m % 4 * 4 + m / 4;
  return _mm512_load_si512(order);
}

/// Four vectors of whole numbers as bytes, cut to them, in their order.
CONVOLVE_VNNI_INLINE __m512i Packed(const __m512i (&results)[4], __m512i in_order) {
  const __m512i low = _mm512_packs_epi32(results[0], results[1]);
  const __m512i high = _mm512_packs_epi32(results[2], results[3]);
  return _mm512_permutexvar_epi32(in_order, _mm512_packus_epi16(low, high));
}

class Rounding {
 public:
  /// `offset`: with the half. `opaque_channels`: 2 or 4, the last of these becomes 255; 0: none does.
  CONVOLVE_VNNI Rounding(float scale, float offset, size_t opaque_channels)
      : scale_(_mm512_set1_ps(scale)),
        offset_(_mm512_set1_ps(offset)),
        channels_(opaque_channels == 0 ? 1 : opaque_channels) {
    alignas(64) uint8_t alpha[64] = {};
    for (size_t i = 0; i < 64 && opaque_channels != 0; ++i) {
      alpha[i] = i % opaque_channels == opaque_channels - 1 ? 255 : 0;
    }
    in_order_ = PackOrder();
    alpha_ = _mm512_load_si512(alpha);
  }

  /// Samples of a row before those whose vectors may be written past the caches; `samples` where none may.
  CONVOLVE_VNNI size_t BeforeStream(const uint8_t* row, size_t samples) const {
    const size_t before = (64 - reinterpret_cast<uintptr_t>(row) % 64) % 64;
    return before < samples && before % channels_ == 0 ? before : samples;
  }

  /// Four vectors of sums become bytes, those from `x` on of a row that has `samples`. kStream: past the caches.
  template <bool kStream = false>
  CONVOLVE_VNNI_INLINE void Store(const __m512i* sums, uint8_t* row, size_t x, size_t samples) const {
    __m512i results[4];
#pragma GCC unroll 4
    for (size_t v = 0; v < 4; ++v) {
      results[v] = _mm512_cvttps_epi32(_mm512_fmadd_ps(_mm512_cvtepi32_ps(sums[v]), scale_, offset_));
    }
    const __m512i bytes = _mm512_or_si512(Packed(results, in_order_), alpha_);
    if (x + 64 <= samples) {
      if constexpr (kStream) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(row + x), bytes);
      } else {
        _mm512_storeu_si512(row + x, bytes);
      }
    } else if (x < samples) {
      _mm512_mask_storeu_epi8(row + x, (uint64_t{1} << (samples - x)) - 1, bytes);
    }
  }

 private:
  __m512 scale_;
  __m512 offset_;
  size_t channels_;   // after which alpha_ begins anew
  __m512i in_order_;  // PackOrder
  __m512i alpha_;     // 255 where alpha becomes that, else 0
};

}  // namespace
}  // namespace convolve::cpu
