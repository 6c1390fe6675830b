// Keeper: one device of the backend. Opens its session at the first need; after a device failure it gives every call a
// typed error until nothing runs on the device any more, and then opens it anew.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "cuda/device.h"
#include "cuda/session.h"

namespace convolve::cuda {

class Keeper {
 public:
  /// `faults` outlives the keeper.
  Keeper(DeviceTraits traits, Faults* faults) : traits_(std::move(traits)), faults_(faults) {}
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  /// Works on the session. Throws Error: what `work` throws, kBackendUnavailable, kOutOfMemory, kDeviceFailed.
  void Do(const std::function<void(Session&)>& work);

  const DeviceTraits& traits() const { return traits_; }
  /// Whether the session is open and sound.
  bool IsOpen();
  bool Holds(const Image& image);
  /// Bytes in use on the device; 0 while it is being opened. Never waits.
  uint64_t MemoryBytes();
  /// Calls of Do under way.
  int busy() const { return busy_; }

 private:
  std::shared_ptr<Session> Opened();

  const DeviceTraits traits_;
  Faults* const faults_;
  std::atomic<int> busy_{0};
  std::mutex mutex_;
  std::shared_ptr<Session> session_;
  bool failed_ = false;
};

}  // namespace convolve::cuda
