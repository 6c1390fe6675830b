// The backends that the parameterised tests run on: TEST_CASE_TEMPLATE("...", Tested, CONVOLVE_TESTED_BACKENDS). One
// test case for each backend, so that the counts say what ran.
#pragma once

#include <doctest/doctest.h>

#include <memory>

#include "engine/backend.h"

namespace convolve::test {

struct ReferenceTested {
  static std::unique_ptr<Backend> Make() { return MakeReferenceBackend(); }
  /// Whether sums are float64: results then match to the golden set's double precision tolerance.
  static constexpr bool kDouble = true;
};

#if CONVOLVE_TEST_CPU
struct CpuTested {
  static std::unique_ptr<Backend> Make() { return MakeCpuBackend(); }
  static constexpr bool kDouble = false;
};
#define CONVOLVE_TESTED_CPU , ::convolve::test::CpuTested
#else
#define CONVOLVE_TESTED_CPU
#endif

#if CONVOLVE_TEST_CUDA
struct CudaTested {
  static std::unique_ptr<Backend> Make() { return MakeCudaBackend(); }
  static constexpr bool kDouble = false;
};
#define CONVOLVE_TESTED_CUDA , ::convolve::test::CudaTested
#else
#define CONVOLVE_TESTED_CUDA
#endif

#define CONVOLVE_TESTED_BACKENDS ::convolve::test::ReferenceTested CONVOLVE_TESTED_CPU CONVOLVE_TESTED_CUDA

}  // namespace convolve::test

TYPE_TO_STRING_AS("reference", convolve::test::ReferenceTested);
#if CONVOLVE_TEST_CPU
TYPE_TO_STRING_AS("cpu", convolve::test::CpuTested);
#endif
#if CONVOLVE_TEST_CUDA
TYPE_TO_STRING_AS("cuda", convolve::test::CudaTested);
#endif
