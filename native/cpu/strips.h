// How wide and how high the pieces are in which a plan of several passes runs. Each thread goes through the bands of a
// strip of its own, whose kept rows stay in its second-level cache; where kernels reach too far for that, all threads
// share the bands of the whole region, or of strips of it so wide that what is kept stays within the scratch bound.
#pragma once

#include <cstddef>
#include <optional>

#include "cpu/bands.h"
#include "cpu/prepared_plan.h"
#include "cpu/tiling.h"
#include "engine/backend.h"
#include "engine/view.h"

namespace convolve::cpu {

/// Scratch of a run on two threads, beside its picture and its result; each further thread adds its block. Where even
/// strips that are mostly computed by their neighbours too would need more (docs/cpu.md says which), nothing is
/// bounded.
inline constexpr size_t kMostScratchBytes = size_t{64} << 20;

/// Cuts the region into strips for the threads, a unit each; nothing where they had better share its bands.
template <typename T>
std::optional<Tiling> CutStrips(const PreparedPlan<T>& plan, const Region& region, int level, int threads);

/// Rows of the bands of a strip of a thread's own.
int RowsOfOwnBands(int level);

/// Strips whose bands the threads share, one strip after the other.
struct SharedStrips {
  Tiling strips;
  BandShape shape;
};

/// `last_bytes`: of scratch for each worker, beside what blocks need. Looks at `cancel` before each cut that it tries:
/// a plan of a thousand passes takes a tenth of a second.
template <typename T>
SharedStrips CutShared(const PreparedPlan<T>& plan, const Region& region, int level, int threads, size_t last_bytes,
                       const CancelToken& cancel);

}  // namespace convolve::cpu
