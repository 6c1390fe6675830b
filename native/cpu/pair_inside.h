// Which columns of a separable pass's block lie in its picture, so that rows are summed down where they lie.
#pragma once

#include <cstddef>

#include "cpu/pair_buffers.h"
#include "cpu/pair_kernels.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"

namespace convolve::cpu {

/// What a block reads: `positions` columns of the pass's input from `first_column` on, and so many rows.
template <typename T>
struct PairReading {
  const PairKernels<T>& kernels;
  const PreparedPlan<T>& plan;
  const PreparedPass<T>& pass;
  const Pixels& pixels;
  int first_column;
  int positions;
  int window_rows;
};

struct PairInside {
  bool direct = false;  // else rows have to be loaded, and the rest says nothing
  int from = 0;         // the positions that lie in the picture
  int count = 0;
  int place = 0;                 // and where they begin in its rows
  bool repeats_outside = false;  // some others are the border's constant
};

/// Direct where the picture's own rows can be read: their type, no curve or weighting on the way, and every column that
/// the border repeats among those that the block reads. Fills in `copies` and `outside_row`; `places` must be there.
template <typename T>
PairInside FindInside(const PairReading<T>& reading, const PairBuffers<T>& buffers);

/// The border's constant in this channel.
template <typename T>
T OutsideOf(const PreparedPlan<T>& plan, const PreparedPass<T>& pass, size_t channel) {
  const bool alpha = plan.alpha && channel + 1 == static_cast<size_t>(plan.channels);
  return alpha ? pass.outside_alpha : pass.outside;
}

}  // namespace convolve::cpu
