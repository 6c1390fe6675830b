// The cuda backend of a build with a CUDA compiler: looks for driver and device at run time. Its kernels are not
// written yet, so that it is never available; it says what is missing.
#include <cuda_runtime_api.h>

#include <string>

#include "cuda/cuda_unavailable.h"

namespace convolve {
namespace {

/// CUDA writes 13020 for 13.2.
std::string Version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

std::string WhyUnavailable() {
  int driver = 0;
  int runtime = 0;
  cudaRuntimeGetVersion(&runtime);
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) return "no NVIDIA driver";
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaErrorNoDevice || (status == cudaSuccess && devices == 0)) return "no CUDA device";
  if (status == cudaErrorInsufficientDriver) {
    return "the NVIDIA driver supports CUDA " + Version(driver) + ", this build needs " + Version(runtime);
  }
  if (status != cudaSuccess) return std::string("CUDA does not start: ") + cudaGetErrorString(status);
  cudaDeviceProp properties;
  const bool named = cudaGetDeviceProperties(&properties, 0) == cudaSuccess;
  return std::string("CUDA kernels are not part of this version") +
         (named ? " (found " + std::string(properties.name) + ")" : "");
}

}  // namespace

std::unique_ptr<Backend> MakeCudaBackend() { return std::make_unique<cuda::UnavailableBackend>(WhyUnavailable()); }

}  // namespace convolve
