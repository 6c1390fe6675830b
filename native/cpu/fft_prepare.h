// Binds an FFT pass to its picture: what the transforms have to filter, how exactly, and within how much memory.
#pragma once

#include <cstdint>

#include "cpu/fft_spectrum.h"
#include "cpu/prepared_plan.h"
#include "engine/pass.h"

namespace convolve::cpu {

/// Plans the transforms of an FFT pass (sets `fft`); leaves every other pass as it is, and one that would need too much
/// memory too: its kernel is then summed directly, as a dense one. To be called when all else of the pass is prepared.
///
/// `whole`: what the pass is a half of (pair_lines.h), or itself; `last`: whether that is the last one.
template <typename T>
void PrepareFft(const Pass& pass, const Pass& whole, const PreparedPlan<T>& plan, const Purpose& purpose, bool last,
                PreparedPass<T>& prepared);

/// Chooses the instruction set of FFT and sparse passes, and finds or makes the spectra that FFT passes multiply with;
/// has to come before anything is run.
template <typename T>
void BindTarget(const PreparedPlan<T>& plan, SpectrumCache& cache, int64_t target);

}  // namespace convolve::cpu
