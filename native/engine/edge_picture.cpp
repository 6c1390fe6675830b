// The picture in steps, its gradient in bands from a backend, the tracer, and the edges as an image.
#include "engine/edge_picture.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engine/alpha.h"
#include "engine/pages.h"
#include "engine/plan.h"
#include "engine/tone_curve.h"

namespace convolve {
namespace {

constexpr int kSteps = 65535;

/// To the nearest whole number, halves to even. std::nearbyint is a call for each sample where SSE4 is not assumed.
float Whole(float value) {
  constexpr float kNoFraction = 1 << 22;
  constexpr float kShift = 3 * kNoFraction;  // the sum has no bits left for a fraction
  return std::abs(value) < kNoFraction ? (value + kShift) - kShift : std::nearbyint(value);
}

Pass GradientPass(const EdgeFilter& filter, const Work& work) {
  Pass pass;
  pass.work = work;
  pass.border = filter.border;
  pass.border.value *= kSteps;  // the picture is in steps, and full scale of its floats is 1
  pass.size = filter.size;
  pass.alpha = AlphaMode::kStraight;
  pass.range.kind = RangeKind::kFloat;
  return pass;
}

/// The checks of a pass, with its fields under the name that they have here.
void RequireGradient(const std::string& field, const Pass& pass, const ResultSize& size) {
  if (std::holds_alternative<MagnitudeWeights>(pass.work)) {
    throw Error(ErrorCode::kInvalidKernel, field, "a linear kernel", "a magnitude");
  }
  if (std::holds_alternative<DiffusionStep>(pass.work)) {
    throw Error(ErrorCode::kInvalidKernel, field, "a linear kernel", "a diffusion");
  }
  try {
    ValidatePlan({{pass}}, size.width, size.height);
  } catch (const Error& error) {
    const std::string work = "passes[0].work";
    const std::string subject = error.subject();
    const std::string own = subject.rfind(work, 0) == 0 ? field + subject.substr(work.size()) : "edges";
    throw Error(error.code(), own, error.expected(), error.actual());
  }
}

void RequireSameReach(const Pass& x, const Pass& y) {
  const Reach a = ReachOf(x);
  const Reach b = ReachOf(y);
  if (a.left == b.left && a.top == b.top && a.right == b.right && a.bottom == b.bottom) return;
  throw Error(ErrorCode::kInvalidKernel, "edges.y", "the size and anchor of edges.x", "another size or anchor");
}

/// Linear light of every step of an encoded value, in steps.
std::vector<float> LightSteps(const ToneCurve& curve) {
  std::vector<float> light(kSteps + 1);
  const auto& codes = curve.LightOfCodes(SampleType::kU16);
  for (size_t i = 0; i < light.size(); ++i) light[i] = static_cast<float>(codes[i]);
  return light;
}

/// Colour in steps, in place: linear light where asked, on black where weighted. Alpha stays a share.
class StepRows {
 public:
  StepRows(const EdgeFilter& filter, int channels, bool alpha, const ToneCurve& curve)
      : curve_(curve),
        channels_(channels),
        colours_(alpha ? channels - 1 : channels),
        weighted_(alpha && filter.alpha == AlphaMode::kWeighted),
        light_(filter.light == LightMode::kLinear ? LightSteps(curve) : std::vector<float>()) {}

  void Apply(float* row, int width) const {
    if (colours_ == channels_ && light_.empty()) {
      for (int i = 0; i < width * channels_; ++i) row[i] = Whole(row[i] * kSteps);
      return;
    }
    for (float* pixel = row; pixel < row + static_cast<ptrdiff_t>(width) * channels_; pixel += channels_) {
      const float share = weighted_ ? Whole(pixel[colours_] * kSteps) / kSteps : 1.0F;
      for (int c = 0; c < colours_; ++c) pixel[c] = InLight(Whole(pixel[c] * kSteps)) * share;
    }
  }

 private:
  float InLight(float step) const {
    if (light_.empty()) return step;
    if (step >= 0 && step <= kSteps) return light_[static_cast<size_t>(step)];
    return static_cast<float>(kSteps * curve_.Linear(static_cast<double>(step) / kSteps));
  }

