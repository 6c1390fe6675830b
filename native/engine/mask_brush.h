// The coverage of brush strokes.
#pragma once

#include "engine/mask_coverage.h"

namespace convolve {

/// The share of flow at `distance` from the path of a brush of this radius: 1 to `hardness` of it, then a smooth fall
/// (3t^2 - 2t^3) to 0 at the radius; averaged over one pixel's width.
double StrokeProfile(double distance, double radius, double hardness);

/// A stroke's pixel has the flow at its distance from the nearest point of the path, the maximum of infinitely many
/// dabs; strokes that add meet as b + v - b v, those that erase as b (1 - v).
CoverRow BrushRows(const MaskBrush& shape, const MaskRows& rows);

}  // namespace convolve
