// Decides, from plan and picture alone (never from a tile), how each pass is computed: that keeps any tiling the same.
#include "cpu/prepared_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "cpu/byte_plan.h"
#include "cpu/direct_plan.h"
#include "cpu/fft_prepare.h"
#include "cpu/halved_plan.h"
#include "cpu/load_block.h"
#include "cpu/pair_lines.h"
#include "cpu/value_bound.h"
#include "engine/tone_curve.h"

namespace convolve::cpu {
namespace {

/// Longest chain of one sum. 7 x 7 is one chain; a flat picture then errs by at most a few units in the last place.
constexpr int kChain = 49;
/// Tallest part: with more rows each input row in registers serves more of them, with fewer the chain has more columns.
constexpr int kPartRows = 16;
/// More parts than this are added with compensation.
constexpr size_t kPlainParts = 32;
/// Cuts `length` into pieces of nearly equal size, none above `most`: the begin of each piece, then `length`.
std::vector<int> Cuts(int length, int most) {
  const int pieces = (length + most - 1) / most;
  std::vector<int> cuts;
  for (int i = 0; i <= pieces; ++i) cuts.push_back(static_cast<int>(int64_t{length} * i / pieces));
  return cuts;
}

std::vector<KernelPart> PartsOf(int width, int height) {
  if (width * height <= kChain) return {{0, height, 0, width}};
  const int most_rows = width == 1 ? kChain : kPartRows;
  const std::vector<int> rows = Cuts(height, most_rows);
  const int tallest = (height + static_cast<int>(rows.size()) - 2) / (static_cast<int>(rows.size()) - 1);
  const std::vector<int> columns = Cuts(width, std::max(1, kChain / tallest));
  std::vector<KernelPart> parts;
  for (size_t j = 0; j + 1 < rows.size(); ++j) {
    for (size_t i = 0; i + 1 < columns.size(); ++i) {
      parts.push_back({rows[j], rows[j + 1] - rows[j], columns[i], columns[i + 1] - columns[i]});
    }
  }
  return parts;
}

/// Dividing by a power of two is exact, so that it can move into the weights without changing any result. Every divisor
/// does where samples are no whole numbers: a weight is rounded once, over the divisor or not.
bool IsPowerOfTwo(double value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5 && exponent > -30 && exponent < 30;
}

template <typename T>
std::vector<uint8_t> UsesOf(const PreparedKernel<T>& kernel) {
  const auto zeros = std::count(kernel.weights.begin(), kernel.weights.end(), T{0});
  if (kernel.parts.size() > 1 || 4 * static_cast<size_t>(zeros) < kernel.weights.size()) return {};
  std::vector<uint8_t> uses;
  for (int r = 0; r < kernel.height + kRowsAtOnce - 1; ++r) {
    for (int i = 0; i < kernel.width; ++i) {
      unsigned bits = 0;
      for (int q = std::max(0, r - kernel.height + 1); q <= std::min(r, kRowsAtOnce - 1); ++q) {
        const bool used = kernel.weights[static_cast<size_t>((r - q) * kernel.width + i)] != 0;
        bits |= used ? 1u << q : 0u;
      }
      uses.push_back(static_cast<uint8_t>(bits));
    }
  }
  return uses;
}

template <typename T>
PreparedKernel<T> PrepareKernel(int width, int height, const std::vector<double>& weights, double divisor, bool whole) {
  PreparedKernel<T> kernel;
  kernel.width = width;
  kernel.height = height;
  const bool fold = !whole || IsPowerOfTwo(divisor);
  kernel.divisor = fold ? T{1} : static_cast<T>(divisor);
  std::vector<T> working;
  working.reserve(weights.size());
  for (const double weight : weights) working.push_back(static_cast<T>(fold ? weight / divisor : weight));
  kernel.weights = std::move(working);
  kernel.parts = PartsOf(width, height);
  kernel.uses = UsesOf(kernel);
  kernel.compensated = kernel.parts.size() > kPlainParts;
  return kernel;
}

template <typename T>
struct PrepareWork {
  PreparedPass<T>& pass;
  bool whole;      // the picture's samples are integers
  double largest;  // summand
  double full_scale;

