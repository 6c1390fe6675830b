// The picture's own pixels as rows of a result: what a plan without passes leaves.
#pragma once

#include <cstddef>

#include "cpu/pass_block.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"

namespace convolve::cpu {

/// Scratch bytes of any block of at most this width.
template <typename T>
size_t CopyBlockBytes(int channels, int width);

template <typename T>
void RunCopyBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const Pixels& picture, const Region& block,
                  Carver& carver, RowSink<T>& sink, const CancelToken& cancel);

}  // namespace convolve::cpu
