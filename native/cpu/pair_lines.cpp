// Sums of a pair take instructions in proportion to its taps, transforms hardly more for long ones than for short ones:
// the constants of either were measured.
#include "cpu/pair_lines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "cpu/fft_line.h"
#include "cpu/fft_plan.h"
#include "engine/plan.h"
#include "engine/tone_curve.h"

namespace convolve::cpu {
namespace {

/// Shorter sides than this are never worth a look.
constexpr int kLeastTaps = 48;

bool IsInteger(SampleType type) { return type == SampleType::kU8 || type == SampleType::kU16; }

double AbsoluteSum(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += std::abs(weight);
  return sum;
}

double Sum(const std::vector<double>& weights) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  return sum;
}

/// A power of two that brings the weights to a sum near one: values between the halves have the size of samples.
int ScaleOf(const std::vector<double>& weights) {
  const double sum = AbsoluteSum(weights);
  return sum > 0 && std::isfinite(sum) ? std::ilogb(sum) : 0;
}

std::vector<double> Scaled(std::vector<double> weights, int exponent) {
  for (double& weight : weights) weight = std::ldexp(weight, exponent);
  return weights;
}

/// What decides beside the taps.
struct LinesContext {
  bool in_double = false;  // working values, or transforms of them
  bool byte_sums = false;  // bytes would be summed in whole numbers
  int filtered = 0;        // channels
  int most_rows = 0;       // between the halves
  int output_width = 0;
  int output_height = 0;
};

/// Vector instructions for each vector of results, as ShapeOfLine counts them. Of transforms in double, sums may be in
/// float, of pixels that are converted first.
double DirectWork(const SeparableWeights& separable, const LinesContext& context) {
  constexpr double kTap = 0.78;
  constexpr double kByteTap = 0.56;
  constexpr double kTapInDouble = 1.05;
  const double tap = context.byte_sums ? kByteTap : context.in_double ? kTapInDouble : kTap;
  return tap * (separable.width + separable.height);
}

double LineWork(const SeparableWeights& separable, const LinesContext& context) {
  LineNeeds needs;
  needs.tiles = context.filtered % 2 == 0 ? 1 : 2;
  needs.value_bytes = context.in_double ? sizeof(double) : sizeof(float);
  double work = 0;
  if (separable.height > 1) {
    needs.axes = FftAxes::kDown;
    needs.kernel = separable.height;
    needs.output = context.output_height;
    if (separable.width > 1) needs.most_rows = context.most_rows;
    work += ShapeOfLine(needs).work;
  }
  if (separable.width > 1) {
    needs.axes = FftAxes::kAcross;
    needs.kernel = separable.width;
    needs.output = context.output_width;
    work += ShapeOfLine(needs).work;
  }
  return work;
}

template <typename T>
int RowsBetween(const PreparedPass<T>& direct, const PreparedPlan<T>& plan) {
  return static_cast<int>(plan.line_bytes / (static_cast<double>(direct.input_width) * plan.channels * sizeof(T)));
}

template <typename T>
LinesContext ContextOf(const PreparedPass<T>& direct, const PreparedPlan<T>& plan, const Purpose& purpose, bool last) {
  const AlphaWork alpha = direct.finish.alpha;
  const bool strict = IsInteger(plan.source_type) || !last || IsInteger(purpose.type);
  LinesContext context;
  context.in_double = sizeof(T) == sizeof(double) || (strict && (direct.to_linear || direct.premultiply));
  context.byte_sums = direct.byte_pair.has_value();
  context.filtered = plan.channels - (alpha == AlphaWork::kOpaque || alpha == AlphaWork::kInput ? 1 : 0);
  context.most_rows = RowsBetween(direct, plan);
  context.output_width = direct.output_width;
  context.output_height = direct.output_height;
  return context;
}

/// Whether so many sums of integers end in a half that each must be exact.
bool HasTies(const SeparableWeights& separable) {
  const RankPair& pair = separable.pairs.front();
  return AreTiesFrequent(QuantumOf(pair.column) * QuantumOf(pair.row), separable.divisor);
}

}  // namespace

