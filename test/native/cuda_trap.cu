// The kernel that fails.
#include "cuda_trap.h"

namespace convolve::test {
namespace {

__global__ void TrapKernel() { __trap(); }

}  // namespace

void TrapDevice() {
  cudaSetDevice(0);
  TrapKernel<<<1, 1>>>();
  cudaDeviceSynchronize();
}

}  // namespace convolve::test
