// The walks over float pictures.
#include "cuda/walk_launch.cuh"

namespace convolve::cuda {

WalkFunction FindWalkF32(const WalkKey& key) { return WalkOf<float>(key); }

}  // namespace convolve::cuda
