// Array: the contents of a NumPy .npy file, for the golden set.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/view.h"

namespace convolve::test {

struct Array {
  SampleType type = SampleType::kF32;
  std::vector<int> shape;  // height, width and, where there are several, channels
  std::vector<double> values;

  int height() const { return shape.at(0); }
  int width() const { return shape.at(1); }
  int channels() const { return shape.size() > 2 ? shape[2] : 1; }
};

/// Throws std::runtime_error that names the file unless it is a little-endian, C-ordered array of u8, u16, f32 or f64.
Array ReadArray(const std::string& path);

}  // namespace convolve::test
