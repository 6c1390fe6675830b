// Random cases: what a person could ask for, at the sizes where things go wrong.
#pragma once

#include <cstdint>

#include "case.h"

namespace convolve::fuzz {

/// The same for the same seed. Its plan leaves something of the picture, and its cost is bounded.
CaseSpec RandomCase(uint64_t seed);

}  // namespace convolve::fuzz
