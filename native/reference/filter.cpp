// What a pass means, in order: load through the border, linear light, premultiply, sum / divisor, epilogue,
// un-premultiply, offset, range, mix with the input, back to encoded. Values are code values; the scale of
// premultiplied colour (colour x alpha, both in code values) cancels on division.
#include "reference/filter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "engine/alpha.h"
#include "engine/border.h"
#include "engine/plan.h"
#include "reference/mix.h"

namespace convolve::reference {
namespace {

/// The kernels of a pass: one or, of a magnitude, two; or the rows and columns of one; or none, of a diffusion.
struct Kernels {
  std::vector<DenseWeights> dense;
  std::optional<SeparableWeights> separable;
  std::optional<DiffusionStep> diffusion;
};

/// Sparse and FFT weights are dense ones here: how they are computed elsewhere changes nothing about what they mean.
struct KernelsVisitor {
  Kernels operator()(const DenseWeights& dense) const { return {{dense}, std::nullopt, std::nullopt}; }
  Kernels operator()(const SeparableWeights& separable) const { return {{}, separable, std::nullopt}; }
  Kernels operator()(const BoxWeights& box) const { return (*this)(SeparableOf(box)); }
  Kernels operator()(const MagnitudeWeights& magnitude) const {
    return {{magnitude.x, magnitude.y}, std::nullopt, std::nullopt};
  }
  Kernels operator()(const DiffusionStep& step) const { return {{}, std::nullopt, step}; }
};

/// The range mode on code values: as shares, halves of integers would not stay halves, and round to either side.
double InRange(const Range& range, double value, double full_scale) {
  switch (range.kind) {
    case RangeKind::kClamp:
      return std::clamp(value, 0.0, full_scale);
    case RangeKind::kAbsolute:
      return std::min(std::abs(value), full_scale);
    case RangeKind::kSigned:
      return std::clamp((full_scale + value) / 2, 0.0, full_scale);
    case RangeKind::kFloat:
      return value;
    case RangeKind::kRescale:
      return range.maximum == range.minimum ? 0.0
                                            : (value - range.minimum * full_scale) / (range.maximum - range.minimum);
  }
  return value;
}

/// A pass bound to its input: what every pixel shares.
class PassRun {
 public:
  PassRun(const Field& input, const Pass& pass, const CancelToken& cancel)
      : input_(input),
        pass_(pass),
        colours_(input.colours()),
        weighted_(input.alpha && pass.alpha == AlphaMode::kWeighted),
        kernels_(std::visit(KernelsVisitor{}, pass.work)),
        gain_(AlphaGain(pass)),
        working_(input) {
    for (int y = 0; y < working_.height; ++y) {
      cancel.ThrowIfCancelled();
      for (int x = 0; x < working_.width; ++x) ToWorking(working_.Pixel(x, y));
    }
    outside_.fill(pass.border.kind == BorderKind::kConstant ? pass.border.value * input.full_scale : 0.0);
    ToWorking(outside_.data());
    if (kernels_.separable) SumPairs(*kernels_.separable, cancel);
  }

  /// The result for input position (x, y), before the range mode and still in working light.
  Pixel Value(int x, int y) const {
    Pixel filtered = Filtered(x, y);
    if (magnitude()) {
      const Pixel other = Sum(kernels_.dense[1], x, y);
      for (int c = 0; c < input_.channels; ++c) {
        filtered[c] = std::sqrt(filtered[c] * filtered[c] + other[c] * other[c]);
      }
    }
    const double* own = working_.Pixel(x, y);
    for (int c = 0; c < input_.channels; ++c) {
      filtered[c] *= pass_.epilogue.result;
      // Not 0 · own: an infinite pixel would make that a NaN.
      if (pass_.epilogue.input != 0) filtered[c] += pass_.epilogue.input * own[c];
    }
    if (input_.alpha) filtered[colours_] = Alpha(filtered[colours_], own[colours_]);
    const bool hidden = weighted_ && std::abs(filtered[colours_]) < kTransparent * input_.full_scale;
    for (int c = 0; c < colours_; ++c) {
      if (hidden) {
        filtered[c] = 0;
        continue;
      }
      if (weighted_) filtered[c] /= filtered[colours_];
      filtered[c] += pass_.epilogue.offset * input_.full_scale;
    }
    return filtered;
  }

