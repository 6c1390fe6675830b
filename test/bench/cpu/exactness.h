// Whether the engine's result is right: a sample of it against the float64 sum of every weight.
#pragma once

#include <cstdint>

#include "engine/image.h"
#include "rows.h"

namespace convolve::bench {

struct Exactness {
  int64_t samples = 0;
  int64_t exact = 0;  // integers: equal to the rounded value; floating point: equal to the nearest float
  /// Integers: levels from the exactly rounded value. Floating point: share of the tolerance.
  double worst = 0;
  double Share() const { return samples == 0 ? 0 : static_cast<double>(exact) / static_cast<double>(samples); }
  /// Integers within a level, floating point within the tolerance.
  bool right() const { return worst <= 1; }
};

/// Compares rows at the top, the bottom and between, all of the left and right border and a sample of the columns
/// between. `result`, of the source's type, is the whole result of the row's kernel with `border` on the source, alpha
/// straight, clamped.
Exactness CheckResult(const Row& row, BorderKind border, const Image& source, const AnyView& result);

}  // namespace convolve::bench
