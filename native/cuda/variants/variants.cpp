// The list of variants and what their preparations share.
#include "cuda/variants/variants.h"

#include <algorithm>

#include "engine/error.h"

namespace convolve::cuda {

const std::vector<Variant>& Variants() {
  static const std::vector<Variant> variants = {
    Naive1d(),
    Naive2d(),
    ConstantMemory(),
    Shared1d(),
    Shared2d(),
    TextureReads(),
    TwoLaunches(),
    Winograd(),
    TensorCores(),
#if CONVOLVE_CUFFT
    CuFft(),
#endif
  };
  return variants;
}

const Variant& VariantNamed(VariantName name) {
  std::string names;
  for (const Variant& variant : Variants()) {
    if (name == variant.id) return variant;
    names += (names.empty() ? "" : ", ") + std::string(variant.name);
  }
  throw Error(ErrorCode::kUnsupported, "variant", "one of " + names, "one that this build does not have");
}

std::vector<float> PlainWeights(const DenseWeights& dense, double taken) {
  std::vector<float> weights;
  for (const double weight : dense.weights) weights.push_back(static_cast<float>(weight / taken));
  return weights;
}

void RequireSides(const char* name, const DenseWeights& dense, int side) {
  if (std::max(dense.width, dense.height) <= side) return;
  throw Error(ErrorCode::kUnsupported, std::string("variant ") + name,
              "a kernel of at most " + std::to_string(side) + " cells a side",
              std::to_string(dense.width) + " x " + std::to_string(dense.height));
}

}  // namespace convolve::cuda
