#include "cpu/byte_plan.h"

#include <cmath>
#include <variant>

#include "cpu/direct_plan.h"

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

/// Sums of a grid's bytes, which are bytes too.
template <typename T>
void PlanByteSums(const Pass& pass, const Purpose& purpose, PreparedPass<T>& prepared) {
  const bool bytes = prepared.input_type == SampleType::kU8 && prepared.direct_type == SampleType::kU8;
  if (!prepared.direct || prepared.whole_gradient || !purpose.byte_sums || !bytes) return;
  // Alpha that is filtered like a colour must end like one.
  const bool same =
      prepared.finish.offset == 0 && (pass.range.kind == RangeKind::kClamp || pass.range.kind == RangeKind::kFloat);
  if (prepared.finish.alpha == AlphaWork::kStraight && !same) return;
  if (prepared.window_height() + kMostAtOnce - 1 > static_cast<int>(kMostByteRows)) return;
  ByteSource source;
  if (const auto* magnitude = std::get_if<MagnitudeWeights>(&pass.work)) {
    source.kernel = &magnitude->x;
    source.other = &magnitude->y;
  } else {
    source.kernel = DenseOf(pass.work);
  }
  source.width = prepared.window_width();
  source.height = prepared.window_height();
  source.anchor_x = prepared.reach.left;
  source.anchor_y = prepared.reach.top;
  source.epilogue = pass.epilogue;
  source.range = pass.range.kind;
  prepared.bytes = ByteWeightsOf(source);
}

}  // namespace

template <typename T>
void PrepareBytes(const Pass& pass, const PreparedPlan<T>& plan, bool last, const Purpose& purpose,
                  PreparedPass<T>& prepared) {
  PlanByteSums(pass, purpose, prepared);
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
