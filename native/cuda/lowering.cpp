// The choices and constants of each pass. Constants are computed in float64 and rounded once.
#include "cuda/lowering.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "cuda/box.h"
#include "cuda/outer_product.h"
#include "cuda/ring.h"
#include "cuda/stencil_pass.h"
#include "engine/alpha.h"

namespace convolve::cuda {
namespace {

/// FFT kernels of at most so many cells a side are summed directly.
constexpr int kSmallSide = 15;
/// Boxes of at most so many cells along both sides together are separable kernels: running sums begin to pay there,
/// sooner where one launch does them.
constexpr int SmallBox(int channels, SampleType source) {
  if (source == SampleType::kU8) return channels == 4 ? 30 : 34;
  return source == SampleType::kF32 && (channels == 1 || channels == 4) ? 34 : 90;
}
/// Kernels of bytes with a walk of their own and fewer cells than this are not worth the tensor cores' preparations.
constexpr int kMatrixCellsPaid = 49;
/// Pairs of at most so many cells together are quicker without the tensor cores.
constexpr int kSmallPair = 16;
/// Largest sum that an FFT tells from its neighbours: its error stays below 2^-20 of the largest sum that could be.
constexpr double kLargestWhole = 1 << 19;

/// `integers`: what is divided are sums of integers, whose halves decide a rounding; they deserve a true division.
Divisor MakeDivisor(double value, bool integers) {
  const auto rounded = static_cast<float>(value);
  const float reciprocal = 1.0F / rounded;
  int exponent = 0;
  const bool power = std::abs(std::frexp(rounded, &exponent)) == 0.5F && std::isnormal(reciprocal);
  if (rounded == 1) return {1, 1, DivisionKind::kNone};
  return {rounded, reciprocal, power || !integers ? DivisionKind::kMultiply : DivisionKind::kCorrect};
}

/// Whether every weight is a whole number (or a number of 64ths), so that sums of integers are exact.
bool Whole(const std::vector<double>& weights) {
  return std::all_of(weights.begin(), weights.end(), [](double weight) {
    const double scaled = weight * 64;
    return scaled == std::floor(scaled) && std::abs(weight) < 65536;
  });
}

void Append(const std::vector<double>& values, double divisor, std::vector<float>* to) {
  to->reserve(to->size() + values.size());
  for (const double value : values) to->push_back(static_cast<float>(value / divisor));
}

/// What the sum is to be divided by: the divisor where sums of integers are exact, else 1, the weights having taken it.
double DivisorKept(const std::vector<double>& weights, double divisor) { return Whole(weights) ? divisor : 1; }
double DivisorKept(const DenseWeights& dense) { return DivisorKept(dense.weights, dense.divisor); }
double DivisorKept(const BoxWeights& box) { return box.divisor; }
double DivisorKept(const DiffusionStep& /*step*/) { return 1; }
double DivisorKept(const SeparableWeights& separable) {
  for (const RankPair& pair : separable.pairs) {
    if (!Whole(pair.row) || !Whole(pair.column)) return 1;
  }
  return separable.divisor;
}

template <typename Weights>
bool Centred(const Weights& weights) {
  return weights.width == weights.height && weights.anchor_x == weights.width / 2 &&
         weights.anchor_y == weights.height / 2;
}

template <typename Weights>
DeviceKernel ShapeOf(const Weights& weights) {
  return {nullptr, weights.width, weights.height, weights.anchor_x, weights.anchor_y};
}

bool HasWalk(WalkKind kind, int channels, int side) {
  return FindWalk({kind, SampleType::kF32, channels, side}) != nullptr;
}

/// Fills technique, weights and shapes.
struct TechniqueVisitor {
  int channels;
  int shared_bytes;
  SampleType source;  // kU8, kU16 or kF32
  LoweredPass* to;