double LineBytesOf(const std::vector<const Pass*>& steps, int width, size_t pixel_bytes) {
  constexpr double kMostBytes = 46 << 20;
  constexpr double kBound = 64 << 20;
  if (steps.size() == 1) return kMostBytes;
  const double pixel = static_cast<double>(pixel_bytes);
  double waiting = 0;
  // Tiles of rows wait between the halves, and before them.
  double tiles = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const Reach reach = ReachOf(*steps[i]);
    const double across = reach.left + reach.right;
    const double down = reach.top + reach.bottom;
    const bool tall = std::holds_alternative<SeparableWeights>(steps[i]->work) && down + 1 >= kLeastTaps;
    if (tall) tiles += i == 0 ? 1 : 2;
    if (i == 0) continue;
    // What strips could not bound either (strips.h) need not be summed for the sake of them.
    if (std::min<double>(width, across * 4 / 3) * down * pixel > kBound) return kMostBytes / 2;
    waiting += down * width * pixel;
  }
  return std::max(0.0, (kMostBytes - waiting) / std::max(tiles, 1.0));
}

template <typename T>
std::optional<PairLines> LinesOf(const Pass& pass, const PreparedPass<T>& direct, const PreparedPlan<T>& plan,
                                 const Purpose& purpose, bool last) {
  const auto* const separable = std::get_if<SeparableWeights>(&pass.work);
  if (separable == nullptr || separable->pairs.size() > 1 || purpose.pairs == PairSums::kDirect) return std::nullopt;
  const bool both = separable->width > 1 && separable->height > 1;
  const int longest = std::max(separable->width, separable->height);
  if (longest == 1 || (both && (direct.needs_input || pass.mix))) return std::nullopt;
  if (both && RowsBetween(direct, plan) < kLeastLineRows) return std::nullopt;
  if (IsInteger(plan.source_type) && HasTies(*separable)) return std::nullopt;
  if (purpose.pairs == PairSums::kCounted) {
    if (longest < kLeastTaps) return std::nullopt;
    const LinesContext context = ContextOf(direct, plan, purpose, last);
    if (LineWork(*separable, context) >= DirectWork(*separable, context)) return std::nullopt;
  }
  const RankPair& pair = separable->pairs.front();
  PairLines lines;
  // Of both, the second one has the scale and the divisor.
  const int exponent = both ? ScaleOf(pair.column) : 0;
  if (separable->height > 1) {
    Pass& down = lines.down.emplace(pass);
    std::vector<double> weights = Scaled(pair.column, -exponent);
    lines.column_sum = Sum(weights);
    if (!both) {
      for (double& weight : weights) weight *= pair.row.front();
    }
    down.work =
        FftWeights{{1, separable->height, 0, separable->anchor_y, std::move(weights), both ? 1 : separable->divisor}};
    if (both) {
      down.epilogue = {};
      down.range = {RangeKind::kFloat};
      down.mix.reset();
    }
  }
  if (separable->width > 1) {
    Pass& across = lines.across.emplace(pass);
    std::vector<double> weights = Scaled(pair.row, exponent);
    if (!both) {
      for (double& weight : weights) weight *= pair.column.front();
    }
    across.work = FftWeights{{separable->width, 1, separable->anchor_x, 0, std::move(weights), separable->divisor}};
  }
  return lines;
}

template <typename T>
void JoinHalves(const PreparedPlan<T>& plan, double column_sum, PreparedPass<T>& down, PreparedPass<T>& across) {
  down.first_half = true;
  down.to_encoded = down.needs_finish = down.needs_epilogue = down.needs_input = false;
  if (down.finish.alpha != AlphaWork::kOpaque && down.finish.alpha != AlphaWork::kNone) {
    down.finish.alpha = AlphaWork::kStraight;
  }
  // Outside lies what the columns there sum up to.
  double outside = down.outside;
  if (down.to_linear && !IsInteger(down.input_type))
    outside = plan.curve->Linear(outside / plan.full_scale) * plan.full_scale;
  if (down.premultiply) outside *= down.outside_alpha;
  across.outside = static_cast<T>(outside * column_sum);
  across.outside_alpha = static_cast<T>(down.outside_alpha * column_sum);
  across.to_linear = across.premultiply = false;
}

template std::optional<PairLines> LinesOf<float>(const Pass&, const PreparedPass<float>&, const PreparedPlan<float>&,
                                                 const Purpose&, bool);
template std::optional<PairLines> LinesOf<double>(const Pass&, const PreparedPass<double>&, const PreparedPlan<double>&,
                                                  const Purpose&, bool);
template void JoinHalves<float>(const PreparedPlan<float>&, double, PreparedPass<float>&, PreparedPass<float>&);
template void JoinHalves<double>(const PreparedPlan<double>&, double, PreparedPass<double>&, PreparedPass<double>&);

}  // namespace convolve::cpu
