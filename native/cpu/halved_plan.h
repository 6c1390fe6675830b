// Grids of floats of which neighbouring rows of results share their work (halved_kernels.cpp): which kernels are, and
// their weights.
#pragma once

#include <vector>

#include "engine/pass.h"

namespace convolve::cpu {

/// Heights of kernels that are: taller ones are transformed.
inline constexpr int kLeastHalvedHeight = 3;
inline constexpr int kMostHalvedHeight = 13;
/// Rows of results that are computed together, where there are as many.
inline constexpr int kHalvedAtOnce = 8;

/// Whether a kernel of this size is small enough for it: sums are one chain, whose rounding grows with its length.
bool IsHalvedSize(int width, int height);

/// Whether differences of samples as large as that lose no more digits than sums do. Samples that are not finite are
/// none, and those of very different size would lose the small ones.
bool AreHalvedSamples(double largest, double full_scale);

/// Whether sums of two of the weights stay within float, and what a large weight rounds away does not matter beside
/// full scale: a sample under a small weight is also multiplied with its large neighbour, which cancels but for a
/// rounding.
bool AreHalvedWeights(const std::vector<float>& weights, double divisor);

/// For each column, for each two rows u and v: u, u + v and v; of a last row alone u and twice 0.
std::vector<float> HalvedWeightsOf(const std::vector<float>& weights, int width, int height);

}  // namespace convolve::cpu
