// A pass that repeats, as trips of several steps each: which passes can be run so, and how a trip follows another.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "cuda/chain.h"
#include "cuda/stencil.h"
#include "engine/pass.h"

namespace convolve::cuda {

/// The pass as nine weights, row-major, divisor and epilogue folded in. Nothing where it is more than a 3 x 3 kernel
/// around its pixel: of another size or anchor, a magnitude, with an offset, in linear light, `valid`, or with a range
/// mode other than clamp and float.
std::optional<std::array<float, 9>> StencilWeights(const Pass& pass);

/// How many of `left` repeats of such a pass should be taken as a stencil: trips of the most steps and a last one of at
/// least half of that; fewer steps are quicker one by one.
int StencilSteps(int left);

/// LaunchPass (chain.h) for Technique::kStencil: the steps in trips, what lies between two trips
/// in scratch. The trips follow from the number of steps alone, so that any region gives the same bits.
void LaunchStencilPass(const LoweredPass& pass, const FinishParameters& finish, const SourceParameters& source,
                       const TargetParameters& target, int channels, const Device& device, cudaStream_t stream,
                       const std::function<void()>& between);

}  // namespace convolve::cuda
