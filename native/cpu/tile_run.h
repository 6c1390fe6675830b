// All passes of a plan over one tile: each earlier pass computes just what the next one needs of it, into a compact
// buffer that stays in the cache; whole intermediate pictures never exist.
#pragma once

#include <cstddef>

#include "cpu/pass_block.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"

namespace convolve::cpu {

/// Scratch bytes for any tile of at most this size.
template <typename T>
size_t TileBytes(const PreparedPlan<T>& plan, int width, int height);

/// Computes `tile` (in pixels of the plan's result) from the picture. With an empty plan the rows are the picture's
/// own.
template <typename T>
void RunTile(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const Pixels& picture, const Region& tile,
             Carver& carver, RowSink<T>& sink, const CancelToken& cancel);

}  // namespace convolve::cpu
