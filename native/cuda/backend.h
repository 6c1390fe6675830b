// How a cuda backend is made of chosen devices; MakeCudaBackend (engine/backend.h) takes what the machine has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuda/device.h"
#include "engine/backend.h"

namespace convolve::cuda {

struct BackendOptions {
  std::string faults;          // as in faults.h
  bool spread_always = false;  // large runs are shared by all devices, worth it or not
};

/// `devices` holds at least one; one that stands there twice is used as if it were two. Throws Error kInvalidArgument
/// where the faults cannot be read.
std::unique_ptr<Backend> MakeBackendOn(const std::vector<DeviceTraits>& devices, const BackendOptions& options);

}  // namespace convolve::cuda