  /// The range mode.
  Pixel Ranged(Pixel value) const {
    for (int c = 0; c < colours_; ++c) value[c] = InRange(pass_.range, value[c], input_.full_scale);
    if (input_.alpha && pass_.range.kind != RangeKind::kFloat) {
      value[colours_] = std::clamp(value[colours_], 0.0, input_.full_scale);
    }
    return value;
  }

  /// Back to encoded values.
  Pixel Stored(Pixel value) const {
    if (pass_.light == LightMode::kEncoded) return value;
    for (int c = 0; c < colours_; ++c) value[c] = InStored(value[c]);
    return value;
  }

 private:
  bool magnitude() const { return kernels_.dense.size() == 2; }

  Pixel Filtered(int x, int y) const {
    if (kernels_.diffusion) return Diffused(*kernels_.diffusion, x, y);
    return kernels_.separable ? PairsSum(x, y) : Sum(kernels_.dense[0], x, y);
  }

  /// The pixel after one step of diffusion.
  Pixel Diffused(const DiffusionStep& step, int x, int y) const {
    constexpr std::array<std::array<int, 2>, 4> kNeighbours = {{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
    const double* const own = working_.Pixel(x, y);
    Pixel moved{};
    for (const auto& [right, down] : kNeighbours) {
      const int column = MapPosition(pass_.border.kind, int64_t{x} + right, input_.width);
      const int row = MapPosition(pass_.border.kind, int64_t{y} + down, input_.height);
      const double* const other = row < 0 || column < 0 ? outside_.data() : working_.Pixel(column, row);
      const double flow = Stopping(step, SquaredStrength(own, other));
      for (int c = 0; c < input_.channels; ++c) moved[c] += flow * (other[c] - own[c]);
    }
    for (int c = 0; c < input_.channels; ++c) moved[c] = own[c] + step.rate * moved[c];
    return moved;
  }

  /// s^2 of the edge between two working pixels, s a share of full scale.
  double SquaredStrength(const double* a, const double* b) const {
    const double full = input_.full_scale;
    double squares = 0;
    for (int c = 0; c < colours_; ++c) {
      const double difference = (b[c] - a[c]) / (weighted_ ? full * full : full);
      squares += difference * difference / colours_;
    }
    if (!input_.alpha || pass_.alpha == AlphaMode::kColourOnly) return squares;
    const double difference = (b[colours_] - a[colours_]) / full;
    return squares + difference * difference;
  }

  static double Stopping(const DiffusionStep& step, double squared_strength) {
    const double ratio = squared_strength / (step.conductance * step.conductance);
    switch (step.stopping) {
      case EdgeStopping::kExponential:
        return std::exp(-ratio);
      case EdgeStopping::kRational:
        return 1 / (1 + ratio);
    }
    return 1;
  }

  double InLight(double code) const { return input_.curve->Linear(code / input_.full_scale) * input_.full_scale; }
  double InStored(double light) const { return input_.curve->Encoded(light / input_.full_scale) * input_.full_scale; }

  /// Alpha of the result from filtered alpha and the pixel's own.
  double Alpha(double filtered, double own) const {
    switch (pass_.alpha) {
      case AlphaMode::kWeighted:
        return gain_ != 0 ? filtered / gain_ : own;
      case AlphaMode::kStraight:
        return magnitude() ? own : filtered;
      case AlphaMode::kColourOnly:
        return own;
    }
    return own;
  }

  /// Stored values become working values, in place: linear light where asked, premultiplied where weighted.
  void ToWorking(double* pixel) const {
    for (int c = 0; c < colours_; ++c) {
      if (pass_.light == LightMode::kLinear) pixel[c] = InLight(pixel[c]);
      if (weighted_) pixel[c] *= pixel[colours_];
    }
  }

  /// The weighted sum around (x, y), over the divisor.
  Pixel Sum(const DenseWeights& kernel, int x, int y) const {
    Pixel sum{};
    for (int j = 0; j < kernel.height; ++j) {
      const int row = MapPosition(pass_.border.kind, int64_t{y} + j - kernel.anchor_y, input_.height);
      for (int i = 0; i < kernel.width; ++i) {
        const int column = MapPosition(pass_.border.kind, int64_t{x} + i - kernel.anchor_x, input_.width);
        const double* pixel = row < 0 || column < 0 ? outside_.data() : working_.Pixel(column, row);
        const double weight = kernel.weights[static_cast<size_t>(j) * kernel.width + i];
        for (int c = 0; c < input_.channels; ++c) sum[c] += weight * pixel[c];
      }
    }
    for (double& value : sum) value /= kernel.divisor;
    return sum;
  }

  /// Fills `summed_`: for each pair along the rows first, then down the columns of what that gave. Rows outside the
  /// picture are either rows of it or, by a constant border, all alike.
  void SumPairs(const SeparableWeights& separable, const CancelToken& cancel) {
    summed_ = SameKind(working_, working_.width, working_.height);
    for (const RankPair& pair : separable.pairs) {
      const DenseWeights row{separable.width, 1, separable.anchor_x, 0, pair.row, 1};
      Field across = SameKind(working_, working_.width, working_.height);
      for (int y = 0; y < across.height; ++y) {
        for (int x = 0; x < across.width; ++x) {
          cancel.ThrowIfCancelled();
          const Pixel sum = Sum(row, x, y);
          std::copy_n(sum.begin(), across.channels, across.Pixel(x, y));
        }
      }
      Pixel outside = outside_;
      for (double& value : outside) value *= std::accumulate(pair.row.begin(), pair.row.end(), 0.0);
      for (int y = 0; y < across.height; ++y) {
        cancel.ThrowIfCancelled();
        for (int j = 0; j < separable.height; ++j) {
          const int from = MapPosition(pass_.border.kind, int64_t{y} + j - separable.anchor_y, across.height);
          for (int x = 0; x < across.width; ++x) {
            const double* pixel = from < 0 ? outside.data() : across.Pixel(x, from);
            double* sum = summed_.Pixel(x, y);
            for (int c = 0; c < across.channels; ++c) sum[c] += pair.column[static_cast<size_t>(j)] * pixel[c];
          }
        }
      }
    }
    for (double& value : summed_.samples) value /= separable.divisor;
  }

  Pixel PairsSum(int x, int y) const {
    Pixel sum{};
    std::copy_n(summed_.Pixel(x, y), summed_.channels, sum.begin());
    return sum;
  }

  const Field& input_;
  const Pass& pass_;
  int colours_;
  bool weighted_;
  Kernels kernels_;
  double gain_;
  Field working_;
  Field summed_;  // of a separable kernel
  Pixel outside_;
};

}  // namespace

Field Filter(const Field& input, const Pass& pass, const CancelToken& cancel, Extremes* extremes) {
  const PassRun run(input, pass, cancel);
  const Reach reach = pass.size == SizeMode::kValid ? ReachOf(pass) : Reach{};
  Field output = SameKind(input, input.width - reach.left - reach.right, input.height - reach.top - reach.bottom);
  std::optional<MixRun> mix;
  if (pass.mix) mix.emplace(input, pass, cancel);
  double minimum = std::numeric_limits<double>::infinity();
  double maximum = -minimum;
  for (int y = 0; y < output.height; ++y) {
    for (int x = 0; x < output.width; ++x) {
      cancel.ThrowIfCancelled();
      const Pixel value = run.Value(x + reach.left, y + reach.top);
      for (int c = 0; c < output.colours(); ++c) {
        minimum = std::min(minimum, value[c] / input.full_scale);
        maximum = std::max(maximum, value[c] / input.full_scale);
      }
      const Pixel ranged = run.Ranged(value);
      const std::optional<Pixel> mixed = mix ? mix->Mixed(x, y, value, ranged) : ranged;
      if (mixed) {
        const Pixel stored = run.Stored(*mixed);
        std::copy_n(stored.begin(), output.channels, output.Pixel(x, y));
      } else {
        std::copy_n(mix->Input(x, y), output.channels, output.Pixel(x, y));
      }
    }
  }
  if (extremes != nullptr) *extremes = minimum <= maximum ? Extremes{minimum, maximum} : Extremes{};
  return output;
}

}  // namespace convolve::reference
