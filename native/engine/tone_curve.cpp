// The curve and the way back, as formula or as straight lines between samples.
#include "engine/tone_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "engine/error.h"

namespace convolve {
namespace {

/// Curves of profiles end at 1 but for the rounding of their numbers.
constexpr double kMostWhite = 1.01;
constexpr double kLeastWhite = 0.5;

constexpr CurveParameters kSrgb{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0};

[[noreturn]] void Refuse(const std::string& expected, const std::string& actual) {
  throw Error(ErrorCode::kInvalidArgument, "curve", expected, actual);
}

void RequireEnds(double black, double white) {
  if (!(black >= 0 && black < kLeastWhite)) Refuse("light of 0 to 0.5 at 0", std::to_string(black));
  if (!(white >= kLeastWhite && white <= kMostWhite)) Refuse("light of about 1 at 1", std::to_string(white));
}

}  // namespace

ToneCurve::ToneCurve(const CurveParameters& parameters) : parameters_(parameters) {
  const CurveParameters& p = parameters;
  for (const double number : {p.gamma, p.scale, p.offset, p.slope, p.knee, p.above, p.below}) {
    if (!std::isfinite(number)) Refuse("finite numbers", "another");
  }
  if (!(p.gamma > 0 && p.scale > 0 && p.slope >= 0 && p.knee >= 0 && p.knee < 1)) {
    Refuse("a gamma and a scale above 0, a slope of at least 0 and a knee of 0 to 1", "others");
  }
  if (!(p.scale * p.knee + p.offset >= -1e-9)) Refuse("a power of no negative number", "one of them");
  const double start = std::pow(std::max(p.scale * p.knee + p.offset, 0.0), p.gamma) + p.above;
  // Numbers of profiles are rounded to 1/65536: the two parts meet to within that, or they do not belong together.
  if (start < p.slope * p.knee + p.below - 1e-3) Refuse("a curve that rises", "one that falls at its knee");
  RequireEnds(Rising(0), Rising(1));
}

ToneCurve::ToneCurve(std::vector<double> samples) : samples_(std::move(samples)) {
  if (samples_.size() < 2) Refuse("at least two samples", std::to_string(samples_.size()));
  for (size_t i = 0; i < samples_.size(); ++i) {
    if (!std::isfinite(samples_[i])) Refuse("finite samples", "another");
    if (i > 0 && samples_[i] < samples_[i - 1]) Refuse("samples that never fall", "a falling one");
  }
  if (!(samples_.back() > samples_[samples_.size() - 2])) Refuse("samples that rise at the end", "a level end");
  RequireEnds(samples_.front(), samples_.back());
}

double ToneCurve::Linear(double encoded) const { return std::copysign(Rising(std::abs(encoded)), encoded); }

double ToneCurve::Encoded(double linear) const { return std::copysign(BackDown(std::abs(linear)), linear); }

double ToneCurve::Rising(double value) const {
  if (parameters_) {
    const CurveParameters& p = *parameters_;
    // Just above the knee the base may be a rounding below 0.
    if (value > p.knee) return std::pow(std::max(p.scale * value + p.offset, 0.0), p.gamma) + p.above;
    return p.slope * value + p.below;
  }
  const double last = static_cast<double>(samples_.size() - 1);
  const double place = value * last;
  if (!std::isfinite(place)) return place;
  const double from = std::min(std::floor(place), last - 1);
  const auto index = static_cast<size_t>(from);
  return samples_[index] + (samples_[index + 1] - samples_[index]) * (place - from);
}

double ToneCurve::BackDown(double light) const {
  if (parameters_) {
    const CurveParameters& p = *parameters_;
    if (light <= p.slope * p.knee + p.below) return p.slope > 0 ? std::max((light - p.below) / p.slope, 0.0) : 0;
    const double power = std::pow(std::max(light - p.above, 0.0), 1 / p.gamma);
    return std::max((power - p.offset) / p.scale, p.knee);
  }
  if (light <= samples_.front()) return 0;
  if (!std::isfinite(light)) return light;
  const auto above = std::lower_bound(samples_.begin(), samples_.end(), light);
  const auto index = static_cast<size_t>(std::min(above, samples_.end() - 1) - samples_.begin()) - 1;
  const double share = (light - samples_[index]) / (samples_[index + 1] - samples_[index]);
  return (static_cast<double>(index) + share) / static_cast<double>(samples_.size() - 1);
}

double ToneCurve::SteepestBack() const {
  // Near black, where powers alone have no bound.
  if (!parameters_ || parameters_->gamma < 1 || parameters_->knee == 0 || parameters_->slope == 0 ||
      parameters_->above != 0 || parameters_->below != 0) {
    return std::numeric_limits<double>::infinity();
  }
  const CurveParameters& p = *parameters_;
  const double at_knee = p.gamma * p.scale * std::pow(std::max(p.scale * p.knee + p.offset, 0.0), p.gamma - 1);
  return 1 / std::min(p.slope, at_knee);
}

const std::vector<double>& ToneCurve::LightOfCodes(SampleType type) const {
  const bool words = type == SampleType::kU16;
  std::vector<double>& table = words ? words_ : bytes_;
  std::call_once(words ? made_words_ : made_bytes_, [&] {
    const double full = FullScale(words ? SampleType::kU16 : SampleType::kU8);
    table.reserve(static_cast<size_t>(full) + 1);
    for (double code = 0; code <= full; ++code) table.push_back(Linear(code / full) * full);
  });
  return table;
}

const std::shared_ptr<const ToneCurve>& SrgbCurve() {
  static const auto curve = std::make_shared<const ToneCurve>(kSrgb);
  return curve;
}

}  // namespace convolve
