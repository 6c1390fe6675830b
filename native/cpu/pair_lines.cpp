// Sums of a pair take instructions in proportion to its taps, transforms hardly more for long ones than for short ones:
// the constants of either were measured.
#include "cpu/pair_lines.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
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

/// What is won has to be worth the whole tiles that a view needs parts of.
constexpr double kWorthwhile = 0.85;

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
  int channels = 0;        // of the picture, and of these are filtered
  int filtered = 0;
  int most_rows = 0;  // between the halves
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
  return tap * static_cast<double>(separable.pairs.size()) * (separable.width + separable.height);
}

double LineWork(const SeparableWeights& separable, const LinesContext& context) {
  LineNeeds needs;
  needs.tiles = TilesOfLines(context.filtered, context.channels);
  needs.value_bytes = context.in_double ? sizeof(double) : sizeof(float);
  constexpr double kSum = 4;  // of two pairs
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
  if (context.filtered == 3 && needs.tiles == 1) work *= 4.0 / 3;
  const double pairs = static_cast<double>(separable.pairs.size());
  return pairs * work + (pairs - 1) * kSum;
}

template <typename T>
int RowsBetween(const PreparedPass<T>& direct, const PreparedPlan<T>& plan) {
  return static_cast<int>(plan.line_bytes / (static_cast<double>(direct.input_width) * plan.channels * sizeof(T)));
}

template <typename T>
LinesContext ContextOf(const PreparedPass<T>& direct, const PreparedPlan<T>& plan, int rows, const Purpose& purpose,
                       bool last) {
  const AlphaWork alpha = direct.finish.alpha;
  const bool strict = IsInteger(plan.source_type) || !last || IsInteger(purpose.type);
  LinesContext context;
  context.in_double = sizeof(T) == sizeof(double) || (strict && (direct.to_linear || direct.premultiply));
  context.byte_sums = direct.byte_pair.has_value();
  context.filtered = plan.channels - (alpha == AlphaWork::kOpaque || alpha == AlphaWork::kInput ? 1 : 0);
  context.channels = plan.channels;
  context.most_rows = rows;
  context.output_width = direct.output_width;
  context.output_height = direct.output_height;
  return context;
}

/// Whether so many sums of integers end in a half that each must be exact.
bool HasTies(const SeparableWeights& separable) {
  double quantum = std::numeric_limits<double>::infinity();
  for (const RankPair& pair : separable.pairs) {
    quantum = std::min(quantum, QuantumOf(pair.column) * QuantumOf(pair.row));
  }
  return AreTiesFrequent(quantum, separable.divisor);
}

/// Whether transforms in float hold the weights of all pairs: those of zeros, and very small and large ones, are
/// summed.
bool HaveSize(const SeparableWeights& separable) {
  return std::all_of(separable.pairs.begin(), separable.pairs.end(), [&](const RankPair& pair) {
    const double size = AbsoluteSum(pair.column) * AbsoluteSum(pair.row);
    const double divided = size / std::abs(separable.divisor);
    return size > 1e-14 && size < 1e14 && divided > 1e-14 && divided < 1e14;
  });
}

/// The second half has the scale and the divisor.
PairLines HalvesOf(const Pass& pass, const SeparableWeights& separable) {
  PairLines lines;
  for (const RankPair& pair : separable.pairs) {
    const int exponent = ScaleOf(pair.column);
    std::vector<double> column = Scaled(pair.column, -exponent);
    lines.column_sums.push_back(Sum(column));
    Pass& down = lines.down.emplace_back(pass);
    down.work = FftWeights{{1, separable.height, 0, separable.anchor_y, std::move(column), 1}};
    down.epilogue = {};
    down.range = {RangeKind::kFloat};
    down.mix.reset();
    lines.across.emplace_back(pass).work =
        FftWeights{{separable.width, 1, separable.anchor_x, 0, Scaled(pair.row, exponent), separable.divisor}};
  }
  return lines;
}

PairLines AlongOne(const Pass& pass, const SeparableWeights& separable) {
  const RankPair& pair = separable.pairs.front();
  std::vector<double> weights = pair.column;
  if (separable.width > 1) weights = pair.row;
  const double other = separable.width > 1 ? pair.column.front() : pair.row.front();
  for (double& weight : weights) weight *= other;
  PairLines lines;
  lines.one.emplace(pass).work = FftWeights{{separable.width, separable.height, separable.anchor_x, separable.anchor_y,
                                             std::move(weights), separable.divisor}};
  return lines;
}

/// Nothing is done to the sums.
template <typename T>
void LeaveSums(PreparedPass<T>& pass) {
  pass.to_encoded = pass.needs_finish = pass.needs_input = false;
  pass.epilogue.result = 1;
  pass.epilogue.input_factor = 0;
  pass.needs_epilogue = pass.epilogue.divisor != 1;
  const AlphaWork alpha = pass.finish.alpha;
  if (alpha != AlphaWork::kOpaque && alpha != AlphaWork::kInput && alpha != AlphaWork::kNone) {
    pass.finish.alpha = AlphaWork::kStraight;
  }
}

}  // namespace

