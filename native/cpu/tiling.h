// How a request is cut for the threads and the cache. Results never depend on it.
#pragma once

#include <cstddef>

#include "cpu/prepared_plan.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Units are what threads take; a unit of a coarse level may be larger than a block and is then computed block by
/// block.
struct Tiling {
  int unit_width = 0;
  int unit_height = 0;
  int block_width = 0;
  int block_height = 0;
  int columns = 0;  // of units
  int rows = 0;
  int lead_x = 0;  // what the first units lack of their size, so that the others lie on the grid of an FFT pass, or
                   // begin cache lines
  int lead_y = 0;

  size_t units() const { return static_cast<size_t>(columns) * static_cast<size_t>(rows); }
};

/// Cuts `region` (at level 0 of the result of pass number `pass`; of a plan without passes, of the picture) for a
/// level; unit sides are multiples of 2^level.
template <typename T>
Tiling CutRegion(const PreparedPlan<T>& plan, size_t pass, const Region& region, int level, int threads);

/// Unit number `index` of the region, row after row.
Region UnitAt(const Tiling& tiling, const Region& region, size_t index);

}  // namespace convolve::cpu
