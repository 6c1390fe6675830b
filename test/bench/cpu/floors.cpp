// One loop for each instruction set, chosen at run time. Twelve chains of multiply-adds hide the latency of four cycles
// at two a cycle, with room.
#include "floors.h"

#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define CONVOLVE_X86_FLOORS 1
#else
#define CONVOLVE_X86_FLOORS 0
#endif

namespace convolve::bench {
namespace {

constexpr int kChains = 12;
constexpr int kSteps = 200000;

/// Where results go so that the compiler keeps the work.
volatile float kept = 0;

#if CONVOLVE_X86_FLOORS
bool HasAvx512() { return __builtin_cpu_supports("avx512f") != 0; }
bool HasAvx2() { return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0; }

__attribute__((target("avx512f"))) void Copy512(const std::byte* from, std::byte* to, size_t bytes) {
  for (size_t i = 0; i + 256 <= bytes; i += 256) {
    for (size_t k = 0; k < 256; k += 64) {
      _mm512_stream_si512(reinterpret_cast<__m512i*>(to + i + k), _mm512_loadu_si512(from + i + k));
    }
  }
  _mm_sfence();
}

__attribute__((target("avx2"))) void Copy256(const std::byte* from, std::byte* to, size_t bytes) {
  for (size_t i = 0; i + 128 <= bytes; i += 128) {
    for (size_t k = 0; k < 128; k += 32) {
      const __m256i part = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i + k));
      _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i + k), part);
    }
  }
  _mm_sfence();
}

__attribute__((target("avx512f"))) double Multiply512() {
  __m512 chains[kChains];
  for (int k = 0; k < kChains; ++k) chains[k] = _mm512_set1_ps(static_cast<float>(k));
  const __m512 factor = _mm512_set1_ps(0.999F);
  const __m512 term = _mm512_set1_ps(0.001F);
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
    for (int k = 0; k < kChains; ++k) chains[k] = _mm512_fmadd_ps(chains[k], factor, term);
  }
  __m512 sum = chains[0];
  for (int k = 1; k < kChains; ++k) sum = _mm512_add_ps(sum, chains[k]);
  alignas(64) float lanes[16];
  _mm512_store_ps(lanes, sum);
  kept = lanes[0];
  return 2.0 * 16 * kChains * kSteps;
}

__attribute__((target("avx2,fma"))) double Multiply256() {
  __m256 chains[kChains];
  for (int k = 0; k < kChains; ++k) chains[k] = _mm256_set1_ps(static_cast<float>(k));
  const __m256 factor = _mm256_set1_ps(0.999F);
  const __m256 term = _mm256_set1_ps(0.001F);
  for (int step = 0; step < kSteps; ++step) {
#pragma GCC unroll 12
    for (int k = 0; k < kChains; ++k) chains[k] = _mm256_fmadd_ps(chains[k], factor, term);
  }
  __m256 sum = chains[0];
  for (int k = 1; k < kChains; ++k) sum = _mm256_add_ps(sum, chains[k]);
  alignas(32) float lanes[8];
  _mm256_store_ps(lanes, sum);
  kept = lanes[0];
  return 2.0 * 8 * kChains * kSteps;
}
#endif

double MultiplyPlain() {
  float chains[kChains];
  for (int k = 0; k < kChains; ++k) chains[k] = static_cast<float>(k);
  for (int step = 0; step < kSteps; ++step) {
    for (float& chain : chains) chain = chain * 0.999F + 0.001F;
  }
  float sum = 0;
  for (const float chain : chains) sum += chain;
  kept = sum;
  return 2.0 * kChains * kSteps;
}

}  // namespace

void StreamCopy(const std::byte* from, std::byte* to, size_t bytes) {
#if CONVOLVE_X86_FLOORS
  const size_t whole = bytes / 256 * 256;
  if (HasAvx512()) {
    Copy512(from, to, whole);
  } else if (HasAvx2()) {
    Copy256(from, to, whole);
  } else {
    std::memcpy(to, from, whole);
  }
  std::memcpy(to + whole, from + whole, bytes - whole);
#else
  std::memcpy(to, from, bytes);
#endif
}

double MultiplyAdds() {
#if CONVOLVE_X86_FLOORS
  if (HasAvx512()) return Multiply512();
  if (HasAvx2()) return Multiply256();
#endif
  return MultiplyPlain();
}

std::string FloorInstructions() {
#if CONVOLVE_X86_FLOORS
  if (HasAvx512()) return "AVX-512";
  if (HasAvx2()) return "AVX2";
#endif
  return "plain C++";
}

}  // namespace convolve::bench
