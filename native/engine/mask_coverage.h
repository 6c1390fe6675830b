// How much of each pixel of a row a shape covers, 0...1.
#pragma once

#include <functional>

#include "engine/mask.h"

namespace convolve {

/// Columns from `begin` up to `end`; nothing is covered outside.
struct MaskSpan {
  int begin = 0;
  int end = 0;
};

/// Which pixels are asked for: columns left ... left + width - 1 of rows top ... bottom - 1.
struct MaskRows {
  int left = 0;
  int width = 0;
  int top = 0;
  int bottom = 0;
};

/// Fills the columns of a span (counted from `left`) of row `y` with their coverage, and answers it.
using CoverRow = std::function<MaskSpan(int y, float* row)>;

/// The rows of a shape. What a pixel gets depends on its own place alone, never on the rows asked for.
///
/// Rectangles and ellipses cover a pixel by the area of it that lies inside, exactly: the pixel's square is mapped into
/// the box's own axes, where it is a parallelogram, and clipped by the unit square (Sutherland and Hodgman, 1974) or
/// met with the unit circle, whose area with a polygon is the sum over the polygon's sides of triangles and sectors.
/// Gradients and brushes are profiles along a distance, averaged over one pixel's width across the edge: for a straight
/// hard edge that is the area again.
///
/// The shape must outlive the function.
CoverRow CoverageOf(const MaskShape& shape, const MaskRows& rows);

}  // namespace convolve
