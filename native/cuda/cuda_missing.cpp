// The cuda backend of a build without a CUDA compiler.
#include "cuda/cuda_unavailable.h"

namespace convolve {

std::unique_ptr<Backend> MakeCudaBackend() {
  return std::make_unique<cuda::UnavailableBackend>("this build has no CUDA");
}

}  // namespace convolve
