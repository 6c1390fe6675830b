// A box pass bound to a picture: whether running sums can hold it exactly, and the grid that floating point is rounded
// to.
#pragma once

#include <cstdint>

#include "engine/pass.h"

namespace convolve::cpu {

template <typename T>
struct PreparedBox {
  int width = 0;  // 0: not a box, or one whose samples know no bound
  int height = 0;
  T divisor = 1;
  bool multiply = false;  // BoxRowsJob::multiply: the picture's samples are no integers
  double magic = 0;       // BoxColumnsJob::magic
  bool integers = false;  // sums of the integers that work as T fit: 8-bit samples 24 bits, 16-bit ones 32
  int32_t whole = 0;      // BoxWholeJob::divisor; 0: it is no whole number, or sums would not fit
  float by = 0;           // BoxColumnsJob::by; 0: int32 holds no grid for floating point that is fine enough

  bool empty() const { return width == 0; }
};

/// `largest`: no summand is beyond it, and none is not-a-number; infinity where that is not known. Empty then: running
/// sums would carry what is not a number to every pixel after it. With 53 bits for a sum, a summand is rounded to at
/// worst 2^-28 of the largest one, for 4095 x 4095 cells, and not at all where all are integers that fit.
/// `full_scale`: a grid of int32 sums may be this share of it coarse that single precision does not notice.
template <typename T>
PreparedBox<T> PrepareBox(const BoxWeights& box, double largest, double full_scale);

}  // namespace convolve::cpu
