// How far a result in single precision may be from the reference's, derived from the plan.
#pragma once

#include "build.h"

namespace convolve::fuzz {

struct Tolerance {
  /// Largest error of a sample, as a share of full scale, times 1 + |result|; where alpha weights, over the alpha too.
  double error = 0;
  /// The last pass may leave little alpha from cancelling weights: where it is small, colour means nothing.
  bool quotient_of_rests = false;
  /// Every sum is exact in single precision: integers must be equal.
  bool exact = false;
};

Tolerance ToleranceOf(const CaseSpec& spec, const BuiltCase& built);

}  // namespace convolve::fuzz
