// Which pixels of a result depend on a sample that is not finite.
#pragma once

#include <vector>

#include "build.h"

namespace convolve::fuzz {

/// For each pixel of the whole result at level 0, row after row: whether a window, or the pixel itself, in any pass,
/// holds a sample that is not finite. Empty where the picture has none.
std::vector<char> ReachedBySpecials(const BuiltCase& built);

}  // namespace convolve::fuzz
