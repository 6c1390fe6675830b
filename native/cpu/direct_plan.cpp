// From the samples that a pass reads to those that it writes: the widest choice that changes no result.
#include "cpu/direct_plan.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

namespace convolve::cpu {
namespace {

/// Whether whole numbers from 0 to full scale become nothing else: values in between passes are not rounded, but those
/// that are whole may be kept as integers. Sums that single precision holds exactly, of weights that are whole once
/// they are divided, in a range that ends at full scale.
bool StaysWhole(const Pass& pass, AlphaWork alpha, double full_scale) {
  constexpr double kMostSum = 1 << 22;
  const DenseWeights* const dense = DenseOf(pass.work);
  const bool cut = pass.range.kind == RangeKind::kClamp || pass.range.kind == RangeKind::kAbsolute;
  // Alpha that is filtered is cut off below and above, whatever colours are.
  const bool plain = alpha == AlphaWork::kNone || alpha == AlphaWork::kOpaque || alpha == AlphaWork::kInput ||
                     alpha == AlphaWork::kStraight;
  if (dense == nullptr || !cut || !plain) return false;
  const auto whole = [](double value) { return value == std::nearbyint(value); };
  const double offset = pass.epilogue.offset * full_scale;
  double sum = std::abs(pass.epilogue.input);
  bool all = whole(offset) && whole(pass.epilogue.input);
  for (const double weight : dense->weights) {
    const double divided = pass.epilogue.result * weight / dense->divisor;
    all = all && whole(divided) && whole(weight) && whole(dense->divisor);
    sum += std::max(std::abs(divided), std::abs(weight));
  }
  return all && sum * full_scale + std::abs(offset) <= kMostSum;
}

}  // namespace

const DenseWeights* DenseOf(const Work& work) {
  return std::visit(
      [](const auto& weights) -> const DenseWeights* {
        if constexpr (std::is_base_of_v<DenseWeights, std::decay_t<decltype(weights)>>) {
          return &weights;
        } else {
          return nullptr;
        }
      },
      work);
}

template <typename T>
void PlanDirect(const Pass& pass, const PreparedPlan<T>& plan, bool last, bool mixes, const Purpose& purpose,
                PreparedPass<T>& prepared) {
  const SampleType source = prepared.input_type;
  const AlphaWork alpha = prepared.finish.alpha;
  const bool plain_alpha = alpha == AlphaWork::kNone || alpha == AlphaWork::kStraight || alpha == AlphaWork::kOpaque ||
                           alpha == AlphaWork::kInput;
  const bool compensated = std::any_of(prepared.dense.begin(), prepared.dense.end(),
                                       [](const PreparedKernel<T>& kernel) { return kernel.compensated; });
  // Outside an integer source lies a sample of it, or its rows could not be written down.
  const bool is_sample = prepared.outside >= 0 && prepared.outside <= static_cast<T>(plan.full_scale) &&
                         std::floor(prepared.outside) == prepared.outside;
  const bool outside_fits = source != kIntegerType<T> || is_sample;
  prepared.direct = !prepared.dense.empty() && !compensated && !prepared.to_linear && !prepared.to_encoded &&
                    plain_alpha && outside_fits && (source == kIntegerType<T> || source == kWorkingType<T>);
  prepared.direct_type =
      last && !purpose.measure && purpose.type == kIntegerType<T> && plan.source_type == kIntegerType<T>
          ? kIntegerType<T>
          : kWorkingType<T>;
  if (!last && !mixes && prepared.direct && source == kIntegerType<T> && StaysWhole(pass, alpha, plan.full_scale)) {
    prepared.direct_type = prepared.kept_type = kIntegerType<T>;
  }
}

template void PlanDirect<float>(const Pass&, const PreparedPlan<float>&, bool, bool, const Purpose&,
                                PreparedPass<float>&);
template void PlanDirect<double>(const Pass&, const PreparedPlan<double>&, bool, bool, const Purpose&,
                                 PreparedPass<double>&);

}  // namespace convolve::cpu
