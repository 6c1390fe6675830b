// Taps on bytes with AVX-512's vector neural network instructions: a byte permutation puts the samples under two taps
// side by side, as words, and one instruction adds their products to 16 sums.
#include "cpu/byte_taps.h"

#if (defined(__x86_64__) || defined(__i386__)) && defined(__GNUC__)

#include "cpu/vnni_begin-inl.h"
#include "cpu/vnni_round-inl.h"

namespace convolve::cpu {
namespace {

constexpr size_t kVectors = 8;  // sums of 16 samples
constexpr size_t kBytes = 64;
constexpr size_t kHalves = kVectors * 16 / kBytes;

/// Samples `begin` to `end`.
CONVOLVE_VNNI __attribute__((noinline)) void SumTaps(const ByteTapsJob& job, const Rounding& rounding, size_t begin,
                                                     size_t end, bool stream) {
  constexpr __mmask64 kLowerBytes = 0x5555555555555555;
  alignas(64) uint8_t order[4][kBytes] = {};
  for (size_t v = 0; v < 4; ++v) {
    for (size_t lane = 0; lane < 16; ++lane) {
      order[v][lane * 4] = static_cast<uint8_t>(v * 16 + lane);
      order[v][lane * 4 + 2] = static_cast<uint8_t>(kBytes + v * 16 + lane);
    }
  }
  __m512i gather[4];
#pragma GCC unroll 4
  for (size_t v = 0; v < 4; ++v) gather[v] = _mm512_load_si512(order[v]);
  const ByteTaps& taps = *job.taps;
  for (size_t x = begin; x < end; x += kVectors * 16) {
    __m512i sums[kVectors];
#pragma GCC unroll 8
    for (size_t v = 0; v < kVectors; ++v) sums[v] = _mm512_setzero_si512();
    for (size_t word = 0; word < taps.words.size(); ++word) {
      const ByteTap& first = taps.taps[2 * word];
      const ByteTap& second = taps.taps[2 * word + 1];
      const uint8_t* const one = job.rows[first.row] + first.offset + x;
      const uint8_t* const two = job.rows[second.row] + second.offset + x;
      const __m512i weights = _mm512_set1_epi32(static_cast<int>(taps.words[word]));
#pragma GCC unroll 2
      for (size_t half = 0; half < kHalves; ++half) {
        const __m512i a = _mm512_loadu_si512(one + half * kBytes);
        const __m512i b = _mm512_loadu_si512(two + half * kBytes);
#pragma GCC unroll 4
        for (size_t v = 0; v < 4; ++v) {
          sums[4 * half + v] = _mm512_dpwssd_epi32(
              sums[4 * half + v], _mm512_maskz_permutex2var_epi8(kLowerBytes, a, gather[v], b), weights);
        }
      }
    }
    StoreBytes(rounding.Bytes(sums), job.output, x, end, stream);
    StoreBytes(rounding.Bytes(sums + 4), job.output, x + kBytes, end, stream);
  }
}

CONVOLVE_VNNI void SumRow(const ByteTapsJob& job) {
  const Rounding rounding(job.taps->scale, job.taps->offset, job.opaque_channels);
  const size_t before = job.stream ? BeforeStream(job.output, job.samples, job.opaque_channels) : job.samples;
  SumTaps(job, rounding, 0, before, false);
  SumTaps(job, rounding, before, job.samples, true);
}

}  // namespace
}  // namespace convolve::cpu

#if !defined(__clang__)
#pragma GCC pop_options
#endif

namespace convolve::cpu {

ByteTapsRow VnniByteTaps() { return HasVnni() ? &SumRow : nullptr; }

}  // namespace convolve::cpu

#else

namespace convolve::cpu {

ByteTapsRow VnniByteTaps() { return nullptr; }

}  // namespace convolve::cpu

#endif
