// The instruction sets of this build, as Highway names them: CONVOLVE_FOR_EACH_TARGET(X) expands X(bit, namespace) once
// for each. Include before hwy/foreach_target.h.
#pragma once

// Sets whose vectors have no fixed length cannot be kept in arrays of registers; SSSE3 machines take the baseline.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#include <hwy/detect_targets.h>

#if HWY_TARGETS & HWY_AVX3
#define CONVOLVE_TARGET_AVX3(X) X(HWY_AVX3, N_AVX3)
#else
#define CONVOLVE_TARGET_AVX3(X)
#endif
#if HWY_TARGETS & HWY_AVX2
#define CONVOLVE_TARGET_AVX2(X) X(HWY_AVX2, N_AVX2)
#else
#define CONVOLVE_TARGET_AVX2(X)
#endif
#if HWY_TARGETS & HWY_SSE4
#define CONVOLVE_TARGET_SSE4(X) X(HWY_SSE4, N_SSE4)
#else
#define CONVOLVE_TARGET_SSE4(X)
#endif
#if HWY_TARGETS & HWY_SSE2
#define CONVOLVE_TARGET_SSE2(X) X(HWY_SSE2, N_SSE2)
#else
#define CONVOLVE_TARGET_SSE2(X)
#endif
#if HWY_TARGETS & HWY_NEON
#define CONVOLVE_TARGET_NEON(X) X(HWY_NEON, N_NEON)
#else
#define CONVOLVE_TARGET_NEON(X)
#endif
#if HWY_TARGETS & HWY_NEON_WITHOUT_AES
#define CONVOLVE_TARGET_NEON_WITHOUT_AES(X) X(HWY_NEON_WITHOUT_AES, N_NEON_WITHOUT_AES)
#else
#define CONVOLVE_TARGET_NEON_WITHOUT_AES(X)
#endif
#if HWY_TARGETS & HWY_EMU128
#define CONVOLVE_TARGET_EMU128(X) X(HWY_EMU128, N_EMU128)
#else
#define CONVOLVE_TARGET_EMU128(X)
#endif
#if HWY_TARGETS & HWY_SCALAR
#define CONVOLVE_TARGET_SCALAR(X) X(HWY_SCALAR, N_SCALAR)
#else
#define CONVOLVE_TARGET_SCALAR(X)
#endif

#define CONVOLVE_FOR_EACH_TARGET(X)   \
  CONVOLVE_TARGET_AVX3(X)             \
  CONVOLVE_TARGET_AVX2(X)             \
  CONVOLVE_TARGET_SSE4(X)             \
  CONVOLVE_TARGET_SSE2(X)             \
  CONVOLVE_TARGET_NEON(X)             \
  CONVOLVE_TARGET_NEON_WITHOUT_AES(X) \
  CONVOLVE_TARGET_EMU128(X)           \
  CONVOLVE_TARGET_SCALAR(X)
