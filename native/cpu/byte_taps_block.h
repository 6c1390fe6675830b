// A kernel of few weights over one block of bytes by whole-number sums, from copied rows (byte_ring.h).
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
size_t ByteTapsBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height);

/// RunPassBlock (pass_block.h) for a pass with `byte_taps`.
template <typename T>
void RunByteTapsBlock(const PreparedPlan<T>& plan, const PreparedPass<T>& pass, const Pixels& pixels,
                      const Region& block, Carver& carver, RowSink<T>& sink, const CancelToken& cancel);

}  // namespace convolve::cpu
