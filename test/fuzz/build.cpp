// Draws weights and pictures. A new kind of work needs a branch in WorkOf, and the assertion below says so.
#include "build.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>
#include <variant>

#include "dice.h"
#include "engine/error.h"
#include "engine/plan.h"
#include "engine/reduce.h"

namespace convolve::fuzz {
namespace {

static_assert(std::variant_size_v<Work> == 7, "a new kind of work: draw it in WorkOf and in generate.cpp");

double DrawnWeight(Dice& dice, Drawn drawn) {
  switch (drawn) {
    case Drawn::kPositive:
      return dice.Share() + 1e-3;
    case Drawn::kMixed:
      return dice.Share() - 0.3;
    case Drawn::kWhole:
      return dice.Between(-3, 4);
    case Drawn::kDyadic:
      return dice.Between(0, 3);
    case Drawn::kZeroSum:
      return dice.Share() - 0.5;
  }
  return 0;
}

std::vector<double> DrawnWeights(Dice& dice, Drawn drawn, int count) {
  std::vector<double> weights;
  for (int i = 0; i < count; ++i) weights.push_back(DrawnWeight(dice, drawn));
  if (drawn == Drawn::kZeroSum && count > 1) {
    const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / count;
    for (double& weight : weights) weight -= mean;
  }
  return weights;
}

/// A divisor that keeps results near the picture's own values.
double DivisorFor(Dice& dice, Drawn drawn, double sum, double absolute) {
  switch (drawn) {
    case Drawn::kDyadic:
      return std::exp2(std::round(std::log2(std::max(sum, 1.0))));
    case Drawn::kWhole:
      return dice.OneIn(2) ? std::max(1.0, std::round(absolute / 2)) : dice.Between(1, 9) + absolute / 4;
    case Drawn::kZeroSum:
      return dice.OneIn(2) ? 1 : std::max(absolute, 1e-3);
    default:
      return std::abs(sum) > 0.2 * absolute ? sum : std::max(absolute, 1e-3);
  }
}

DenseWeights DenseOf(const WorkSpec& spec) {
  Dice dice(spec.seed);
  DenseWeights dense{spec.width, spec.height, spec.anchor_x, spec.anchor_y, {}, 1};
  dense.weights = DrawnWeights(dice, spec.drawn, spec.width * spec.height);
  if (spec.kind == WorkKind::kSparse) {
    // Few taps, as few as one, and now and then none.
    const int most = std::min<int>(60, spec.width * spec.height);
    const int taps = dice.OneIn(30) ? 0 : dice.Between(1, most);
    std::vector<bool> kept(dense.weights.size());
    for (int i = 0; i < taps; ++i) kept[static_cast<size_t>(dice.Between(0, spec.width * spec.height - 1))] = true;
    for (size_t i = 0; i < kept.size(); ++i) dense.weights[i] = kept[i] ? dense.weights[i] : 0;
  }
  double sum = 0;
  double absolute = 0;
  for (const double weight : dense.weights) {
    sum += weight;
    absolute += std::abs(weight);
  }
  dense.divisor = DivisorFor(dice, spec.drawn, sum, absolute);
  return dense;
}

SeparableWeights SeparableOf(const WorkSpec& spec) {
  Dice dice(spec.seed);
  SeparableWeights separable{spec.width, spec.height, spec.anchor_x, spec.anchor_y, {}, 1};
  double sum = 0;
  double absolute = 0;
  const auto total = [](const std::vector<double>& values, bool magnitudes) {
    double all = 0;
    for (const double value : values) all += magnitudes ? std::abs(value) : value;
    return all;
  };
  const int shape = dice.Between(0, 3);  // symmetric, antisymmetric across, or neither
  for (int r = 0; r < spec.pairs; ++r) {
    RankPair pair{DrawnWeights(dice, spec.drawn, spec.height), DrawnWeights(dice, spec.drawn, spec.width)};
    const bool folded = shape <= 1;
    const double sign = shape == 1 && spec.drawn != Drawn::kPositive && spec.drawn != Drawn::kDyadic ? -1 : 1;
    for (size_t i = 0; folded && i < pair.row.size() / 2; ++i) pair.row[pair.row.size() - 1 - i] = sign * pair.row[i];
    for (size_t j = 0; folded && j < pair.column.size() / 2; ++j) {
      pair.column[pair.column.size() - 1 - j] = pair.column[j];
    }
    sum += total(pair.row, false) * total(pair.column, false);
    absolute += total(pair.row, true) * total(pair.column, true);
    separable.pairs.push_back(std::move(pair));
  }
  separable.divisor = DivisorFor(dice, spec.drawn, sum, absolute);
  return separable;
}

BoxWeights BoxOf(const WorkSpec& spec) {
  Dice dice(spec.seed);
  const double area = static_cast<double>(spec.width) * spec.height;
  const double divisor = spec.drawn == Drawn::kDyadic ? std::exp2(std::round(std::log2(area)))
                         : dice.OneIn(4)              ? -area
                                                      : area;
  return {spec.width, spec.height, spec.anchor_x, spec.anchor_y, divisor};
}

DiffusionStep DiffusionOf(const WorkSpec& spec) {
  Dice dice(spec.seed);
  const EdgeStopping stopping = dice.OneIn(2) ? EdgeStopping::kExponential : EdgeStopping::kRational;
  const double conductance = dice.OneIn(10) ? std::pow(10.0, dice.Between(-6, 3)) : 0.01 + dice.Share();
  return {stopping, conductance, dice.OneIn(3) ? 0.25 : dice.OneIn(10) ? 0 : dice.Share() / 4};
}

Work WorkOf(const PassSpec& pass) {
  const WorkSpec& spec = pass.work;
  switch (spec.kind) {
    case WorkKind::kDense:
      return DenseOf(spec);
    case WorkKind::kSparse:
      return SparseWeights{DenseOf(spec)};
    case WorkKind::kFft:
      return FftWeights{DenseOf(spec)};
    case WorkKind::kSeparable:
      return SeparableOf(spec);
    case WorkKind::kBox:
      return BoxOf(spec);
    case WorkKind::kMagnitude:
      return MagnitudeWeights{DenseOf(spec), DenseOf(pass.other)};
    case WorkKind::kDiffusion:
      return DiffusionOf(spec);
  }
  return DenseOf(spec);
}

Pass PassOf(const PassSpec& spec) {
  Pass pass;
  pass.work = WorkOf(spec);
  pass.border = {spec.border, spec.border_value};
  pass.size = spec.valid ? SizeMode::kValid : SizeMode::kSame;
  pass.alpha = spec.alpha;
  pass.light = spec.linear ? LightMode::kLinear : LightMode::kEncoded;
  pass.epilogue = {spec.result, spec.input, spec.offset};
  pass.range = {spec.range, spec.minimum, spec.maximum};
  pass.repeat = spec.repeat;
  return pass;
}

/// As a mask is: nothing, everything, and between; with edges that run through the rows of vectors.
std::shared_ptr<const Image> MaskOf(uint32_t seed, const ResultSize& size) {
  constexpr int kMost = 65535;
  auto mask = std::make_shared<Image>(size.width, size.height, 1, false, SampleType::kU16);
  Dice dice(seed);
  const View<uint16_t> view = std::get<View<uint16_t>>(mask->view());
  const bool hard = dice.OneIn(3);
  for (int y = 0; y < view.height; ++y) {
    const int edge = dice.Between(0, view.width);
    const bool covered = dice.OneIn(2);
    for (int x = 0; x < view.width; ++x) {
      const int value = hard ? ((x < edge) == covered ? kMost : 0) : dice.OneIn(3) ? 0 : dice.Between(0, kMost);
      view.Row(y)[x] = static_cast<uint16_t>(dice.OneIn(4) ? kMost : value);
    }
  }
  return mask;
}

double DrawnSample(Dice& dice, const CaseSpec& spec, bool alpha) {
  if (alpha) {
    if (spec.content == Content::kOpaque) return 1;
    return dice.OneIn(4) ? 0 : dice.OneIn(3) ? 1 : dice.Share();
  }
  switch (spec.content) {
    case Content::kCoarse:
      return dice.Between(0, 4) / 4.0;
    case Content::kBright:
      return dice.Share() * 8 - 2;
    default:
      return dice.Share();
  }
}

/// A few samples, more often near the edges than their share.
template <typename T>
void AddSpecials(Dice& dice, const View<T>& view) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T kInfinite = std::numeric_limits<T>::infinity();
    constexpr T kNone = std::numeric_limits<T>::quiet_NaN();
    for (int count = dice.Between(1, 4); count > 0; --count) {
      const int x = dice.OneIn(3) ? 0 : dice.Between(0, view.width - 1);
      const int y = dice.OneIn(3) ? view.height - 1 : dice.Between(0, view.height - 1);
      const T value = dice.OneIn(2) ? kNone : dice.OneIn(2) ? kInfinite : -kInfinite;
      view.Row(y)[x * view.channels + dice.Between(0, view.channels - 1)] = value;
    }
  }
}

