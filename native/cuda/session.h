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
  /// Throws Error kBackendUnavailable, kOutOfMemory or kDeviceFailed.
  explicit Session(const DeviceTraits& traits);

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

/// A plan without passes at level 0, or with float64 at either end, needs no device.
bool NeedsNoDevice(const Plan& plan, const Image& image, const RunRequest& request, const AnyView& destination);
void CopyOnHost(const Image& image, const RunRequest& request, const AnyView& destination, const CancelToken& cancel);

}  // namespace convolve::cuda
