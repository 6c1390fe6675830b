// Starting a kernel before the one ahead of it in the stream has ended: its blocks take places that fall free, prepare
// what needs no memory, and wait. Launch it by LaunchNext, and let it call both functions here. Devices before 9.0 know
// no such start: there it is an ordinary launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "cuda/check.h"

namespace convolve::cuda {

/// To be called by every thread before it reads or writes device memory: waits until all work queued before has ended.
__device__ __forceinline__ void AwaitWork() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// The next kernel's blocks may take places that no block of this one needs. Called at a kernel's beginning.
__device__ __forceinline__ void LetNextPrepare() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/// Queues `kernel`, which calls AwaitWork. `what` is the subject of an error.
template <typename Parameters>
void LaunchNext(void (*kernel)(Parameters), const dim3& grid, int threads, size_t shared_bytes, cudaStream_t stream,
                const Parameters& parameters, const char* what) {
  int device = 0;
  int major = 0;
  Check(cudaGetDevice(&device), what);
  Check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), what);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = major >= 9 ? 1 : 0;
  Check(cudaLaunchKernelEx(&config, kernel, parameters), what);
}

}  // namespace convolve::cuda
