// The length of a gradient of bytes, with vectors that hold 64 of them.
#pragma once

#include "cpu/kernels.h"

namespace convolve::cpu {

/// Kernels::gradient of bytes with AVX-512's byte instructions; null where this build or machine has none.
using ByteGradient = void (*)(const DirectJob<float>& job, int outputs);
ByteGradient VnniGradient();

}  // namespace convolve::cpu