  void operator()(const DenseWeights& dense) const {
    to->kernels[0] = ShapeOf(dense);
    if (dense.variant != VariantName::kNone) {
      to->technique = Technique::kVariant;
      to->variant = &VariantNamed(dense.variant);
      to->weights = to->variant->prepare(dense, dense.divisor / DivisorKept(dense));
      return;
    }
    const double taken = dense.divisor / DivisorKept(dense);
    Append(dense.weights, taken, &to->weights);
    if (Centred(dense) && HasWalk(WalkKind::kDense, channels, dense.width)) {
      to->technique = Technique::kWalk;
      to->walk = {WalkKind::kDense, SampleType::kF32, channels, dense.width};
    } else {
      to->technique = Technique::kTile;
    }
    if (source == SampleType::kU8) to->byte_walk = ByteWalkOf(dense, taken, channels);
    const bool paid = to->technique == Technique::kTile || dense.width * dense.height >= kMatrixCellsPaid;
    if (channels == 4 && paid) to->matrix = MatrixWeightsOf(dense, taken);
  }
  void operator()(const FftWeights& fft) const {
    to->fft = FftShapeOf(fft.width, fft.height, shared_bytes);
    // Small kernels are quicker and more exact as they are.
    if ((fft.width <= kSmallSide && fft.height <= kSmallSide) || to->fft.size_x == 0) {
      (*this)(static_cast<const DenseWeights&>(fft));
      return;
    }
    to->technique = Technique::kFft;
    to->kernels[0] = ShapeOf(fft);
    const double taken = fft.divisor / DivisorKept(fft);
    Append(fft.weights, taken, &to->weights);
    to->exact.reserve(fft.weights.size());
    for (const double weight : fft.weights) to->exact.push_back(weight / taken);
  }
  void operator()(const SeparableWeights& separable) const {
    to->kernels[0] = ShapeOf(separable);
    to->pairs = static_cast<int>(separable.pairs.size());
    const double taken = separable.divisor / DivisorKept(separable);
    if (source == SampleType::kU8) to->byte_walk = ByteWalkOf(separable, taken, channels);
    if (channels == 4 && source == SampleType::kU8 && separable.width + separable.height > kSmallPair) {
      to->pair = MatrixPairWeightsOf(separable, taken);
      if (to->pair.steps > 0 && MatrixPairSharedBytes(to->pair.steps) > shared_bytes) to->pair = {};
    }
    if (to->pairs == 1 && Centred(separable) && HasWalk(WalkKind::kSeparable, channels, separable.width)) {
      to->technique = Technique::kWalk;
      to->walk = {WalkKind::kSeparable, SampleType::kF32, channels, separable.width};
      Append(separable.pairs[0].column, taken, &to->weights);
      Append(separable.pairs[0].row, 1, &to->weights);
      return;
    }
    const bool fits = RingFits(channels, separable.width, separable.height, to->pairs, shared_bytes);
    to->technique = fits ? Technique::kRing : Technique::kStaged;
    for (const RankPair& pair : separable.pairs) {
      Append(pair.row, 1, &to->weights);
      Append(pair.column, taken, &to->weights);
    }
  }
  void operator()(const SparseWeights& sparse) const {
    const double taken = sparse.divisor / DivisorKept(sparse);
    std::vector<SparseTap> taps;
    for (int i = 0; i < sparse.width * sparse.height; ++i) {
      const double weight = sparse.weights[static_cast<size_t>(i)];
      if (weight == 0) continue;
      taps.push_back({i % sparse.width - sparse.anchor_x, i / sparse.width - sparse.anchor_y,
                      static_cast<float>(weight / taken), 0});
    }
    // A tap costs about as much as four cells of a small dense kernel.
    const int cells = sparse.width * sparse.height;
    if (sparse.width <= kSmallSide && sparse.height <= kSmallSide && static_cast<int>(taps.size()) * 4 >= cells) {
      (*this)(static_cast<const DenseWeights&>(sparse));
      return;
    }
    to->technique = Technique::kSparse;
    to->kernels[0] = ShapeOf(sparse);
    to->taps = std::move(taps);
  }
  void operator()(const BoxWeights& box) const {
    const bool small = box.width + box.height <= SmallBox(channels, source);
    if (small || !BoxFits(channels, box.width, shared_bytes)) {
      (*this)(SeparableOf(box));
      return;
    }
    to->technique = Technique::kBox;
    to->kernels[0] = ShapeOf(box);
  }
  void operator()(const DiffusionStep& step) const {
    to->technique = Technique::kDiffusion;
    to->diffusion.stopping = step.stopping;
    to->diffusion.rate = static_cast<float>(step.rate);
  }
  void operator()(const MagnitudeWeights& magnitude) const {
    to->magnitude = true;
    to->kernels[0] = ShapeOf(magnitude.x);
    to->kernels[1] = ShapeOf(magnitude.y);
    const double taken_x = magnitude.x.divisor / DivisorKept(magnitude.x);
    const double taken_y = magnitude.y.divisor / DivisorKept(magnitude.y);
    if (source == SampleType::kU8) to->byte_walk = ByteWalkOf(magnitude, taken_x, taken_y, channels);
    const bool same = Centred(magnitude.x) && Centred(magnitude.y) && magnitude.x.width == magnitude.y.width;
    if (same && HasWalk(WalkKind::kMagnitude, channels, magnitude.x.width)) {
      const std::optional<RankPair> x = OuterProduct(magnitude.x);
      const std::optional<RankPair> y = OuterProduct(magnitude.y);
      if (x && y) {
        to->technique = Technique::kWalk;
        to->walk = {WalkKind::kMagnitude, SampleType::kF32, channels, magnitude.x.width};
        Append(x->column, taken_x, &to->weights);
        Append(x->row, 1, &to->weights);
        Append(y->column, taken_y, &to->weights);
        Append(y->row, 1, &to->weights);
        return;
      }
    }
    to->technique = Technique::kTile;
    if (channels == 4) to->matrix = MatrixWeightsOf(magnitude, taken_x, taken_y);
    Append(magnitude.x.weights, taken_x, &to->weights);
    Append(magnitude.y.weights, taken_y, &to->weights);
  }
};

struct DivisorsVisitor {
  bool integers;
  FinishParameters* finish;
  void operator()(const MagnitudeWeights& magnitude) const {
    finish->divisor = MakeDivisor(DivisorKept(magnitude.x), integers);
    finish->divisor_y = MakeDivisor(DivisorKept(magnitude.y), integers);
  }
  template <typename Weights>
  void operator()(const Weights& weights) const {
    finish->divisor = MakeDivisor(DivisorKept(weights), integers);
    finish->divisor_y = MakeDivisor(1, integers);
  }
};

void SetRange(const Range& range, double full_scale, FinishParameters* finish) {
  switch (range.kind) {
    case RangeKind::kClamp:
      finish->steps |= kStepBound;
      break;
    case RangeKind::kAbsolute:
      finish->steps |= kStepAbsolute | kStepBound;
      break;
    case RangeKind::kSigned:
      finish->steps |= kStepStretch | kStepBound;
      finish->stretch = 0.5F;
      finish->shift = static_cast<float>(full_scale / 2);
      break;
    case RangeKind::kFloat:
      break;
    case RangeKind::kRescale: {
      const double span = range.maximum - range.minimum;
      finish->steps |= span == 0 ? kStepFlat : kStepStretch;
      if (span == 0) break;
      finish->stretch = static_cast<float>(1 / span);
      finish->shift = static_cast<float>(-range.minimum * full_scale / span);
      break;
    }
  }
}

/// Decides the alpha rule; says whether the picture stays opaque.
bool SetAlpha(const Pass& pass, const PictureKind& kind, bool opaque, LoweredPass* to) {
  FinishParameters& finish = to->finish;
  finish.alpha = AlphaRule::kNone;
  if (!kind.alpha) return false;
  // Where everything that the kernel can reach is opaque, weighting changes nothing: colour is filtered as it is, alpha
  // stays full. Exact, and cheaper.
  const bool outside_opaque =
      pass.border.kind != BorderKind::kZero && (pass.border.kind != BorderKind::kConstant || pass.border.value == 1);
  switch (pass.alpha) {
    case AlphaMode::kWeighted:
      if (opaque && outside_opaque) {
        finish.alpha = AlphaRule::kFull;
      } else {
        const double gain = AlphaGain(pass);
        finish.alpha = gain != 0 ? AlphaRule::kGain : AlphaRule::kWeightedOwn;
        finish.gain =
            MakeDivisor(gain != 0 ? gain : 1, kind.depth == SampleType::kU8 || kind.depth == SampleType::kU16);
        to->premultiply = true;
      }
      break;
    case AlphaMode::kStraight:
      finish.alpha = to->magnitude ? AlphaRule::kOwn : AlphaRule::kStraight;
      break;
    case AlphaMode::kColourOnly:
      finish.alpha = AlphaRule::kOwn;
      break;
  }
  if (opaque && finish.alpha == AlphaRule::kOwn) finish.alpha = AlphaRule::kFull;
  finish.steps |= kStepAlpha;
  if (finish.alpha == AlphaRule::kWeightedOwn || finish.alpha == AlphaRule::kOwn) finish.steps |= kStepOwn;
  return finish.alpha == AlphaRule::kFull;
}

/// How far apart numbers of pixels are, in units of the conductance.
void SetDiffusion(const DiffusionStep& step, const PictureKind& kind, LoweredPass* to) {
  const double unit = step.conductance * FullScale(kind.depth);
  DiffusionParameters& diffusion = to->diffusion;
  diffusion.colours = kind.alpha ? kind.channels - 1 : kind.channels;
  const double colour = to->premultiply ? unit * FullScale(kind.depth) * to->alpha_scale : unit;
  diffusion.per_colour = static_cast<float>(1 / (colour * std::sqrt(static_cast<double>(diffusion.colours))));
  const bool moves = to->premultiply || to->finish.alpha == AlphaRule::kStraight;
  diffusion.per_alpha = moves ? static_cast<float>(1 / unit) : 0.0F;
}

/// Sums of whole weights and whole samples are whole numbers.
void SetWhole(double full_scale, LoweredPass* to) {
  double magnitude = 0;
  for (const double weight : to->exact) {
    if (weight != std::floor(weight)) return;
    magnitude += std::abs(weight);
  }
  const bool outside =
      std::all_of(to->outside, to->outside + 4, [](float value) { return value == std::floor(value); });
  to->whole =
      outside && !to->exact.empty() && !to->linear && !to->premultiply && magnitude * full_scale <= kLargestWhole;
}

/// How a box is summed: `full_scale` is 0 where the source holds no integers.
void SetBox(const BoxWeights& box, double full_scale, LoweredPass* to) {
  const double cells = static_cast<double>(box.width) * box.height;
  // Colour times alpha: as large as the square of full scale for bytes, of which 16-bit alpha is a share.
  const double most = cells * full_scale * (to->premultiply && full_scale == 255 ? full_scale : 1);
  const bool whole = full_scale == 255 || (full_scale == 65535 && !to->premultiply);
  to->box_integers = whole && !to->linear && most < 4294967296.0;
  if (full_scale > 0 && most >= 16777216.0) {
    to->box_divisor = box.divisor;
    to->finish.divisor = MakeDivisor(1, true);
  }
}

bool IsSimple(const FinishParameters& finish) {
  const bool full = finish.alpha == AlphaRule::kFull && finish.offset == 0;
  const uint32_t others = finish.steps & ~static_cast<uint32_t>(kStepBound);
  return others == 0 || (full && others == kStepAlpha);
}

/// The border's constant in the pass's light, not premultiplied.
void SetOutside(const Pass& pass, const PictureKind& kind, LoweredPass* to) {
  const double full_scale = FullScale(kind.depth);
  const double stored = pass.border.kind == BorderKind::kConstant ? pass.border.value : 0;
  const double alpha = stored * full_scale;
  const double colour = (to->linear ? kind.curve->Linear(stored) : stored) * full_scale;
  for (float& value : to->outside) value = static_cast<float>(colour);
  if (kind.alpha) to->outside[kind.channels - 1] = static_cast<float>(alpha);
}

/// How the pass's result enters its input, where it has a mix.
std::optional<LoweredMix> LowerMix(const Pass& pass, const PictureKind& kind) {
  if (!pass.mix) return std::nullopt;
  const Mix& mix = *pass.mix;
  const double full_scale = FullScale(kind.depth);
  LoweredMix to;
  to.parameters.opacity = static_cast<float>(mix.opacity);
  to.parameters.blend = mix.blend;
  to.parameters.channels = mix.channels;
  to.parameters.weighted = kind.alpha && pass.alpha == AlphaMode::kWeighted;
  to.parameters.cut = pass.range.kind != RangeKind::kFloat;
  to.parameters.full_scale = static_cast<float>(full_scale);
  to.parameters.transparent = static_cast<float>(kTransparent * full_scale);
  to.parameters.threshold = static_cast<float>(mix.threshold * full_scale);
  to.parameters.input_factor = 1;
  to.mask = mix.mask;
  to.input = mix.input;
  if (mix.input != nullptr) {
    to.parameters.input_factor = static_cast<float>(full_scale / FullScale(mix.input->type()));
    to.input_x = mix.input_x;
    to.input_y = mix.input_y;
  } else if (pass.size == SizeMode::kValid) {
    const Reach reach = ReachOf(pass);
    to.input_x = reach.left;
    to.input_y = reach.top;
  }
  return to;
}

/// Takes as many of `left` repeats of the pass at once as are worth it, where it can be a stencil: each pixel's alpha a
/// sample like the others, or full. Says how many; 0 leaves the pass as it is.
int AsStencil(const Pass& pass, int left, LoweredPass* to) {
  const AlphaRule alpha = to->finish.alpha;
  const int steps = StencilSteps(left);
  if (steps == 0 || (alpha != AlphaRule::kNone && alpha != AlphaRule::kFull && alpha != AlphaRule::kStraight)) return 0;
  const std::optional<std::array<float, 9>> weights = StencilWeights(pass);
  if (!weights) return 0;
  to->technique = Technique::kStencil;
  to->weights.assign(weights->begin(), weights->end());
  to->repeat = steps;
  to->reach = {steps, steps, steps, steps};
  FinishParameters& finish = to->finish;
  finish.divisor = {1, 1, DivisionKind::kNone};
  finish.result = 1;
  finish.input = 0;
  finish.steps &= ~static_cast<uint32_t>(kStepMix | kStepMixInput | kStepOwn);
  finish.simple = IsSimple(finish);
  return steps;
}

}  // namespace

std::vector<LoweredPass> Lower(const Plan& plan, const PictureKind& kind, int shared_bytes, bool measure) {
  const double full_scale = FullScale(kind.depth);
  std::vector<LoweredPass> lowered;
  bool opaque = kind.alpha && kind.opaque;
  const std::vector<const Pass*> steps = StepsOf(plan);
  for (size_t i = 0; i < steps.size(); ++i) {
    const Pass& pass = *steps[i];
    const bool measured = measure && i + 1 == steps.size();
    LoweredPass to;
    const SampleType source = i == 0 ? kind.stored : SampleType::kF32;
    std::visit(TechniqueVisitor{kind.channels, shared_bytes, source, &to}, pass.work);
    to.reach = ReachOf(pass);
    to.valid = pass.size == SizeMode::kValid;
    to.border = pass.border.kind;
    to.linear = pass.light == LightMode::kLinear;
    to.alpha_scale = kind.depth == SampleType::kU16 ? static_cast<float>(1 / full_scale) : 1.0F;

    FinishParameters& finish = to.finish;
    finish.full_scale = static_cast<float>(full_scale);
    finish.transparent = static_cast<float>(kTransparent * full_scale);
    finish.alpha_scale = to.alpha_scale;
    finish.result = static_cast<float>(pass.epilogue.result);
    finish.input = static_cast<float>(pass.epilogue.input);
    finish.offset = static_cast<float>(pass.epilogue.offset * full_scale);
    const bool integers = kind.depth == SampleType::kU8 || kind.depth == SampleType::kU16;
    finish.gain = MakeDivisor(1, integers);
    finish.store = MakeDivisor(1, integers);
    std::visit(DivisorsVisitor{integers, &finish}, pass.work);
    if (finish.result != 1) finish.steps |= kStepMix;
    if (finish.input != 0) finish.steps |= kStepMix | kStepMixInput | kStepOwn;
    opaque = SetAlpha(pass, kind, opaque, &to);
    if (!kind.alpha && finish.offset != 0) finish.steps |= kStepOffset;
    if (!measured) SetRange(pass.range, full_scale, &finish);
    const bool bound_alpha = kind.alpha && finish.alpha != AlphaRule::kFull && !measured;
    if (bound_alpha && pass.range.kind != RangeKind::kFloat) finish.steps |= kStepBoundAlpha;
    finish.simple = IsSimple(finish);
    // The result that is measured is not mixed; another picture may be transparent.
    if (!measured) to.mix = LowerMix(pass, kind);
    if (to.mix && to.mix->parameters.threshold > 0) {
      // The threshold looks at what is not in its range yet.
      constexpr uint32_t kRange = kStepAbsolute | kStepStretch | kStepFlat | kStepBound | kStepBoundAlpha;
      to.mix->range = finish;
      finish.steps &= ~kRange;
      finish.simple = IsSimple(finish);
    }
    opaque = opaque && !(pass.mix && pass.mix->input != nullptr);
    SetOutside(pass, kind, &to);
    if (const auto* const step = std::get_if<DiffusionStep>(&pass.work)) SetDiffusion(*step, kind, &to);
    if (to.technique == Technique::kBox) {
      const bool integers_here = i == 0 && kind.stored != SampleType::kF32;
      SetBox(std::get<BoxWeights>(pass.work), integers_here ? FullScale(kind.stored) : 0, &to);
    }
    // Only the first pass sees integers.
    if (i == 0 && kind.stored != SampleType::kF32) SetWhole(full_scale, &to);
    const bool range_differs = measure && &pass == &plan.passes.back() && pass.range.kind != RangeKind::kFloat;
    if (!range_differs && !pass.mix) {
      const auto left = std::count(steps.begin() + static_cast<ptrdiff_t>(i), steps.end(), &pass);
      const int taken = AsStencil(pass, static_cast<int>(left), &to);
      if (taken > 0) i += static_cast<size_t>(taken) - 1;
    }
    lowered.push_back(std::move(to));
  }
  return lowered;
}

FinishParameters WithStore(FinishParameters finish, SampleType depth, SampleType type) {
  const double from = FullScale(depth);
  const double to = FullScale(type);
  if (to > from) {
    finish.steps |= kStepMultiply;
    finish.store_factor = static_cast<float>(to / from);
  } else if (to < from) {
    finish.steps |= kStepDivide;
    finish.store = MakeDivisor(from / to, true);
  } else if ((type == SampleType::kU8 || type == SampleType::kU16) && finish.simple) {
    finish.steps &= ~static_cast<uint32_t>(kStepBound);
  }
  finish.simple = IsSimple(finish);
  return finish;
}

}  // namespace convolve::cuda
