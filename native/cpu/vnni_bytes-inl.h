// What sums of bytes share: vectors of the bytes under weights, products, and sums that become bytes. For what
// vnni_begin-inl.h began.
#pragma once

#include "cpu/byte_sums.h"
#include "cpu/vnni_round-inl.h"

namespace convolve::cpu {

/// ByteRows for 8 outputs.
void EightByteRows(const ByteJob& job);

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
  LowBytes low;
};

/// How sums end.
enum class Ending { kInside, kCut, kAbsolute };

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
  const ByteWeights& weights = *job.weights;
  Constants constants;
  constants.gather = _mm512_load_si512(gather);
  constants.taps = used;
  constants.word = taps * job.step;
  constants.scale = _mm512_set1_ps(kernel.scale);
  constants.other_scale = _mm512_set1_ps(job.weights->kernels.back().scale);
  const float added = weights.inside ? kToLowBytes : weights.absolute ? 0 : weights.half;
  constants.offset = _mm512_set1_ps(weights.offset + added);
  constants.half = _mm512_set1_ps(weights.half);
  constants.in_order = PackOrder();
  constants.alpha = alpha;
  return constants;
}

CONVOLVE_VNNI_INLINE __m512i All(uint32_t word) { return _mm512_set1_epi32(static_cast<int>(word)); }

CONVOLVE_VNNI_INLINE __m512i Load(const uint8_t* input) {
  return _mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(input)));
}

/// The bytes under the weights of a word, for 16 samples.
template <bool kQuads>
CONVOLVE_VNNI_INLINE __m512i Gather(const Constants& constants, const uint8_t* input) {
  return kQuads ? _mm512_permutexvar_epi8(constants.gather, Load(input))
                : _mm512_maskz_permutexvar_epi8(constants.taps, constants.gather, Load(input));
}

template <bool kQuads>
CONVOLVE_VNNI_INLINE __m512i Product(__m512i sum, __m512i bytes, __m512i weights) {
  return kQuads ? _mm512_dpbusd_epi32(sum, bytes, weights) : _mm512_dpwssd_epi32(sum, bytes, weights);
}

/// Rounded and ready to be packed; within bytes the lowest byte is the result.
template <Ending kEnding>
CONVOLVE_VNNI_INLINE __m512i Rounded(const Constants& constants, __m512i sum) {
  __m512 value = _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), constants.scale, constants.offset);
  if constexpr (kEnding == Ending::kInside) return _mm512_castps_si512(value);
  if constexpr (kEnding == Ending::kAbsolute) value = _mm512_add_ps(_mm512_abs_ps(value), constants.half);
  return _mm512_cvttps_epi32(value);
}

/// Rounded results of row `q` become bytes.
template <Ending kEnding>
CONVOLVE_VNNI_INLINE void Store(const ByteJob& job, const Constants& constants, size_t q, size_t x,
                                const __m512i (&results)[4], bool stream = false) {
  __m512i bytes = kEnding == Ending::kInside ? constants.low.Bytes(results) : Packed(results, constants.in_order);
  if (constants.alpha != 0) {
    const __m512i alpha = job.alpha_of_input ? _mm512_loadu_si512(job.rows[job.input_row + q] + job.input_offset + x)
                                             : _mm512_set1_epi8(-1);
    bytes = _mm512_mask_mov_epi8(bytes, constants.alpha, alpha);
  }
  if (stream) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(job.output[q] + x), bytes);
  } else {
    _mm512_storeu_si512(job.output[q] + x, bytes);
  }
}

template <Ending>
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

template <Ending kEnding>
CONVOLVE_VNNI_INLINE void Store(const ByteJob& job, const Constants& constants, size_t q, size_t x, __m512i result,
                                uint8_t* to) {
  __m128i bytes = kEnding == Ending::kInside ? constants.low.Bytes(result)
                                             : _mm512_cvtusepi32_epi8(_mm512_max_epi32(result, _mm512_setzero_si512()));
  if (constants.alpha != 0) {
    const auto* const input = reinterpret_cast<const __m128i*>(job.rows[job.input_row + q] + job.input_offset + x);
    const __m128i alpha = job.alpha_of_input ? _mm_loadu_si128(input) : _mm_set1_epi8(-1);
    bytes = _mm_mask_mov_epi8(bytes, static_cast<__mmask16>(constants.alpha), alpha);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
}

/// Puts the samples of two rows together, in turns.
CONVOLVE_VNNI __m512i GatherTwo() {
  alignas(64) uint8_t gather[64] = {};
  for (size_t lane = 0; lane < 16; ++lane) {
    gather[lane * 4] = static_cast<uint8_t>(lane);
    gather[lane * 4 + 2] = static_cast<uint8_t>(64 + lane);
  }
  return _mm512_load_si512(gather);
}

CONVOLVE_VNNI_INLINE __m512i Two(__m512i gather_two, const uint8_t* one, const uint8_t* other) {
  constexpr __mmask64 kLowBytes = 0x5555555555555555;
  return _mm512_maskz_permutex2var_epi8(kLowBytes, Load(one), gather_two, Load(other));
}

/// The sample from which on rows may be stored past the caches, 64 at once, less than 64; job.samples where none may.
CONVOLVE_VNNI size_t AlignedFrom(const ByteJob& job, size_t outputs) {
  if (!job.stream) return job.samples;
  const size_t before = BeforeStream(job.output[0], job.samples, job.alpha_channels);
  for (size_t q = 1; q < outputs; ++q) {
    if (reinterpret_cast<uintptr_t>(job.output[q] + before) % 64 != 0) return job.samples;
  }
  return before;
}

}  // namespace
}  // namespace convolve::cpu
