// Which passes go from bytes to bytes by whole-number sums of one pair (byte_pairs.h) or of few taps (byte_taps.h).
#pragma once

#include "cpu/prepared_plan.h"
#include "engine/pass.h"

namespace convolve::cpu {

/// Sets `byte_pair` or `byte_taps`, where the pass allows it. It follows from plan and picture alone.
template <typename T>
void PrepareBytes(const Pass& pass, const PreparedPlan<T>& plan, bool last, const Purpose& purpose,
                  PreparedPass<T>& prepared);

}  // namespace convolve::cpu
