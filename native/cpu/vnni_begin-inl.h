// Begins what a file compiles for AVX-512 with its vector neural network and byte instructions, whatever the rest of
// the build is compiled for: on x86 alone, after the headers that others need. `#pragma GCC pop_options` ends it.
#pragma once

namespace convolve::cpu {
namespace {

/// Whether this machine has them.
inline bool HasVnni() { return __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vbmi"); }

}  // namespace
}  // namespace convolve::cpu

#if defined(__clang__)
#define CONVOLVE_VNNI __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512vbmi,fma,bmi2")))
#else
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx512vbmi,fma,bmi2")
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 warns of its own header's undefined vectors
#define CONVOLVE_VNNI
#endif
#define CONVOLVE_VNNI_INLINE CONVOLVE_VNNI inline __attribute__((always_inline))