double LineBudget::Take(const Pass& step, bool last) {
  constexpr double kBound = 64 << 20;
  constexpr double kShare = 3;
  const Reach reach = ReachOf(step);
  const double across = reach.left + reach.right;
  const double down = reach.top + reach.bottom;
  if (!first_) {
    // What strips could not bound either (strips.h) need not be summed for the sake of them.
    unbounded_ = unbounded_ || std::min<double>(width_, across * 4 / 3) * down * pixel_bytes_ > kBound;
    left_ = std::max(0.0, left_ - down * width_ * pixel_bytes_);
  }
  const double share = last ? left_ : left_ / kShare;
  // Tiles of rows wait between the halves, and before them.
  const double bytes = unbounded_ ? kMostBytes / 2 : share / (first_ ? 1 : 2);
  if (std::holds_alternative<SeparableWeights>(step.work) && down + 1 >= kLeastTaps) left_ -= share;
  first_ = false;
  return bytes;
}

template <typename T>
std::optional<PairLines> LinesOf(const Pass& pass, const PreparedPass<T>& direct, const PreparedPlan<T>& plan,
                                 const Purpose& purpose, bool last) {
  const auto* const separable = std::get_if<SeparableWeights>(&pass.work);
  if (separable == nullptr || purpose.pairs == PairSums::kDirect) return std::nullopt;
  const bool both = separable->width > 1 && separable->height > 1;
  const int longest = std::max(separable->width, separable->height);
  const int pairs = static_cast<int>(separable->pairs.size());
  if (longest == 1 || (!both && pairs > 1) || !HaveSize(*separable)) return std::nullopt;
  // The pixels themselves are there when the second half runs where they are the picture's.
  if (both && (direct.needs_input || pass.mix) && !plan.passes.empty()) return std::nullopt;
  const int rows = RowsBetween(direct, plan) / pairs;
  if (both && rows < kLeastLineRows) return std::nullopt;
  if (IsInteger(plan.source_type) && HasTies(*separable)) return std::nullopt;
  if (purpose.pairs == PairSums::kCounted) {
    if (longest < kLeastTaps) return std::nullopt;
    const LinesContext context = ContextOf(direct, plan, rows, purpose, last);
    if (LineWork(*separable, context) >= kWorthwhile * DirectWork(*separable, context)) return std::nullopt;
  }
  return both ? HalvesOf(pass, *separable) : AlongOne(pass, *separable);
}

template <typename T>
Halves<T> JoinHalves(const PreparedPlan<T>& plan, const std::vector<double>& column_sums,
                     std::vector<PreparedPass<T>> down, std::vector<PreparedPass<T>> across) {
  for (PreparedPass<T>& one : down) {
    one.first_half = true;
    LeaveSums(one);
  }
  const PreparedPass<T>& first = down.front();
  // Outside lies what the columns there sum up to.
  double outside = first.outside;
  if (first.to_linear && !IsInteger(first.input_type)) {
    outside = plan.curve->Linear(outside / plan.full_scale) * plan.full_scale;
  }
  if (first.premultiply) outside *= first.outside_alpha;
  auto own = std::make_shared<PreparedPass<T>>(across.front());
  own->input_type = first.input_type;
  own->input_height = first.input_height;
  own->outside = first.outside;
  own->reach = {};
  own->across = {own->across.offset, 0, 0};
  own->down = {first.down.offset, 0, 0};
  for (size_t i = 0; i < across.size(); ++i) {
    PreparedPass<T>& one = across[i];
    one.outside = static_cast<T>(outside * column_sums[i]);
    one.outside_alpha = static_cast<T>(first.outside_alpha * column_sums[i]);
    one.to_linear = one.premultiply = false;
    one.own = own;
    // The pixels themselves lie before both.
    if (one.mix && one.mix->input == nullptr) one.mix->top = first.down.offset;
  }
  Halves<T> halves{down.front(), across.front()};
  if (down.size() == 1) return halves;
  for (PreparedPass<T>& one : across) {
    LeaveSums(one);
    one.mix.reset();
  }
  halves.down.terms = std::move(down);
  halves.across.terms = std::move(across);
  halves.across.epilogue.divisor = 1;
  halves.across.needs_epilogue = halves.across.epilogue.result != 1 || halves.across.epilogue.input_factor != 0;
  return halves;
}

#define CONVOLVE_INSTANTIATE(T)                                                                                      \
  template std::optional<PairLines> LinesOf<T>(const Pass&, const PreparedPass<T>&, const PreparedPlan<T>&,          \
                                               const Purpose&, bool);                                                \
  template Halves<T> JoinHalves<T>(const PreparedPlan<T>&, const std::vector<double>&, std::vector<PreparedPass<T>>, \
                                   std::vector<PreparedPass<T>>);
CONVOLVE_INSTANTIATE(float)
CONVOLVE_INSTANTIATE(double)
#undef CONVOLVE_INSTANTIATE

}  // namespace convolve::cpu
