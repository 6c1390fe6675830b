// Which CUDA result is which of the engine's errors.
#include "cuda/check.h"

#include <string>

#include "engine/error.h"

namespace convolve::cuda {
namespace {

ErrorCode CodeOf(cudaError_t result) {
  switch (result) {
    case cudaErrorMemoryAllocation:
      return ErrorCode::kOutOfMemory;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorSystemNotReady:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorStubLibrary:
    case cudaErrorInitializationError:
    case cudaErrorDevicesUnavailable:
    case cudaErrorInvalidDevice:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilerNotFound:
      return ErrorCode::kBackendUnavailable;
    default:
      return ErrorCode::kDeviceFailed;
  }
}

}  // namespace

void Check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // an error that does not stick must not be reported again by the next call
  throw Error(CodeOf(result), std::string("cuda: ") + what, "",
              std::string(cudaGetErrorName(result)) + " (" + cudaGetErrorString(result) + ")");
}

}  // namespace convolve::cuda
