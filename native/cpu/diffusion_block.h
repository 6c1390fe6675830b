// One step of edge-preserving diffusion over one block of its result: rows stream through a ring of three, and what
// flows between two pixels is worked out once for both.
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
size_t DiffusionBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height);

/// Computes `block` as RunPassBlock does, of a pass with `diffusion`.
template <typename T>
void RunDiffusionBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                       const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                       const CancelToken& cancel);

}  // namespace convolve::cpu
