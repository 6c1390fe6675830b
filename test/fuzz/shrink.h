// Makes a failing case smaller as long as it fails.
#pragma once

#include <chrono>
#include <functional>

#include "case.h"

namespace convolve::fuzz {

/// `fails` is asked about simpler cases until none of them fails any more, or the time is over.
CaseSpec Shrunk(CaseSpec spec, const std::function<bool(const CaseSpec&)>& fails, std::chrono::milliseconds limit);

}  // namespace convolve::fuzz
