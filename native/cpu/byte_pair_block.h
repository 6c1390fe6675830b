// A pair over one block of bytes by whole-number sums, eight rows at a time: the rows of the window, which are read
// where they lie or, near a border, copied into a ring that stays in the caches, are summed down to 16 bits and across
// to bytes.
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

/// How many pixels wide a strip should be, so that what it keeps in use stays close.
template <typename T>
int BytePairStripPixels(const PreparedPass<T>& pass, int channels);

/// Scratch bytes of a block of at most this size.
template <typename T>
size_t BytePairBlockBytes(const PreparedPass<T>& pass, int channels, int width, int height);

/// RunPassBlock (pass_block.h) for a pass with `byte_pair`.
template <typename T>
void RunBytePairBlock(const Kernels<T>& kernels, const PreparedPlan<T>& plan, const PreparedPass<T>& pass,
                      const Pixels& pixels, const Region& block, Carver& carver, RowSink<T>& sink,
                      const CancelToken& cancel);

}  // namespace convolve::cpu
