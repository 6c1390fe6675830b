// How long the transforms of a kernel are that is one column or one row, and how much they take: counted, so that it is
// the same at any time.
#pragma once

#include <cstddef>
#include <limits>

#include "cpu/fft_plan.h"

namespace convolve::cpu {

/// Rows that are transformed across together, and columns that are transformed down: a multiple of every vector's
/// lanes.
inline constexpr int kLineGrain = 16;

/// Fewer rows of results are not worth a transform.
inline constexpr int kLeastLineRows = 32;

/// Transforms side by side that make one tile (FftPlan::tiles), by the channels that are filtered and those of the
/// picture. Of an opaque one's three, one half stays empty: that takes less than tiles twice as wide.
inline int TilesOfLines(int filtered, int channels) { return filtered % 2 == 0 || channels == 4 ? 1 : 2; }

struct LineNeeds {
  FftAxes axes = FftAxes::kDown;                    // down or across
  int kernel = 0;                                   // taps
  int output = 0;                                   // results of a line
  int most_rows = std::numeric_limits<int>::max();  // of results that wait for another pass, where lines go down
  int tiles = 1;                                    // FftPlan::tiles
  size_t value_bytes = sizeof(float);
};

struct LineShape {
  int length = 0;   // of a transform; 0: none fits
  int step = 0;     // results of it
  double work = 0;  // vector instructions for each vector of results
};

LineShape ShapeOfLine(const LineNeeds& needs);

}  // namespace convolve::cpu
