// Means over blocks of a level are weighted by alpha as it was rounded.
#pragma once

#include <vector>

#include "build.h"
#include "engine/backend.h"

namespace convolve::fuzz {

/// For each pixel of the request's region, row after row: by how many levels its colour may move when the alpha of
/// every pixel of its block is rounded to the next level. Empty where no rounded alpha weighs a colour.
std::vector<double> MovedByAlpha(const CaseSpec& spec, const BuiltCase& built, Backend& reference);

}  // namespace convolve::fuzz
