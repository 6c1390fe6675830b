// How the files of vector code put their functions into the tables: each fills its part for one instruction set.
#pragma once

#include <cstdint>

#include "cpu/kernels.h"

namespace convolve::cpu {

template <typename T>
void FillSumKernels(int64_t target, Kernels<T>& kernels);
template <typename T>
void FillPixelKernels(int64_t target, Kernels<T>& kernels);
template <typename T>
void FillDirectKernels(int64_t target, Kernels<T>& kernels);
template <typename T>
void FillHalvedKernels(int64_t target, Kernels<T>& kernels);
template <>
void FillHalvedKernels<float>(int64_t target, Kernels<float>& kernels);
template <>
void FillHalvedKernels<double>(int64_t target, Kernels<double>& kernels);
template <typename T>
void FillGradientKernels(int64_t target, Kernels<T>& kernels);
template <typename T>
void FillSampleKernels(int64_t target, Kernels<T>& kernels);
template <typename T>
void FillLightKernels(int64_t target, Kernels<T>& kernels);
template <typename T>
void FillDiffusionKernels(int64_t target, Kernels<T>& kernels);
template <typename T>
void FillMixKernels(int64_t target, Kernels<T>& kernels);

}  // namespace convolve::cpu
