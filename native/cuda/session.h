// Session: an opened device with its resident images. Runs plans on it; knows nothing of failures and second tries.
#pragma once

#include <memory>

#include "cuda/device.h"
#include "cuda/image_cache.h"
#include "cuda/lowering.h"
#include "engine/backend.h"

namespace convolve::cuda {

class Session {
 public:
  /// `faults` outlives the session. Throws Error kBackendUnavailable, kOutOfMemory or kDeviceFailed.
  Session(const DeviceTraits& traits, Faults* faults);

  /// Whether the image is on the device.
  bool Holds(const Image& image) { return images_.Holds(image); }
  void Upload(const std::shared_ptr<const Image>& image);
  /// Everything is valid. A region too large for the device's memory is computed in parts.
  void Run(const Plan& plan, const std::shared_ptr<const Image>& image, const RunRequest& request,
           const AnyView& destination, const CancelToken& cancel);
  Extremes Measure(const Plan& plan, const std::shared_ptr<const Image>& image, const CancelToken& cancel);

  const Device& device() const { return device_; }

 private:
  Device device_;
  ImageCache images_;
};

/// The part of `view` (which shows `whole`) that shows `part`.
AnyView PartOf(const AnyView& view, const Region& whole, const Region& part);

/// A plan without passes at level 0, or with float64 at either end, needs no device.
bool NeedsNoDevice(const Plan& plan, const Image& image, const RunRequest& request, const AnyView& destination);
void CopyOnHost(const Image& image, const RunRequest& request, const AnyView& destination, const CancelToken& cancel);

}  // namespace convolve::cuda