  void operator()(const DenseWeights& dense) const { Add(dense); }
  void operator()(const BoxWeights& box) const {
    pass.box = PrepareBox<T>(box, largest, full_scale);
    pass.box.multiply = !whole;
    if (pass.box.empty()) (*this)(SeparableOf(box));
  }
  void operator()(const MagnitudeWeights& magnitude) const {
    Add(magnitude.x);
    Add(magnitude.y);
  }
  void operator()(const SeparableWeights& separable) const {
    pass.pair = PreparePairs<T>(separable, whole);
    pass.epilogue.divisor = pass.pair.divisor;
  }
  void operator()(const DiffusionStep& step) const {
    const AlphaWork alpha = pass.finish.alpha;
    const size_t channels = pass.finish.channels;
    const size_t colours = alpha == AlphaWork::kNone ? channels : channels - 1;
    const double unit = step.conductance * full_scale;
    const double colour = (pass.premultiply ? unit * full_scale : unit) * std::sqrt(static_cast<double>(colours));
    const bool moves = alpha == AlphaWork::kStraight || pass.premultiply;
    pass.diffusion = Diffusion<T>{step.stopping, static_cast<T>(step.rate),  channels,
                                  colours,       static_cast<T>(1 / colour), static_cast<T>(moves ? 1 / unit : 0)};
  }
  void Add(const DenseWeights& dense) const {
    PreparedKernel<T> kernel = PrepareKernel<T>(dense.width, dense.height, dense.weights, dense.divisor, whole);
    kernel.column = pass.reach.left - dense.anchor_x;
    kernel.row = pass.reach.top - dense.anchor_y;
    pass.epilogue.divisor = kernel.divisor;
    pass.dense.push_back(std::move(kernel));
  }
};

/// Whether every position that the pass reads has full alpha when the input does.
bool KeepsOpaque(const Pass& pass, const Reach& reach) {
  if (pass.size == SizeMode::kValid) return true;
  if (pass.border.kind == BorderKind::kConstant && pass.border.value == 1) return true;
  if (pass.border.kind != BorderKind::kZero && pass.border.kind != BorderKind::kConstant) return true;
  return reach.left == 0 && reach.top == 0 && reach.right == 0 && reach.bottom == 0;
}

AlphaWork AlphaWorkOf(const Pass& pass, const Reach& reach, bool alpha, bool opaque, double gain) {
  if (!alpha) return AlphaWork::kNone;
  switch (pass.alpha) {
    case AlphaMode::kWeighted:
      // Weighting by a constant is no weighting: the same result without two multiplications and a division.
      if (opaque && KeepsOpaque(pass, reach)) return AlphaWork::kOpaque;
      return gain == 0 ? AlphaWork::kUnmultiplyByInput : AlphaWork::kUnmultiplyByResult;
    case AlphaMode::kStraight:
      return std::holds_alternative<MagnitudeWeights>(pass.work) ? AlphaWork::kInput : AlphaWork::kStraight;
    case AlphaMode::kColourOnly:
      return opaque ? AlphaWork::kOpaque : AlphaWork::kInput;
  }
  return AlphaWork::kNone;
}

bool IsInteger(SampleType type) { return type == SampleType::kU8 || type == SampleType::kU16; }

/// What the pass's rows go through after the sums. `last` is the plan's last pass.
template <typename T>
void PrepareFinish(const Pass& pass, const PreparedPlan<T>& plan, const Purpose& purpose, bool last,
                   PreparedPass<T>& prepared) {
  FinishJob<T>& finish = prepared.finish;
  finish.full_scale = static_cast<T>(plan.full_scale);
  finish.offset = static_cast<T>(pass.epilogue.offset * plan.full_scale);
  // Adding -0 changes no bit: some loops leave it out.
  if (finish.offset == 0) finish.offset = T{-0.0f};
  finish.range = pass.range.kind;
  finish.range_minimum = static_cast<T>(pass.range.minimum * plan.full_scale);
  finish.range_span = static_cast<T>(pass.range.maximum - pass.range.minimum);
  prepared.to_encoded = pass.light == LightMode::kLinear;
  if (last && purpose.measure) {
    finish.range = RangeKind::kFloat;
    prepared.to_encoded = false;
  }
  // The store clamps to integers and fills in opaque alpha by itself.
  const bool store_suffices =
      last && !purpose.measure && !prepared.to_encoded && finish.offset == 0 &&
      (finish.range == RangeKind::kFloat || (finish.range == RangeKind::kClamp && IsInteger(purpose.type))) &&
      (finish.alpha == AlphaWork::kNone || finish.alpha == AlphaWork::kStraight || finish.alpha == AlphaWork::kOpaque);
  prepared.needs_finish = !store_suffices;
}

/// Lists the taps of a sparse kernel.
template <typename T>
void PrepareSparse(const Pass& pass, const PreparedPlan<T>& plan, PreparedPass<T>& prepared) {
  if (!std::holds_alternative<SparseWeights>(pass.work)) return;
  const PreparedKernel<T>& kernel = prepared.dense.front();
  prepared.sparse = std::make_shared<SparsePlan<T>>(
      PlanSparse<T>(kernel.width, kernel.height, kernel.weights, static_cast<size_t>(plan.channels)));
  prepared.direct = false;
}

/// Lets rows of results share their work, where that changes no more than the last digits: only of pictures of floats.
template <typename T>
void PrepareHalved(const PreparedPlan<T>& plan, const Purpose& purpose, double largest, PreparedPass<T>& prepared) {
  if constexpr (std::is_same_v<T, float>) {
    PreparedKernel<T>& kernel = prepared.dense.front();
    const bool floats = !IsInteger(plan.source_type) && prepared.direct;
    if (!purpose.halved || !floats || !kernel.uses.empty() || !IsHalvedSize(kernel.width, kernel.height)) return;
    if (!AreHalvedSamples(largest, plan.full_scale) || !AreHalvedWeights(kernel.weights, prepared.epilogue.divisor))
      return;
    kernel.halved = HalvedWeightsOf(kernel.weights, kernel.width, kernel.height);
  }
}

template <typename T>
PreparedMix<T> PrepareMix(const Pass& pass, const PreparedPlan<T>& plan, const PreparedPass<T>& prepared) {
  const Mix& mix = *pass.mix;
  const int colours = plan.alpha ? plan.channels - 1 : plan.channels;
  PreparedMix<T> result;
  MixJob<T>& job = result.job;
  job.channels = static_cast<size_t>(plan.channels);
  job.alpha = plan.alpha;
  job.full_scale = static_cast<T>(plan.full_scale);
  job.blend = mix.blend;
  job.luminance = colours == 3 && (mix.channels.luminance || mix.blend == BlendMode::kLuminosity);
  job.cut = pass.range.kind != RangeKind::kFloat;
  const bool opaque = mix.input == nullptr && prepared.finish.alpha == AlphaWork::kOpaque;
  job.weighted = plan.alpha && pass.alpha == AlphaMode::kWeighted && !opaque;
  job.replaces = mix.blend == BlendMode::kNormal && !job.luminance;
  if (mix.threshold > 0) {
    ThresholdJob<T>& threshold = result.threshold.emplace();
    threshold.threshold = static_cast<T>(mix.threshold * plan.full_scale);
    threshold.weighted = job.weighted;
    threshold.range = prepared.finish;
  }
  result.linear = pass.light == LightMode::kLinear;
  result.curve = plan.curve;
  result.opacity = mix.opacity;
  const bool changes[4] = {colours == 1 || mix.channels.red, mix.channels.green, mix.channels.blue, true};
  std::copy_n(changes, colours, result.changes);
  if (plan.alpha) result.changes[colours] = mix.channels.alpha;
  result.mask = mix.mask;
  result.input = mix.input;
  result.left = mix.input == nullptr ? prepared.across.offset : mix.input_x;
  result.top = mix.input == nullptr ? prepared.down.offset : mix.input_y;
  return result;
}

/// Whether the result has full alpha everywhere.
template <typename T>
bool LeavesOpaque(const PreparedPass<T>& pass, bool input_is) {
  const AlphaWork alpha = pass.finish.alpha;
  const bool kept = alpha == AlphaWork::kInput || alpha == AlphaWork::kUnmultiplyByInput;
  const bool filtered = alpha == AlphaWork::kOpaque || (kept && input_is);
  return filtered && (!pass.mix || (input_is && pass.mix->input == nullptr));
}

/// What a pass is prepared by, beside what is the same for all of a plan.
struct Surroundings {
  const Pass* pass;
  ResultSize input;
  SampleType input_type;
  bool first;
  bool last;
  bool opaque;
  double largest;

