// Folding a pass into nine weights, and the regions of its trips.
#include "cuda/stencil_pass.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace convolve::cuda {
namespace {

constexpr int kSide = 3;
constexpr size_t kMiddle = 4;

template <typename Weights>
bool IsAround(const Weights& weights) {
  return weights.width == kSide && weights.height == kSide && weights.anchor_x == 1 && weights.anchor_y == 1;
}

/// The nine weights over their divisor; empty where there are not nine.
struct NineVisitor {
  std::vector<double> operator()(const DenseWeights& dense) const {
    std::vector<double> nine;
    if (!IsAround(dense) || dense.variant != VariantName::kNone) return nine;
    for (const double weight : dense.weights) nine.push_back(weight / dense.divisor);
    return nine;
  }
  std::vector<double> operator()(const SeparableWeights& separable) const {
    std::vector<double> nine;
    if (!IsAround(separable)) return nine;
    for (size_t j = 0; j < kSide; ++j) {
      for (size_t i = 0; i < kSide; ++i) {
        double weight = 0;
        for (const RankPair& pair : separable.pairs) weight += pair.column[j] * pair.row[i];
        nine.push_back(weight / separable.divisor);
      }
    }
    return nine;
  }
  std::vector<double> operator()(const BoxWeights& box) const { return (*this)(SeparableOf(box)); }
  std::vector<double> operator()(const MagnitudeWeights& /*magnitude*/) const { return {}; }
  std::vector<double> operator()(const DiffusionStep& /*step*/) const { return {}; }
};

/// Steps of each trip: the most that there can be, and what is left.
std::vector<int> Trips(int steps) {
  std::vector<int> lengths(static_cast<size_t>(steps / kStencilSteps), kStencilSteps);
  if (steps % kStencilSteps > 0) lengths.push_back(steps % kStencilSteps);
  return lengths;
}

}  // namespace

std::optional<std::array<float, 9>> StencilWeights(const Pass& pass) {
  const bool plain = pass.epilogue.offset == 0 && pass.light == LightMode::kEncoded && pass.size == SizeMode::kSame &&
                     (pass.range.kind == RangeKind::kClamp || pass.range.kind == RangeKind::kFloat);
  if (!plain) return std::nullopt;
  const std::vector<double> nine = std::visit(NineVisitor{}, pass.work);
  if (nine.empty()) return std::nullopt;
  std::array<float, 9> weights{};
  for (size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<float>(nine[i] * pass.epilogue.result + (i == kMiddle ? pass.epilogue.input : 0));
  }
  return weights;
}

int StencilSteps(int left) {
  const int rest = left % kStencilSteps;
  return rest < kStencilSteps / 2 ? left - rest : left;
}

void LaunchStencilPass(const LoweredPass& pass, const FinishParameters& finish, const SourceParameters& source,
                       const TargetParameters& target, int channels, const Device& device, cudaStream_t stream,
                       const std::function<void()>& between) {
  const std::vector<int> trips = Trips(pass.repeat);
  // From the last trip back: the part that each trip has to write.
  std::vector<Region> parts(trips.size());
  Region part{target.x0, target.y0, target.x1 - target.x0, target.y1 - target.y0};
  for (size_t i = trips.size(); i-- > 0;) {
    parts[i] = part;
    LoweredPass trip = pass;
    trip.reach = {trips[i], trips[i], trips[i], trips[i]};
    part = NeededInput(trip, part, channels, source.width, source.height);
  }
  StencilJob job = {};
  job.source = source;
  std::copy(pass.weights.begin(), pass.weights.end(), job.weights);
  job.bounded = (pass.finish.steps & kStepBound) != 0;
  job.opaque = pass.finish.alpha == AlphaRule::kFull;
  job.full_scale = pass.finish.full_scale;
  DevicePicture before;  // holds what the launch under way reads
  for (size_t i = 0; i < trips.size(); ++i) {
    job.steps = trips[i];
    DevicePicture result;
    if (i + 1 == trips.size()) {
      job.target = target;
      job.finish = finish;
    } else {
      result = device.AllocatePicture(SampleType::kF32, channels, parts[i], stream);
      const DeviceView& view = result.view;
      job.target = {view.data,
                    static_cast<int>(view.pitch),
                    parts[i].x,
                    parts[i].y,
                    parts[i].x,
                    parts[i].y,
                    parts[i].x + parts[i].width,
                    parts[i].y + parts[i].height,
                    SampleType::kF32,
                    false};
      job.finish = {};
    }
    between();
    LaunchStencil(job, channels, device.traits().multiprocessors, stream);
    before = std::move(result);
    job.source.data = before.view.data;
    job.source.pitch = static_cast<int>(before.view.pitch);
    job.source.left = before.view.area.x;
    job.source.top = before.view.area.y;
    job.source.columns = before.view.area.width;
    job.source.rows = before.view.area.height;
    job.source.type = SampleType::kF32;
  }
}

}  // namespace convolve::cuda
