// Light: the sRGB curve between stored values and linear light, IEC 61966-2-1, in shares of full scale.
#pragma once

#include <cmath>

namespace convolve {

/// Linear light of an encoded value. The formula goes on above 1, and negative values mirror it: f(-v) = -f(v).
inline double Linear(double encoded) {
  const double v = std::abs(encoded);
  const double light = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  return std::copysign(light, encoded);
}

/// The encoded value of linear light: the other way round, equally extended.
inline double Encoded(double linear) {
  const double v = std::abs(linear);
  const double value = v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
  return std::copysign(value, linear);
}

}  // namespace convolve
