// Faults that a test asks for: allocations that find no memory, launches that find no device.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace convolve::cuda {

/// The environment variable that a backend reads when it is made. Words separated by commas, counted from 1 over all
/// devices of the backend:
///   memory:N     the Nth allocation of device memory fails; memory:N+ that one and all after it
///   largest:B    every allocation of more than B bytes fails
///   device:N     the Nth launch fails as if the device were lost; device:N+ that one and all after it
inline constexpr const char* kFaultVariable = "CONVOLVE_CUDA_FAULT";

class Faults {
 public:
  Faults() = default;
  Faults(const Faults&) = delete;
  Faults& operator=(const Faults&) = delete;

  /// Throws Error kInvalidArgument where the text is none of the words above; empty: no faults.
  explicit Faults(const std::string& text);

  /// Before each allocation. Throws Error kOutOfMemory where it is to fail.
  void Allocating(size_t bytes);
  /// Before each launch. Throws Error kDeviceFailed where it is to fail.
  void Launching();

 private:
  /// Which events of one kind fail: number `first`, or from it on; none where it is 0.
  struct Trigger {
    uint64_t first = 0;
    bool onwards = false;
    std::atomic<uint64_t> count{0};

    bool Fires();
  };

  Trigger memory_;
  Trigger device_;
  uint64_t largest_ = UINT64_MAX;
};

}  // namespace convolve::cuda
