// The walks over 8-bit pictures.
#include "cuda/walk_launch.cuh"

namespace convolve::cuda {

WalkFunction FindWalkU8(const WalkKey& key) { return WalkOf<uint8_t>(key); }

}  // namespace convolve::cuda
