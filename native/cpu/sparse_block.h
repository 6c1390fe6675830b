// One sparse pass over one block of its result: a ring of input rows as for dense kernels, but only its taps are
// summed.
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
size_t SparseBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height);

/// As RunPassBlock, of a pass with `sparse`.
template <typename T>
void RunSparseBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                    const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                    const CancelToken& cancel);

}  // namespace convolve::cpu