std::shared_ptr<const Image> PictureOf(const CaseSpec& spec) {
  auto image = std::make_shared<Image>(spec.width, spec.height, spec.channels, spec.alpha, spec.type);
  Dice dice(spec.seed);
  std::visit(
      [&](const auto& view) {
        using T = std::remove_pointer_t<decltype(view.data)>;
        for (int y = 0; y < view.height; ++y) {
          for (int i = 0; i < view.width * view.channels; ++i) {
            const bool alpha = spec.alpha && i % view.channels == view.channels - 1;
            const double value = DrawnSample(dice, spec, alpha) * FullScale(spec.type);
            view.Row(y)[i] = static_cast<T>(
                std::is_integral_v<T> ? std::clamp(std::round(value), 0.0, FullScale(spec.type)) : value);
          }
        }
        if (spec.content == Content::kSpecial) AddSpecials(dice, view);
      },
      image->view());
  return image;
}

/// `input` and `output`: sizes of the pass's pictures.
Mix MixOf(const MixSpec& spec, const CaseSpec& all, const ResultSize& input, const ResultSize& output) {
  Mix mix;
  mix.opacity = spec.opacity;
  mix.blend = spec.blend;
  mix.channels = {spec.red, spec.green, spec.blue, spec.alpha, spec.luminance};
  if (spec.mask != 0) mix.mask = MaskOf(spec.mask, input);
  if (spec.other == 0) return mix;
  Dice dice(spec.other);
  mix.input_x = dice.Between(0, 3);
  mix.input_y = dice.Between(0, 3);
  CaseSpec other = all;
  other.width = output.width + mix.input_x + dice.Between(0, 2);
  other.height = output.height + mix.input_y + dice.Between(0, 2);
  other.type = static_cast<SampleType>(dice.Between(0, 3));
  other.content = dice.OneIn(3) ? Content::kOpaque : Content::kNoise;
  other.seed = spec.other;
  mix.input = PictureOf(other);
  if (spec.mask != 0) mix.mask = MaskOf(spec.mask, {other.width, other.height});
  return mix;
}

