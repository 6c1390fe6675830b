// The walks over 16-bit pictures.
#include "cuda/walk_launch.cuh"

namespace convolve::cuda {

WalkFunction FindWalkU16(const WalkKey& key) { return WalkOf<uint16_t>(key); }

}  // namespace convolve::cuda
