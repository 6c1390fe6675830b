// A separable pass over one block of its result, a group of rows at a time: summed down from the picture's own rows
// where they can be read as they are, from loaded ones elsewhere, then across, and stored where the rows belong.
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

/// RunPassBlock (pass_block.h) for a pass of pairs.
template <typename T>
void RunPairBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                  const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                  const CancelToken& cancel, RunningSums* running = nullptr);

}  // namespace convolve::cpu
