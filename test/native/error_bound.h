// How far rounding to single precision may take a result: each pass multiplies the error so far by its gain and adds
// its own, as the golden set's tolerance does (6e-7 times 1 + the largest possible sum).
#pragma once

#include "engine/pass.h"

namespace convolve::test {

inline constexpr double kSingle = 6e-7;

/// Error and size of values, as shares of full scale.
struct Bound {
  double error = 0;
  double most = 1;
};

/// The bound on what a pass makes of values within `in`.
Bound After(const Pass& pass, Bound in);

}  // namespace convolve::test