  const ToneCurve& curve_;
  int channels_;
  int colours_;
  bool weighted_;
  std::vector<float> light_;
};

using FloatRows = std::vector<float, PageAllocator<float>>;

/// One gradient of the band's rows, in whole steps.
View<const float> BandGradient(Backend& backend, const Pass& pass, const std::shared_ptr<const Image>& picture,
                               const Region& band, FloatRows& samples, const CancelToken& cancel) {
  const int channels = picture->channels();
  const ptrdiff_t stride = static_cast<ptrdiff_t>(band.width) * channels;
  samples.resize(static_cast<size_t>(stride) * static_cast<size_t>(band.height));
  backend.Run({{pass}}, picture, {band, 0}, View<float>{samples.data(), band.width, band.height, channels, stride},
              cancel);
  for (float& sample : samples) sample = Whole(sample);
  return {samples.data(), band.width, band.height, channels, stride};
}

/// A share of a full turn, counter-clockwise from the right, of a gradient in whole steps; 0 for one that is 0 or no
/// number.
float GradientDirection(float across, float down) {
  if (!std::isfinite(across) || !std::isfinite(down) || (across == 0 && down == 0)) return 0;
  constexpr double kTurn = 6.283185307179586476925;
  // 0 - down, so that a level gradient has +0 there: to the left is half a turn, never minus half a turn.
  const double angle = std::atan2(0.0 - static_cast<double>(down), static_cast<double>(across));
  const auto share = static_cast<float>((angle < 0 ? angle + kTurn : angle) / kTurn);
  return share < 1 ? share : 0;
}

/// The edges as samples of type T; alpha comes from the picture in steps, at (left, top) of it.
template <typename T>
void Draw(const EdgeTracer& tracer, const View<const float>& picture, int left, int top, bool alpha, bool weighted,
          const View<T>& result) {
  const T full = static_cast<T>(FullScale(std::is_same_v<T, uint8_t>    ? SampleType::kU8
                                          : std::is_same_v<T, uint16_t> ? SampleType::kU16
                                                                        : SampleType::kF32));
  const int channels = result.channels;
  const int colours = alpha ? channels - 1 : channels;
  for (int y = 0; y < result.height; ++y) {
    T* to = result.Row(y);
    const float* from = picture.Row(top + y) + static_cast<ptrdiff_t>(left) * channels;
    for (int x = 0; x < result.width; ++x, to += channels, from += channels) {
      const bool hidden = weighted && std::abs(from[colours]) < static_cast<float>(kTransparent);
      const T value = tracer.IsEdge(x, y) && !hidden ? full : T{0};
      std::fill_n(to, colours, value);
      if (!alpha) continue;
      const float share = from[colours];
      if constexpr (std::is_integral_v<T>) {
        to[colours] = static_cast<T>(Whole(std::clamp(share, 0.0F, 1.0F) * static_cast<float>(full)));
      } else {
        to[colours] = static_cast<T>(share);
      }
    }
  }
}

/// Directions of a band's rows, into rows of `result` from `top`; all channels of x and y, of which the first `colours`
/// count.
void DrawDirections(const View<const float>& x, const View<const float>& y, int colours, const View<float>& result,
                    int top) {
  for (int row = 0; row < x.height; ++row) {
    const float* across = x.Row(row);
    const float* down = y.Row(row);
    float* to = result.Row(top + row);
    for (int i = 0; i < x.width * x.channels; ++i) {
      if (i % x.channels < colours) to[i] = GradientDirection(across[i], down[i]);
    }
  }
}

/// Alpha of a picture of directions, from the picture in steps at (left, top) of it; hidden pixels have no direction.
void DrawAlpha(const View<const float>& picture, int left, int top, bool weighted, const View<float>& result) {
  const int colours = result.channels - 1;
  for (int y = 0; y < result.height; ++y) {
    float* to = result.Row(y);
    const float* from = picture.Row(top + y) + static_cast<ptrdiff_t>(left) * result.channels;
    for (int x = 0; x < result.width; ++x, to += result.channels, from += result.channels) {
      to[colours] = from[colours];
      if (weighted && std::abs(from[colours]) < static_cast<float>(kTransparent)) std::fill_n(to, colours, 0.0F);
    }
  }
}

std::shared_ptr<const Image> MakeEdgePicture(Backend& backend, const Plan& before, const EdgeFilter& filter,
                                             const std::shared_ptr<const Image>& image, const CancelToken& cancel) {
  const int channels = image->channels();
  const bool alpha = image->alpha();
  const ResultSize size = SizeAfter(before, image->width(), image->height());
  const Pass across = GradientPass(filter, filter.x);
  const Pass down = GradientPass(filter, filter.y);
  RequireGradient("edges.x", across, size);
  RequireGradient("edges.y", down, size);
  RequireSameReach(across, down);
  const ResultSize result_size = SizeAfter({{across}}, size.width, size.height);
  const bool directions = filter.use == GradientUse::kDirection;
  const int colours = alpha ? channels - 1 : channels;
  EdgeThresholds thresholds = filter.thresholds;
  thresholds.low *= kSteps;
  thresholds.high *= kSteps;
  std::optional<EdgeTracer> tracer;
  if (!directions) tracer.emplace(result_size.width, result_size.height, colours, thresholds);

  // Its channels are plain numbers to the backend: what alpha means for edges is already in the colours.
  const auto picture = std::make_shared<Image>(size.width, size.height, channels, false, SampleType::kF32);
  backend.Run(before, image, {{0, 0, size.width, size.height}, 0}, picture->view(), cancel);
  const StepRows steps(filter, channels, alpha, *image->curve());
  const auto rows = std::get<View<float>>(picture->view());
  for (int y = 0; y < size.height; ++y) {
    cancel.ThrowIfCancelled();
    steps.Apply(rows.Row(y), size.width);
  }

  const bool floats = directions || (alpha && !before.passes.empty());
  auto result = std::make_shared<Image>(result_size.width, result_size.height, channels, alpha,
                                        floats ? SampleType::kF32 : image->type(), image->curve());
  FloatRows gradient_x;
  FloatRows gradient_y;
  const int band_rows = std::clamp(kEdgeBandPixels / result_size.width, 1, result_size.height);
  for (int y = 0; y < result_size.height; y += band_rows) {
    const Region band{0, y, result_size.width, std::min(band_rows, result_size.height - y)};
    const View<const float> x_rows = BandGradient(backend, across, picture, band, gradient_x, cancel);
    const View<const float> y_rows = BandGradient(backend, down, picture, band, gradient_y, cancel);
    if (tracer) {
      tracer->AddRows(x_rows, y_rows, cancel);
    } else {
      cancel.ThrowIfCancelled();
      DrawDirections(x_rows, y_rows, colours, std::get<View<float>>(result->view()), y);
    }
  }
  if (tracer) tracer->Trace(cancel);

  const Reach reach = filter.size == SizeMode::kValid ? ReachOf(across) : Reach{};
  const auto source = std::get<View<const float>>(std::as_const(*picture).view());
  const bool weighted = alpha && filter.alpha == AlphaMode::kWeighted;
  if (!tracer) {
    if (alpha) DrawAlpha(source, reach.left, reach.top, weighted, std::get<View<float>>(result->view()));
    return result;
  }
  std::visit([&](const auto& view) { Draw(*tracer, source, reach.left, reach.top, alpha, weighted, view); },
             result->view());
  return result;
}

}  // namespace

std::shared_ptr<const Image> EdgePicture(Backend& backend, const Plan& before, const EdgeFilter& filter,
                                         const std::shared_ptr<const Image>& image, const CancelToken& cancel) {
  if (image == nullptr) throw Error(ErrorCode::kInvalidArgument, "image", "an image", "none");
  ValidatePlan(before, *image);
  try {
    return MakeEdgePicture(backend, before, filter, image, cancel);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory, "edges");
  }
}

}  // namespace convolve
