// The formulas of W3C, "Compositing and Blending Level 1", as they stand there, on code values.
#include "reference/mix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <variant>

#include "engine/alpha.h"
#include "engine/image.h"
#include "engine/plan.h"

namespace convolve::reference {
namespace {

using Colour = std::array<double, 3>;

/// `full`: what stands for 1, here and below.
double Screen(double b, double s, double full) { return b + s - b * s / full; }

/// In shares of full scale.
double SoftLight(double b, double s) {
  if (s <= 0.5) return b - (1 - 2 * s) * b * (1 - b);
  const double d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : std::sqrt(b);
  return b + (2 * s - 1) * (d - b);
}

/// Separable modes: `b` below, `s` on top. `cut`: at most `full`.
double Separable(BlendMode mode, double b, double s, double full, bool cut) {
  switch (mode) {
    case BlendMode::kNormal:
    case BlendMode::kLuminosity:
      return s;
    case BlendMode::kMultiply:
      return b * s / full;
    case BlendMode::kScreen:
      return Screen(b, s, full);
    case BlendMode::kOverlay:
      return b <= full / 2 ? 2 * b * s / full : Screen(s, 2 * b - full, full);
    case BlendMode::kSoftLight:
      return SoftLight(b / full, s / full) * full;
    case BlendMode::kLighten:
      return std::max(b, s);
    case BlendMode::kDarken:
      return std::min(b, s);
    case BlendMode::kDifference:
      return std::abs(b - s);
    case BlendMode::kAddition:
      return cut ? std::min(b + s, full) : b + s;
  }
  return s;
}

double Lum(const Colour& c) { return 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2]; }

Colour ClipColour(const Colour& c, double full) {
  const double l = Lum(c);
  const double n = std::min({c[0], c[1], c[2]});
  const double x = std::max({c[0], c[1], c[2]});
  Colour clipped = c;
  // A grey that rounding alone has put beyond the range has no chroma to divide by.
  for (double& value : clipped) {
    if (n < 0) value = l > n ? l + (value - l) * l / (l - n) : 0;
    if (x > full) value = x > l ? l + (value - l) * (full - l) / (x - l) : full;
  }
  return clipped;
}

/// The colour with another luminance. `cut`: within 0 and `full`.
Colour SetLum(const Colour& c, double luminance, double full, bool cut) {
  if (cut) luminance = std::clamp(luminance, 0.0, full);
  const double d = luminance - Lum(c);
  const Colour set = {c[0] + d, c[1] + d, c[2] + d};
  return cut ? ClipColour(set, full) : set;
}

}  // namespace

MixRun::MixRun(const Field& input, const Pass& pass, const CancelToken& cancel)
    : pass_(pass),
      mix_(*pass.mix),
      curve_(input.curve),
      input_(&input),
      colours_(input.colours()),
      weighted_(input.alpha && pass.alpha == AlphaMode::kWeighted) {
  if (mix_.input != nullptr) {
    other_ = Load(*mix_.input, cancel);
    for (double& sample : other_.samples) sample *= input.full_scale / other_.full_scale;
    other_.full_scale = input.full_scale;
    input_ = &other_;
    left_ = mix_.input_x;
    top_ = mix_.input_y;
  } else if (pass.size == SizeMode::kValid) {
    const Reach reach = ReachOf(pass);
    left_ = reach.left;
    top_ = reach.top;
  }
}

double MixRun::Share(int x, int y) const {
  if (mix_.mask == nullptr) return mix_.opacity;
  const auto mask = std::get<View<const uint16_t>>(std::as_const(*mix_.mask).view());
  return mix_.opacity * mask.Row(y + top_)[x + left_] / 65535;
}

Pixel MixRun::Kept(const Pixel& below, const Pixel& value, const Pixel& ranged) const {
  const double full = input_->full_scale;
  const bool hidden = weighted_ && std::abs(below[colours_]) < kTransparent * full;
  Pixel kept = ranged;
  for (int c = 0; c < input_->channels; ++c) {
    if (hidden && c < colours_) continue;
    if (std::abs(value[c] - below[c]) < mix_.threshold * full) kept[c] = below[c];
  }
  return kept;
}

Pixel MixRun::Blended(const Pixel& below, const Pixel& filtered) const {
  const double full = input_->full_scale;
  const bool cut = pass_.range.kind != RangeKind::kFloat;
  Pixel blended{};
  for (int c = 0; c < colours_; ++c) blended[c] = Separable(mix_.blend, below[c], filtered[c], full, cut);
  if (colours_ != 3) return blended;
  const Colour b = {below[0], below[1], below[2]};
  if (mix_.blend == BlendMode::kLuminosity || mix_.channels.luminance) {
    const Colour set = SetLum(b, Lum({blended[0], blended[1], blended[2]}), full, cut);
    std::copy(set.begin(), set.end(), blended.begin());
  }
  return blended;
}

std::optional<Pixel> MixRun::Mixed(int x, int y, const Pixel& value, const Pixel& ranged) const {
  const double m = Share(x, y);
  if (m == 0) return std::nullopt;
  const double full = input_->full_scale;
  Pixel b{};
  std::copy_n(Input(x, y), input_->channels, b.begin());
  for (int c = 0; c < colours_ && pass_.light == LightMode::kLinear; ++c) b[c] = curve_->Linear(b[c] / full) * full;
  const Pixel filtered = Kept(b, value, ranged);
  const Pixel blended = Blended(b, filtered);
  const bool replaced = m == 1 && mix_.blend == BlendMode::kNormal && !(mix_.channels.luminance && colours_ == 3);
  const double own = input_->alpha ? b[colours_] : full;
  const double other = input_->alpha ? filtered[colours_] : full;
  const double alpha = own + (other - own) * m;
  const std::array<bool, 4> changes = {colours_ == 1 || mix_.channels.red, mix_.channels.green, mix_.channels.blue,
                                       true};
  Pixel mixed = b;
  for (int c = 0; c < colours_; ++c) {
    if (!changes[static_cast<size_t>(c)]) continue;
    if (replaced) {
      mixed[c] = filtered[c];
    } else if (!weighted_) {
      mixed[c] = b[c] + (blended[c] - b[c]) * m;
    } else if (std::abs(alpha) < kTransparent * full) {
      mixed[c] = 0;
    } else if (std::abs(own) < kTransparent * full) {
      mixed[c] = filtered[c];
    } else {
      const double there = own / full;
      const double f = (1 - there) * filtered[c] + there * blended[c];
      mixed[c] = b[c] + (f - b[c]) * (other * m / alpha);
    }
  }
  if (input_->alpha && mix_.channels.alpha) mixed[colours_] = replaced ? other : alpha;
  return mixed;
}

}  // namespace convolve::reference
