// Storing: a working value becomes a sample of the destination's type, rounded and clamped once.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

namespace convolve {

/// Integers: rounded half away from zero, clamped to the type; not-a-number becomes 0. Floating point: kept.
/// `value` is in code values of T.
template <typename T>
T StoredSample(double value) {
  if constexpr (std::is_integral_v<T>) {
    constexpr double most = std::numeric_limits<T>::max();
    if (!(value > 0)) return 0;
    return value >= most ? std::numeric_limits<T>::max() : static_cast<T>(std::round(value));
  } else {
    return static_cast<T>(value);
  }
}

}  // namespace convolve
