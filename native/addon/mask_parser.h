// Parses a mask as core/mask.ts describes it, its points as Float64Arrays.
#pragma once

#include "addon/field.h"
#include "engine/mask.h"

namespace convolve::addon {

/// Refuses, with the field's path, numbers that no picture's mask has.
Mask ParseMask(const Field& field);

}  // namespace convolve::addon
