// Which passes go from bytes to bytes by whole-number sums of a grid (byte_sums.h), of one pair (byte_pairs.h) or of
// few taps (byte_taps.h).
#pragma once

#include "cpu/prepared_plan.h"
#include "engine/pass.h"

namespace convolve::cpu {

/// Sets `bytes`, `byte_pair` or `byte_taps`, where the pass allows it, of a pass whose other ways are planned and whose
/// rows are not mixed. It follows from plan and picture alone.
template <typename T>
void PrepareBytes(const Pass& pass, const PreparedPlan<T>& plan, bool last, const Purpose& purpose,
                  PreparedPass<T>& prepared);

}  // namespace convolve::cpu
