// One pass over a whole field, by the plainest loops that say what it means.
#pragma once

#include "engine/backend.h"
#include "engine/pass.h"
#include "reference/field.h"

namespace convolve::reference {

/// The result of the pass, applied once; of size `same` or `valid` as the pass says. Looks at `cancel` at every pixel.
/// Where `extremes` is given, it receives the smallest and largest colour value before the range mode, in working
/// light, as shares of full scale (0 and 0 where there is no number).
Field Filter(const Field& input, const Pass& pass, const CancelToken& cancel, Extremes* extremes = nullptr);

}  // namespace convolve::reference
