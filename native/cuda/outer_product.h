// Outer products: dense kernels of whole numbers that are a column times a row.
#pragma once

#include <optional>

#include "engine/pass.h"

namespace convolve::cuda {

/// The kernel as one column times one row, exactly, or nothing. The row is freed of common factors, so that Sobel's and
/// Scharr's kernels become whole columns and rows.
std::optional<RankPair> OuterProduct(const DenseWeights& dense);

}  // namespace convolve::cuda
