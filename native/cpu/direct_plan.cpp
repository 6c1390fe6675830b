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

template <typename T>
std::optional<Gradient> GradientOf(const PreparedPass<T>& pass) {
  if (!pass.magnitude()) return std::nullopt;
  const PreparedKernel<T>& x = pass.dense[0];
  const PreparedKernel<T>& y = pass.dense[1];
  if (x.width != 3 || x.height != 3 || y.width != 3 || y.height != 3) return std::nullopt;
  if (x.row != y.row || x.column != y.column) return std::nullopt;
  const std::vector<T>& w = x.weights;
  const std::vector<T>& v = y.weights;
  for (const int i : {0, 1, 2}) {
    const size_t row = static_cast<size_t>(3 * i);
    const size_t column = static_cast<size_t>(i);
    if (w[row] != -w[row + 2] || w[row + 1] != 0) return std::nullopt;
    if (v[column] != -v[column + 6] || v[column + 3] != 0) return std::nullopt;
  }
  if (w[2] != w[8] || v[6] != v[8]) return std::nullopt;
  return Gradient{{static_cast<double>(w[2]), static_cast<double>(w[5])},
                  {static_cast<double>(v[6]), static_cast<double>(v[7])}};
}

/// Whether sums and their squares are whole numbers that gradient_kernels.cpp holds.
template <typename T>
bool IsWholeGradient(const Pass& pass, const PreparedPass<T>& prepared) {
  constexpr double kMostSum = 64;  // of magnitudes: 16 bits hold it times 255 with a sign, and 24 times 65535
  const auto fits = [](const double(&weights)[2]) {
    return std::floor(weights[0]) == weights[0] && std::floor(weights[1]) == weights[1] &&
           2 * std::abs(weights[0]) + std::abs(weights[1]) <= kMostSum;
  };
  const Gradient& gradient = *prepared.gradient;
  const RangeKind range = pass.range.kind;
  return fits(gradient.across) && fits(gradient.down) && prepared.dense[0].divisor == 1 &&
         prepared.dense[1].divisor == 1 && !prepared.needs_epilogue && prepared.finish.offset == 0 &&
         prepared.input_type == kIntegerType<T> && prepared.direct_type == kIntegerType<T> &&
         prepared.finish.alpha != AlphaWork::kStraight &&
         (range == RangeKind::kClamp || range == RangeKind::kFloat || range == RangeKind::kAbsolute);
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
  if (prepared.direct) prepared.gradient = GradientOf(prepared);
  prepared.whole_gradient = prepared.gradient && !mixes && IsWholeGradient(pass, prepared);
}

template void PlanDirect<float>(const Pass&, const PreparedPlan<float>&, bool, bool, const Purpose&,
                                PreparedPass<float>&);
template void PlanDirect<double>(const Pass&, const PreparedPlan<double>&, bool, bool, const Purpose&,
                                 PreparedPass<double>&);

}  // namespace convolve::cpu
