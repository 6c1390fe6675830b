// How the files of the FFT's vector code put their functions into its table.
#pragma once

#include <cstdint>

#include "cpu/fft_kernels.h"

namespace convolve::cpu {

template <typename F>
void FillFftTransformKernels(int64_t target, FftKernels<F>& kernels);
template <typename F>
void FillFftRowKernels(int64_t target, FftKernels<F>& kernels);

}  // namespace convolve::cpu
