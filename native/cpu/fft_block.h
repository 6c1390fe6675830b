// One FFT pass over one block of its result: tile after tile of the pass's grid, each from its whole input window, and
// of each only what the block asks for.
#pragma once

#include <cstddef>

#include "cpu/kernels.h"
#include "cpu/pass_block.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "engine/backend.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Scratch bytes of a block of at most this size.
template <typename T>
size_t FftBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height);

/// As RunPassBlock. `pixels` must hold what the whole tiles need (WholeTiles).
template <typename T>
void RunFftBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                 const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                 const CancelToken& cancel);

}  // namespace convolve::cpu
