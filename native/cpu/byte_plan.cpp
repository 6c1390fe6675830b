#include "cpu/byte_plan.h"

#include <cmath>
#include <variant>

namespace convolve::cpu {
namespace {

/// Whether bytes become bytes, and nothing but them is looked at on the way.
template <typename T>
bool BecomesBytes(const Pass& pass, bool last, const Purpose& purpose, const PreparedPass<T>& prepared) {
  const bool bytes = prepared.input_type == SampleType::kU8 && purpose.type == SampleType::kU8;
  if (!last || purpose.measure || !purpose.byte_sums || !bytes) return false;
  const AlphaWork alpha = prepared.finish.alpha;
  const bool cut = pass.range.kind == RangeKind::kClamp || pass.range.kind == RangeKind::kFloat;
  const bool like_colour = alpha == AlphaWork::kStraight && pass.epilogue.offset == 0;
  const bool plain = alpha == AlphaWork::kNone || alpha == AlphaWork::kOpaque || like_colour;
  // Outside lies a byte, or its columns and rows could not be written down.
  const bool outside_fits =
      prepared.outside >= 0 && prepared.outside <= 255 && std::floor(prepared.outside) == prepared.outside;
  return cut && plain && outside_fits && !prepared.to_linear && !prepared.to_encoded;
}

}  // namespace

template <typename T>
void PrepareBytes(const Pass& pass, const PreparedPlan<T>& plan, bool last, const Purpose& purpose,
                  PreparedPass<T>& prepared) {
  if (!BecomesBytes(pass, last, purpose, prepared)) return;
  if (const auto* const pair = std::get_if<SeparableWeights>(&pass.work)) {
    prepared.byte_pair = BytePairOf(*pair, pass.epilogue);
  } else if (const auto* const sparse = std::get_if<SparseWeights>(&pass.work)) {
    prepared.byte_taps = ByteTapsOf(*sparse, pass.epilogue, static_cast<size_t>(plan.channels));
  }
}

template void PrepareBytes<float>(const Pass&, const PreparedPlan<float>&, bool, const Purpose&, PreparedPass<float>&);
template void PrepareBytes<double>(const Pass&, const PreparedPlan<double>&, bool, const Purpose&,
                                   PreparedPass<double>&);

}  // namespace convolve::cpu