  friend bool operator==(const Surroundings& a, const Surroundings& b) {
    return a.pass == b.pass && a.input.width == b.input.width && a.input.height == b.input.height &&
           a.input_type == b.input_type && a.first == b.first && a.last == b.last && a.opaque == b.opaque &&
           a.largest == b.largest;
  }
};

template <typename T>
SampleType InputType(const PreparedPlan<T>& plan) {
  return plan.passes.empty() ? plan.source_type : plan.passes.back().kept_type;
}

/// `largest`: a bound on the input's code values. `whole`: what the pass is a half of, or itself.
template <typename T>
PreparedPass<T> PreparePass(const Pass& pass, const Pass& whole, const PreparedPlan<T>& plan, ResultSize input,
                            bool last, double largest, const Purpose& purpose, bool first_half = false) {
  const bool first = plan.passes.empty();
  PreparedPass<T> prepared;
  prepared.first_half = first_half;
  prepared.input_type = InputType(plan);
  prepared.reach = ReachOf(pass);
  const Reach& reach = prepared.reach;
  const bool valid = pass.size == SizeMode::kValid;
  prepared.input_width = input.width;
  prepared.input_height = input.height;
  prepared.output_width = valid ? input.width - reach.left - reach.right : input.width;
  prepared.output_height = valid ? input.height - reach.top - reach.bottom : input.height;
  prepared.across = {valid ? reach.left : 0, reach.left, reach.right};
  prepared.down = {valid ? reach.top : 0, reach.top, reach.bottom};

  prepared.epilogue.result = static_cast<T>(pass.epilogue.result);
  prepared.epilogue.input_factor = static_cast<T>(pass.epilogue.input);
  const bool weighted = plan.alpha && pass.alpha == AlphaMode::kWeighted;
  const double gain = weighted ? AlphaGain(whole) : 0;
  prepared.finish.alpha = AlphaWorkOf(whole, ReachOf(whole), plan.alpha, plan.opaque, gain);
  prepared.finish.gain = static_cast<T>(gain);
  prepared.finish.channels = static_cast<size_t>(plan.channels);
  const AlphaWork alpha = prepared.finish.alpha;
  prepared.premultiply = alpha == AlphaWork::kUnmultiplyByInput || alpha == AlphaWork::kUnmultiplyByResult;
  // A bound that is far from what samples are makes a grid too coarse for what is divided by alpha.
  const bool close = first || !prepared.premultiply || largest <= plan.full_scale;
  const double summand = close ? LargestSummand(pass, prepared.premultiply, plan.full_scale, *plan.curve, largest)
                               : std::numeric_limits<double>::infinity();
  std::visit(PrepareWork<T>{prepared, IsInteger(plan.source_type), summand, plan.full_scale}, pass.work);
  if (prepared.magnitude()) prepared.epilogue.divisor = 1;  // each kernel has its own, applied before the square root
  prepared.needs_epilogue = prepared.epilogue.divisor != 1 || pass.epilogue.result != 1 || pass.epilogue.input != 0;
  prepared.needs_input =
      pass.epilogue.input != 0 || alpha == AlphaWork::kInput || alpha == AlphaWork::kUnmultiplyByInput;

  prepared.border = pass.border.kind;
  prepared.curve = plan.curve;
  prepared.to_linear = pass.light == LightMode::kLinear;
  const double outside = pass.border.kind == BorderKind::kConstant ? pass.border.value : 0;
  // Integers are loaded through the table of the curve, so that their rows are in linear light at once.
  const bool by_table = prepared.to_linear && IsInteger(prepared.input_type);
  prepared.outside = static_cast<T>((by_table ? plan.curve->Linear(outside) : outside) * plan.full_scale);
  prepared.outside_alpha = plan.alpha ? static_cast<T>(outside * plan.full_scale) : prepared.outside;

  // What is measured are the values before the range, and so before the mix.
  const bool mixes = pass.mix.has_value() && !(last && purpose.measure);
  last = last && !mixes;
  PrepareFinish(pass, plan, purpose, last, prepared);
  PlanDirect(pass, plan, last, mixes, purpose, prepared);
  if (std::holds_alternative<DenseWeights>(pass.work)) PrepareHalved(plan, purpose, summand, prepared);
  PrepareFft(pass, whole, plan, purpose, last, prepared);
  PrepareSparse(pass, plan, prepared);
  if (!mixes) {
    PrepareBytes(pass, plan, last, purpose, prepared);
  } else {
    // Its rows are mixed as working values, with the input as it is stored.
    prepared.mix = PrepareMix(pass, plan, prepared);
    // A threshold looks at what is not in its range yet.
    if (prepared.mix->threshold) prepared.finish.range = RangeKind::kFloat;
    prepared.to_encoded = false;
  }
  if (!prepared.direct || mixes) prepared.kept_type = kWorkingType<T>;
  return prepared;
}

}  // namespace

bool AsksForOpacity(const Plan& plan, const Image& image) {
  return image.alpha() && std::any_of(plan.passes.begin(), plan.passes.end(),
                                      [](const Pass& pass) { return pass.alpha != AlphaMode::kStraight; });
}

bool AsksForLargest(const Plan& plan, bool halved) {
  return std::any_of(plan.passes.begin(), plan.passes.end(), [halved](const Pass& pass) {
    const auto* const dense = std::get_if<DenseWeights>(&pass.work);
    const bool grid =
        dense != nullptr && pass.light == LightMode::kEncoded && IsHalvedSize(dense->width, dense->height);
    return std::holds_alternative<BoxWeights>(pass.work) || (halved && grid);
  });
}

template <typename T>
PreparedPlan<T> Prepare(const Plan& plan, const Image& image, bool opaque, double largest, const Purpose& purpose) {
  PreparedPlan<T> prepared;
  prepared.channels = image.channels();
  prepared.alpha = image.alpha();
  prepared.opaque = image.alpha() && opaque;
  prepared.source_type = image.type();
  prepared.full_scale = FullScale(image.type());
  prepared.curve = image.curve().get();
  ResultSize size{image.width(), image.height()};
  const std::vector<const Pass*> steps = StepsOf(plan);
  LineBudget budget(image.width(), static_cast<size_t>(image.channels()) * sizeof(T));
  std::optional<std::pair<Surroundings, PreparedPass<T>>> before;
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool last = i + 1 == steps.size();
    prepared.line_bytes = budget.Take(*steps[i], last);
    const auto prepare = [&](const Pass& part, bool first_half = false) {
      return PreparePass<T>(part, *steps[i], prepared, size, last, largest, purpose, first_half);
    };
    const Surroundings around{steps[i], size, InputType(prepared), i == 0, last, prepared.opaque, largest};
    // A pass that is repeated is mostly the same each time.
    if (!before || !(before->first == around)) before.emplace(around, prepare(*steps[i]));
    PreparedPass<T> pass = before->second;
    const std::optional<PairLines> lines = LinesOf(*steps[i], pass, prepared, purpose, last);
    if (lines && lines->one) {
      pass = prepare(*lines->one);
    } else if (lines) {
      std::vector<PreparedPass<T>> down;
      std::vector<PreparedPass<T>> across;
      for (const Pass& half : lines->down) down.push_back(prepare(half, true));
      size = {down.front().output_width, down.front().output_height};
      prepared.passes.push_back(down.front());
      for (const Pass& half : lines->across) across.push_back(prepare(half));
      Halves<T> halves = JoinHalves(prepared, lines->column_sums, std::move(down), std::move(across));
      prepared.passes.back() = std::move(halves.down);
      pass = std::move(halves.across);
    }
    size = {pass.output_width, pass.output_height};
    const AlphaWork alpha = pass.finish.alpha;
    largest = LargestAfter(*steps[i], alpha, prepared.full_scale, *prepared.curve, largest);
    if (pass.mix) largest = std::numeric_limits<double>::infinity();
    prepared.opaque = LeavesOpaque(pass, prepared.opaque);
    if (!pass.mix && LoadsApart(pass, prepared)) prepared.passes.push_back(TakeLoading(pass, prepared));
    prepared.passes.push_back(std::move(pass));
  }
  prepared.size = size;
  return prepared;
}

template PreparedPlan<float> Prepare<float>(const Plan&, const Image&, bool, double, const Purpose&);
template PreparedPlan<double> Prepare<double>(const Plan&, const Image&, bool, double, const Purpose&);

}  // namespace convolve::cpu
