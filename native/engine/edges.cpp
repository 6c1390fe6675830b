// Non-maximum suppression row by row, one row behind the gradient, and hysteresis from an explicit stack.
#include "engine/edges.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

#include "engine/error.h"

namespace convolve {
namespace {

/// tan 22.5°: below it a gradient counts as level, above 1 / it (which is 2 more) as upright.
constexpr double kTangent = 0.41421356237309504880;
/// Followed pixels between two looks at the token.
constexpr size_t kPixelsBetweenLooks = 1 << 16;

void RequireThreshold(const char* field, double value, double least, const std::string& expected) {
  if (std::isfinite(value) && value >= least) return;
  std::ostringstream actual;
  actual << value;
  throw Error(ErrorCode::kInvalidPlan, field, expected, actual.str());
}

}  // namespace

EdgeTracer::EdgeTracer(int width, int height, int colours, const EdgeThresholds& thresholds)
    : width_(width), height_(height), colours_(colours), squared_(thresholds.norm == GradientNorm::kL2) {
  RequireThreshold("edges.low", thresholds.low, 0, "a finite number of at least 0");
  RequireThreshold("edges.high", thresholds.high, thresholds.low, "a finite number of at least the low threshold");
  low_ = squared_ ? thresholds.low * thresholds.low : thresholds.low;
  high_ = squared_ ? thresholds.high * thresholds.high : thresholds.high;
  stride_ = static_cast<size_t>(width) + 2;
  lengths_.resize(3 * stride_);
  slopes_.resize(4 * static_cast<size_t>(width));
  map_.resize(stride_ * (static_cast<size_t>(height) + 2));
}

void EdgeTracer::AddRows(const View<const float>& x, const View<const float>& y, const CancelToken& cancel) {
  for (int row = 0; row < x.height; ++row) {
    cancel.ThrowIfCancelled();
    Measure(x.Row(row), y.Row(row), x.channels);
    ++rows_;
    if (rows_ > 1) Suppress(rows_ - 2);
    if (rows_ == height_) {
      std::fill_n(Lengths(rows_), stride_, 0.0);
      Suppress(rows_ - 1);
    }
  }
}

/// The lengths and slopes of row `rows_`: for each pixel those of its steepest channel.
void EdgeTracer::Measure(const float* x, const float* y, int channels) {
  double* const lengths = Lengths(rows_);
  float* const slopes_x = Slopes(rows_);
  float* const slopes_y = slopes_x + width_;
  for (int i = 0; i < width_; ++i) {
    double longest = 0;
    float slope_x = 0;
    float slope_y = 0;
    for (int c = 0; c < colours_; ++c) {
      const double across = x[i * channels + c];
      const double down = y[i * channels + c];
      const double length = squared_ ? across * across + down * down : std::abs(across) + std::abs(down);
      if (!(length > longest)) continue;
      longest = length;
      slope_x = x[i * channels + c];
      slope_y = y[i * channels + c];
    }
    lengths[i + 1] = longest;
    slopes_x[i] = slope_x;
    slopes_y[i] = slope_y;
  }
}

void EdgeTracer::Suppress(int y) {
  const double* const above = Lengths(y - 1) + 1;  // of y = 0: still 0
  const double* const own = Lengths(y) + 1;
  const double* const below = Lengths(y + 1) + 1;
  const float* const slopes_x = Slopes(y);
  const float* const slopes_y = slopes_x + width_;
  for (int i = 0; i < width_; ++i) {
    const double length = own[i];
    if (!(length > low_)) continue;
    const double across = std::abs(static_cast<double>(slopes_x[i]));
    const double down = std::abs(static_cast<double>(slopes_y[i]));
    const double shallow = across * kTangent;
    bool largest = false;
    if (down < shallow) {
      largest = length > own[i - 1] && length >= own[i + 1];
    } else if (down > shallow + 2 * across) {
      largest = length > above[i] && length >= below[i];
    } else {
      const int side = (slopes_x[i] < 0) == (slopes_y[i] < 0) ? 1 : -1;
      largest = length > above[i - side] && length > below[i + side];
    }
    if (!largest) continue;
    const size_t index = Index(i, y);
    if (length > high_) {
      map_[index] = kEdge;
      waiting_.push_back(static_cast<uint32_t>(index));
    } else {
      map_[index] = kWeak;
    }
  }
}

void EdgeTracer::Trace(const CancelToken& cancel) {
  const size_t around[] = {stride_ + 1, stride_, stride_ - 1, 1};
  size_t followed = 0;
  const auto take = [&](size_t index) {
    if (map_[index] != kWeak) return;
    map_[index] = kEdge;
    waiting_.push_back(static_cast<uint32_t>(index));
  };
  while (!waiting_.empty()) {
    if (++followed % kPixelsBetweenLooks == 0) cancel.ThrowIfCancelled();
    const size_t index = waiting_.back();
    waiting_.pop_back();
    for (const size_t step : around) {
      take(index - step);
      take(index + step);
    }
  }
}

}  // namespace convolve
