// Spread: which of several devices computes which rows of a run. Pure arithmetic, no device.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/image.h"
#include "engine/pass.h"
#include "engine/view.h"

namespace convolve::cuda {

/// What a device would need before it could help.
struct Helper {
  size_t device = 0;
  bool open = false;   // else it has to be started
  bool holds = false;  // the image; else it has to be uploaded
};

struct Band {
  size_t device = 0;
  Region region;
};

/// Rows below which a band is not cut further.
inline constexpr int kSmallestBandRows = 64;

/// Cuts a region of level 0 into bands of rows, the first one for `home`, which holds the image or is to upload it in
/// any case. A helper takes part where that makes the run end sooner, by a rough estimate of what computing, fetching
/// the result, starting a device and uploading take; with `always`, wherever there are rows enough. One band: only
/// home.
std::vector<Band> Spread(const Plan& plan, const Image& image, const Region& region, size_t bytes_per_sample,
                         size_t home, const std::vector<Helper>& helpers, bool always);

}  // namespace convolve::cuda
