// A pass that computes nothing: the pixels of the one behind it, in linear light and premultiplied. A tall kernel reads
// each row for many rows of its result, more than stay in a ring; so each is converted once, and read where it lies.
#pragma once

#include "cpu/kernels.h"
#include "cpu/pass_block.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "engine/backend.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Whether the pixels of this pass are converted apart. It follows from plan and picture alone.
template <typename T>
bool LoadsApart(const PreparedPass<T>& pass, const PreparedPlan<T>& plan);

/// Takes the conversion out of the pass and returns it as one of its own, to run before it.
template <typename T>
PreparedPass<T> TakeLoading(PreparedPass<T>& pass, const PreparedPlan<T>& plan);

/// Scratch bytes for blocks of at most this size.
template <typename T>
size_t LoadBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height);

/// Computes `block` as RunPassBlock does, of a pass with `loads_only`.
template <typename T>
void RunLoadBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                  const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                  const CancelToken& cancel);

}  // namespace convolve::cpu
