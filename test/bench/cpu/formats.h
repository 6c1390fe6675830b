// The sample layouts that the bench measures, and pictures of noise in them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/image.h"

namespace convolve::bench {

struct Format {
  std::string name;  // "u8 RGBA"
  SampleType type = SampleType::kU8;
  int channels = 4;
};

/// u8 RGBA, u8 RGB, u8 grey, u16 RGBA, f32 RGBA, f32 grey.
const std::vector<Format>& Formats();

/// Noise over the whole range of the type (0...1 for floating point), the same on every system; the fourth channel is
/// alpha and is noise too.
std::shared_ptr<Image> NoisePicture(const Format& format, int width, int height);

}  // namespace convolve::bench