/// Pixels of a length: begin and end by thousandths, at least one.
std::pair<int, int> Cut(int from, int to, int length) {
  const int begin = std::clamp(static_cast<int>(int64_t{from} * length / 1000), 0, length - 1);
  const int end = std::clamp(static_cast<int>((int64_t{to} * length + 999) / 1000), begin + 1, length);
  return {begin, end - begin};
}

}  // namespace

std::optional<BuiltCase> Build(const CaseSpec& spec) {
  BuiltCase built;
  for (const PassSpec& pass : spec.passes) built.plan.passes.push_back(PassOf(pass));
  try {
    ResultSize input{spec.width, spec.height};
    for (size_t i = 0; i < spec.passes.size(); ++i) {
      Pass& pass = built.plan.passes[i];
      const ResultSize output = SizeAfter({{pass}}, input.width, input.height);
      if (spec.passes[i].mix.there) pass.mix = MixOf(spec.passes[i].mix, spec, input, output);
      input = output;
    }
    const ResultSize size = SizeAfter(built.plan, spec.width, spec.height);
    const auto [x, width] = Cut(spec.left, spec.right, ReducedLength(size.width, spec.level));
    const auto [y, height] = Cut(spec.top, spec.bottom, ReducedLength(size.height, spec.level));
    built.request = {{x, y, width, height}, spec.level};
    built.image = PictureOf(spec);
    ValidatePlan(built.plan, *built.image);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kInvalidPlan) throw;
    return std::nullopt;
  }
  return built;
}

double Cost(const CaseSpec& spec) {
  double taps = 0;
  for (const PassSpec& pass : spec.passes) {
    constexpr double kDiffusionTaps = 40;
    const WorkSpec& work = pass.work;
    const bool line = work.kind == WorkKind::kSeparable || work.kind == WorkKind::kBox;
    double each = line ? work.pairs * (double{1} * work.width + work.height) : double{1} * work.width * work.height;
    if (work.kind == WorkKind::kMagnitude) each += double{1} * pass.other.width * pass.other.height;
    if (work.kind == WorkKind::kDiffusion) each = kDiffusionTaps;
    taps += each * pass.repeat;
  }
  return (taps + 10) * spec.width * spec.height * spec.channels;
}

}  // namespace convolve::fuzz
