// Field: a whole picture in working values, float64 in code values of the source's depth (u8: 0...255, u16: 0...65535,
// floating point: 0...1). What the reference backend passes from one filter to the next.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/backend.h"
#include "engine/image.h"
#include "engine/pages.h"

namespace convolve::reference {

/// The samples of a pixel; those beyond the channels are left open.
using Pixel = std::array<double, 4>;

struct Field {
  int width = 0;
  int height = 0;
  int channels = 0;
  bool alpha = false;     // the last channel is alpha
  double full_scale = 1;  // the code value that stands for 1.0
  std::shared_ptr<const ToneCurve> curve;
  std::vector<double, PageAllocator<double>> samples;

  int colours() const { return alpha ? channels - 1 : channels; }
  double* Pixel(int x, int y) { return samples.data() + (static_cast<size_t>(y) * width + x) * channels; }
  const double* Pixel(int x, int y) const { return samples.data() + (static_cast<size_t>(y) * width + x) * channels; }
};

/// A field of the same channels, alpha and scale, of another size, all zero.
Field SameKind(const Field& field, int width, int height);

Field Load(const Image& image, const CancelToken& cancel);

/// Writes the request's region: scaled from the field's full scale to the destination's, rounded, clamped, and above
/// level 0 then averaged.
void Store(const Field& field, const RunRequest& request, const AnyView& destination, const CancelToken& cancel);

}  // namespace convolve::reference
