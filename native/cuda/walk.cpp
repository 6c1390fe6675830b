// Finding the walk for a kind of work.
#include "cuda/walk.h"

namespace convolve::cuda {

WalkFunction FindWalk(const WalkKey& key) {
  switch (key.type) {
    case SampleType::kU8:
      return FindWalkU8(key);
    case SampleType::kU16:
      return FindWalkU16(key);
    case SampleType::kF32:
      return FindWalkF32(key);
    default:
      return nullptr;
  }
}

int WalkAlignment(const WalkKey& key) { return 4 * WalkQuads(key.kind, key.type, key.side); }

}  // namespace convolve::cuda
