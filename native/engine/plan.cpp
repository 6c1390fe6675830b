// Checks a plan before anything runs: every refusal names the field, what it should have been and what it was.
#include "engine/plan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <variant>

#include "engine/backend.h"
#include "engine/reduce.h"

namespace convolve {
namespace {

/// A gain smaller than this share of the weights' absolute sum is rounding dust: the kernel counts as summing to zero.
constexpr double kZeroSum = 1e-3;

std::string Number(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

std::string Times(int64_t width, int64_t height) { return std::to_string(width) + " x " + std::to_string(height); }

std::string Indexed(const std::string& name, size_t index) { return name + "[" + std::to_string(index) + "]"; }

void RequireFinite(const std::string& field, double value, ErrorCode code) {
  if (!std::isfinite(value)) throw Error(code, field, "a finite number", Number(value));
}

void RequireFinite(const std::string& field, const std::vector<double>& values) {
  // A kernel has up to a quarter of a million cells: only one that fails is worth its name.
  const auto wrong = std::find_if_not(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  if (wrong == values.end()) return;
  RequireFinite(Indexed(field, static_cast<size_t>(wrong - values.begin())), *wrong, ErrorCode::kInvalidKernel);
}

int LargestSide(const DenseWeights& /*weights*/) { return kMaximumKernelSide; }
int LargestSide(const SeparableWeights& /*weights*/) { return kMaximumKernelLength; }
int LargestSide(const BoxWeights& /*weights*/) { return kMaximumKernelLength; }

/// `weights` is any kind but a magnitude: what they have in common.
template <typename Weights>
void RequireShape(const std::string& field, const Weights& weights) {
  const int largest = LargestSide(weights);
  const auto within = [&](int side) { return side >= 1 && side <= largest; };
  if (!within(weights.width) || !within(weights.height)) {
    throw Error(ErrorCode::kInvalidKernel, field + " size", "1 to " + std::to_string(largest) + " cells a side",
                Times(weights.width, weights.height));
  }
  if (weights.anchor_x < 0 || weights.anchor_x >= weights.width || weights.anchor_y < 0 ||
      weights.anchor_y >= weights.height) {
    throw Error(ErrorCode::kInvalidKernel, field + ".anchor",
                "a cell of the " + Times(weights.width, weights.height) + " kernel",
                std::to_string(weights.anchor_x) + ", " + std::to_string(weights.anchor_y));
  }
}

void RequireShape(const std::string& field, const MagnitudeWeights& magnitude) {
  RequireShape(field + ".x", magnitude.x);
  RequireShape(field + ".y", magnitude.y);
}

void RequireShape(const std::string& /*field*/, const DiffusionStep& /*step*/) {}

template <typename Weights>
void RequireDivisor(const std::string& field, const Weights& weights) {
  RequireFinite(field + ".divisor", weights.divisor, ErrorCode::kInvalidKernel);
  if (weights.divisor == 0) throw Error(ErrorCode::kInvalidKernel, field + ".divisor", "not 0", "0");
}

void RequireCount(const std::string& field, const std::vector<double>& values, int64_t count) {
  if (static_cast<int64_t>(values.size()) != count) {
    throw Error(ErrorCode::kInvalidKernel, field, std::to_string(count) + " values", std::to_string(values.size()));
  }
}

void RequireWeights(const std::string& field, const DenseWeights& dense) {
  RequireShape(field, dense);
  RequireDivisor(field, dense);
  RequireCount(field + ".weights", dense.weights, int64_t{dense.width} * dense.height);
  RequireFinite(field + ".weights", dense.weights);
}

void RequireWeights(const std::string& field, const BoxWeights& box) {
  RequireShape(field, box);
  RequireDivisor(field, box);
}

void RequireWeights(const std::string& field, const SeparableWeights& separable) {
  RequireShape(field, separable);
  RequireDivisor(field, separable);
  if (separable.pairs.empty()) throw Error(ErrorCode::kInvalidKernel, field + ".pairs", "at least one pair", "none");
  for (size_t i = 0; i < separable.pairs.size(); ++i) {
    const std::string pair = Indexed(field + ".pairs", i);
    RequireCount(pair + ".column", separable.pairs[i].column, separable.height);
    RequireCount(pair + ".row", separable.pairs[i].row, separable.width);
    RequireFinite(pair + ".column", separable.pairs[i].column);
    RequireFinite(pair + ".row", separable.pairs[i].row);
  }
}

void RequireWeights(const std::string& field, const MagnitudeWeights& magnitude) {
  RequireWeights(field + ".x", magnitude.x);
  RequireWeights(field + ".y", magnitude.y);
}

void RequireWeights(const std::string& field, const DiffusionStep& step) {
  if (!(std::isfinite(step.conductance) && step.conductance >= kLeastConductance)) {
    throw Error(ErrorCode::kInvalidPlan, field + ".conductance",
                "a finite number, at least " + Number(kLeastConductance), Number(step.conductance));
  }
  if (!(step.rate >= 0 && step.rate <= kMostDiffusionRate)) {
    throw Error(ErrorCode::kInvalidPlan, field + ".rate", "0 to " + Number(kMostDiffusionRate), Number(step.rate));
  }
}

/// Where core/pass.ts keeps the weights of this work; a magnitude's two kernels and a diffusion's numbers are members
/// of it.
std::string WorkField(const std::string& pass, const Work& work) {
  const bool members = std::holds_alternative<MagnitudeWeights>(work) || std::holds_alternative<DiffusionStep>(work);
  return pass + (members ? ".work" : ".work.weights");
}

void RequireRepeat(const std::string& field, const Pass& pass) {
  if (pass.repeat < 1 || pass.repeat > kMaximumRepeat) {
    throw Error(ErrorCode::kInvalidPlan, field + ".repeat", "1 to " + std::to_string(kMaximumRepeat),
                std::to_string(pass.repeat));
  }
}

void RequirePass(const std::string& field, const Pass& pass) {
  std::visit([&](const auto& work) { RequireWeights(WorkField(field, pass.work), work); }, pass.work);
  RequireFinite(field + ".border.value", pass.border.value, ErrorCode::kInvalidPlan);
  RequireFinite(field + ".epilogue.result", pass.epilogue.result, ErrorCode::kInvalidPlan);
  RequireFinite(field + ".epilogue.input", pass.epilogue.input, ErrorCode::kInvalidPlan);
  RequireFinite(field + ".epilogue.offset", pass.epilogue.offset, ErrorCode::kInvalidPlan);
  RequireFinite(field + ".range.minimum", pass.range.minimum, ErrorCode::kInvalidPlan);
  RequireFinite(field + ".range.maximum", pass.range.maximum, ErrorCode::kInvalidPlan);
  if (pass.range.kind == RangeKind::kRescale && pass.range.maximum < pass.range.minimum) {
    throw Error(ErrorCode::kInvalidPlan, field + ".range.maximum",
                "at least the minimum, " + Number(pass.range.minimum), Number(pass.range.maximum));
  }
}

/// `image`: what the plan runs from. `input`, `output`: sizes around the pass.
void RequireMix(const std::string& field, const Pass& pass, const Image& image, const ResultSize& input,
                const ResultSize& output) {
  const Mix& mix = *pass.mix;
  const auto refuse = [&](const std::string& name, const std::string& expected, const std::string& actual) {
    throw Error(ErrorCode::kInvalidPlan, field + name, expected, actual);
  };
  if (!(mix.opacity >= 0 && mix.opacity <= 1)) refuse(".opacity", "0 to 1", Number(mix.opacity));
  if (!(mix.threshold >= 0 && std::isfinite(mix.threshold))) {
    refuse(".threshold", "a finite number, 0 or more", Number(mix.threshold));
  }
  if (pass.repeat != 1) refuse("", "a pass that does not repeat", std::to_string(pass.repeat) + " times");
  const MixChannels& channels = mix.channels;
  if (!channels.red && !channels.green && !channels.blue) refuse(".channels", "at least one", "none");
  const int colours = image.channels() - (image.alpha() ? 1 : 0);
  const bool any_colours =
      channels.red && channels.green && channels.blue && !channels.luminance && mix.blend != BlendMode::kLuminosity;
  if (colours != 1 && colours != 3 && !any_colours) {
    refuse("", "all channels and a blend mode other than luminosity, as the picture is neither grey nor RGB",
           std::to_string(colours) + " colour channels");
  }
  ResultSize whole = input;
  if (mix.input != nullptr) {
    const Image& other = *mix.input;
    whole = {other.width(), other.height()};
    if (other.channels() != image.channels() || other.alpha() != image.alpha()) {
      refuse(".input", "the channels of the picture", "others");
    }
    if (mix.input_x < 0 || mix.input_y < 0 || int64_t{mix.input_x} + output.width > whole.width ||
        int64_t{mix.input_y} + output.height > whole.height) {
      refuse(".input", "a picture around the result's " + Times(output.width, output.height) + " pixels",
             Times(whole.width, whole.height) + " from " + std::to_string(mix.input_x) + ", " +
                 std::to_string(mix.input_y));
    }
  }
  if (mix.mask == nullptr) return;
  const Image& mask = *mix.mask;
  if (mask.channels() != 1 || mask.type() != SampleType::kU16) {
    refuse(".mask", "one channel of u16", std::to_string(mask.channels()) + " of " + NameOf(mask.type()));
  }
  if (mask.width() != whole.width || mask.height() != whole.height) {
    refuse(".mask", "the input's " + Times(whole.width, whole.height) + " pixels", Times(mask.width(), mask.height()));
  }
}

Reach ReachOfWindow(int width, int height, int anchor_x, int anchor_y) {
  return {anchor_x, anchor_y, width - 1 - anchor_x, height - 1 - anchor_y};
}

struct ReachVisitor {
  Reach operator()(const MagnitudeWeights& magnitude) const {
    const Reach x = (*this)(magnitude.x);
    const Reach y = (*this)(magnitude.y);
    return {std::max(x.left, y.left), std::max(x.top, y.top), std::max(x.right, y.right), std::max(x.bottom, y.bottom)};
  }
  Reach operator()(const DiffusionStep& /*step*/) const { return {1, 1, 1, 1}; }
  template <typename Weights>
  Reach operator()(const Weights& weights) const {
    return ReachOfWindow(weights.width, weights.height, weights.anchor_x, weights.anchor_y);
  }
};

/// The sum of a kernel's weights, the sum of their magnitudes, and its divisor.
struct WeightSums {
  double sum = 0;
  double absolute = 0;
  double divisor = 1;

  void Add(double weight) {
    sum += weight;
    absolute += std::abs(weight);
  }
};

struct WeightSumsVisitor {
  WeightSums operator()(const DenseWeights& dense) const {
    WeightSums sums{0, 0, dense.divisor};
    for (const double weight : dense.weights) sums.Add(weight);
    return sums;
  }
  WeightSums operator()(const SeparableWeights& separable) const {
    WeightSums sums{0, 0, separable.divisor};
    if (separable.pairs.size() == 1) {
      WeightSums column;
      WeightSums row;
      for (const double weight : separable.pairs.front().column) column.Add(weight);
      for (const double weight : separable.pairs.front().row) row.Add(weight);
      return {column.sum * row.sum, column.absolute * row.absolute, separable.divisor};
    }
    for (size_t j = 0; j < static_cast<size_t>(separable.height); ++j) {
      for (size_t i = 0; i < static_cast<size_t>(separable.width); ++i) {
        double weight = 0;
        for (const RankPair& pair : separable.pairs) weight += pair.column[j] * pair.row[i];
        sums.Add(weight);
      }
    }
    return sums;
  }
  WeightSums operator()(const BoxWeights& box) const {
    const double cells = static_cast<double>(box.width) * box.height;
    return {cells, cells, box.divisor};
  }
  WeightSums operator()(const MagnitudeWeights& /*magnitude*/) const { return {}; }
  /// What leaves a pixel arrives at its neighbours.
  WeightSums operator()(const DiffusionStep& /*step*/) const { return {1, 1, 1}; }
};

/// The size of the result of a pass whose work is sound.
ResultSize ResultOf(const std::string& field, const Pass& pass, const ResultSize& input) {
  RequireRepeat(field, pass);
  if (pass.size != SizeMode::kValid) return input;
  const Reach reach = ReachOf(pass);
  const int64_t lost_across = int64_t{pass.repeat} * (int64_t{reach.left} + reach.right);
  const int64_t lost_down = int64_t{pass.repeat} * (int64_t{reach.top} + reach.bottom);
  const int64_t across = input.width - lost_across;
  const int64_t down = input.height - lost_down;
  if (across < 1 || down < 1) {
    throw Error(ErrorCode::kInvalidPlan, field + ".size", "a kernel that fits inside its input",
                Times(lost_across + 1, lost_down + 1) + " on " + Times(input.width, input.height) + " pixels");
  }
  return {static_cast<int>(across), static_cast<int>(down)};
}

/// The size of the result of a plan that is sound. `image`: what its mixes have to fit; null: they are not looked at.
ResultSize CheckPlan(const Plan& plan, ResultSize size, const Image* image) {
  for (size_t i = 0; i < plan.passes.size(); ++i) {
    const Pass& pass = plan.passes[i];
    const std::string field = Indexed("passes", i);
    RequirePass(field, pass);
    const ResultSize output = ResultOf(field, pass, size);
    if (image != nullptr && pass.mix) RequireMix(field + ".mix", pass, *image, size, output);
    size = output;
  }
  return size;
}

void RequireRegion(const Region& region, int level, ResultSize size) {
  RequireLevel(level);
  const int width = ReducedLength(size.width, level);
  const int height = ReducedLength(size.height, level);
  const bool inside = region.x >= 0 && region.y >= 0 && region.width >= 1 && region.height >= 1 &&
                      int64_t{region.x} + region.width <= width && int64_t{region.y} + region.height <= height;
  if (!inside) {
    throw Error(
        ErrorCode::kInvalidArgument, "region",
        "at least one pixel, inside the result's " + Times(width, height) + " pixels at level " + std::to_string(level),
        Times(region.width, region.height) + " at " + std::to_string(region.x) + ", " + std::to_string(region.y));
  }
}

}  // namespace

SeparableWeights SeparableOf(const BoxWeights& box) {
  const RankPair pair{std::vector<double>(static_cast<size_t>(box.height), 1.0),
                      std::vector<double>(static_cast<size_t>(box.width), 1.0)};
  return {box.width, box.height, box.anchor_x, box.anchor_y, {pair}, box.divisor};
}

std::vector<const Pass*> StepsOf(const Plan& plan) {
  std::vector<const Pass*> steps;
  for (const Pass& pass : plan.passes) steps.insert(steps.end(), static_cast<size_t>(pass.repeat), &pass);
  return steps;
}

Reach ReachOf(const Pass& pass) { return std::visit(ReachVisitor{}, pass.work); }

double AlphaGain(const Pass& pass) {
  if (std::holds_alternative<MagnitudeWeights>(pass.work)) return 0;
  const WeightSums sums = std::visit(WeightSumsVisitor{}, pass.work);
  const Epilogue& epilogue = pass.epilogue;
  const double gain = epilogue.result * (sums.sum / sums.divisor) + epilogue.input;
  const double most = std::abs(epilogue.result) * sums.absolute / std::abs(sums.divisor) + std::abs(epilogue.input);
  return std::abs(gain) >= kZeroSum * most ? gain : 0;
}

ResultSize SizeAfter(const Plan& plan, int width, int height) {
  ResultSize size{width, height};
  for (size_t i = 0; i < plan.passes.size(); ++i) {
    const Pass& pass = plan.passes[i];
    const std::string field = Indexed("passes", i);
    std::visit([&](const auto& work) { RequireShape(WorkField(field, pass.work), work); }, pass.work);
    size = ResultOf(field, pass, size);
  }
  return size;
}

void ValidatePlan(const Plan& plan, int width, int height) { CheckPlan(plan, {width, height}, nullptr); }

void ValidatePlan(const Plan& plan, const Image& image) { CheckPlan(plan, {image.width(), image.height()}, &image); }

void Validate(const Plan& plan, const Image& image, const RunRequest& request, const AnyView& destination) {
  const ResultSize size = CheckPlan(plan, {image.width(), image.height()}, &image);
  RequireRegion(request.region, request.level, size);
  std::visit(
      [&](const auto& view) {
        if (view.data == nullptr) throw Error(ErrorCode::kInvalidArgument, "destination", "memory to write to", "none");
        if (view.width != request.region.width || view.height != request.region.height) {
          throw Error(ErrorCode::kInvalidArgument, "destination size",
                      "the region's " + Times(request.region.width, request.region.height) + " pixels",
                      Times(view.width, view.height));
        }
        if (view.channels != image.channels()) {
          throw Error(ErrorCode::kInvalidArgument, "destination channels", std::to_string(image.channels()),
                      std::to_string(view.channels));
        }
        if (view.stride < static_cast<ptrdiff_t>(view.width) * view.channels) {
          throw Error(ErrorCode::kInvalidArgument, "destination stride",
                      "at least " + std::to_string(int64_t{view.width} * view.channels) + " samples",
                      std::to_string(view.stride));
        }
      },
      destination);
}

}  // namespace convolve
