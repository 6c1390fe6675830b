// One pass over one block of its result without rows of working values: the kernel reads the source's own rows and
// writes the destination's. Only columns whose window leaves the source are copied through the border first.
#pragma once

#include "cpu/kernels.h"
#include "cpu/pass_block.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "engine/backend.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Scratch bytes for blocks of at most this size.
template <typename T>
size_t DirectBytes(const PreparedPass<T>& pass, int channels, int width, int height);

/// Computes `block` as RunPassBlock does, of a pass with `direct`.
template <typename T>
void RunDirectBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                    const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                    const CancelToken& cancel);

}  // namespace convolve::cpu
