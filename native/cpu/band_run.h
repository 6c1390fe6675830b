// Runs a plan band by band.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

#include "cpu/pass_block.h"
#include "cpu/prepared_plan.h"
#include "cpu/row_source.h"
#include "cpu/scratch.h"
#include "cpu/thread_pool.h"
#include "cpu/tiling.h"
#include "engine/backend.h"

namespace convolve::cpu {

/// What all blocks of a run share.
template <typename T>
struct RunContext {
  const Kernels<T>& kernels;
  const PreparedPlan<T>& plan;
  const Pixels& picture;
  const CancelToken& cancel;
};

/// A unit of the last pass's result, and where its input lies.
struct LastUnit {
  const Tiling& tiling;
  Region region;
  const Pixels& pixels;
  std::byte* scratch;
  RunningSums* running;  // of units that follow each other downwards; may be null
};

/// Calls run(block, left, top) for each block of a unit: strip by strip, each from top to bottom.
template <typename RunBlock>
void ForEachBlock(const Tiling& tiling, const Region& unit, const RunBlock& run) {
  for (int left = 0; left < unit.width; left += tiling.block_width) {
    for (int top = 0; top < unit.height; top += tiling.block_height) {
      run(Region{unit.x + left, unit.y + top, std::min(tiling.block_width, unit.width - left),
                 std::min(tiling.block_height, unit.height - top)},
          left, top);
    }
  }
}

/// Computes a block of the last pass's result, or copies it where the plan has no pass.
template <typename T>
void RunLastBlock(const RunContext<T>& context, const LastUnit& unit, const Region& block, Carver& carver,
                  RowSink<T>& sink);

using LastBody = std::function<void(const LastUnit&)>;

/// Runs the plan for a region (at level 0 of its result). Units of its last pass, whole pixels of the level, go to
/// `last`, on any thread, with `last_bytes` of scratch beside what their blocks need.
template <typename T>
void RunPasses(const RunContext<T>& context, const Region& region, int level, ThreadPool& pool, ScratchPool& scratch,
               size_t last_bytes, const LastBody& last);

}  // namespace convolve::cpu
