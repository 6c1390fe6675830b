// The second half of several pairs (pair_lines.h): the sums of each are added, and what else a pass does happens to
// them afterwards.
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
size_t TermsBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height);

/// As RunPassBlock. `pixels` hold what the columns of each pair have left, Pixels::term_bytes apart.
template <typename T>
void RunTermsBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                   const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                   const CancelToken& cancel);

}  // namespace convolve::cpu
