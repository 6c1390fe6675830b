// Check: every CUDA call's result becomes nothing or a typed error.
#pragma once

#include <cuda_runtime_api.h>

namespace convolve::cuda {

/// Returns where `result` is cudaSuccess. Otherwise throws Error: kOutOfMemory, kBackendUnavailable (no driver, no
/// device, no code for it) or kDeviceFailed, with `what` as its subject and CUDA's words as what was got. The runtime's
/// last error is cleared.
void Check(cudaError_t result, const char* what);

}  // namespace convolve::cuda
