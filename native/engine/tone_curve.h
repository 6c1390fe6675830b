// ToneCurve: how a picture's stored values stand for linear light, in shares of full scale: the sRGB curve, or the one
// of the picture's own colour profile.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/view.h"

namespace convolve {

/// light = (scale * v + offset)^gamma + above for v beyond the knee, and slope * v + below up to it. The five functions
/// of ICC.1:2022 10.18 (parametricCurveType) are this one with some parts left out.
struct CurveParameters {
  double gamma = 1;
  double scale = 1;
  double offset = 0;
  double slope = 1;
  double knee = 0;
  double above = 0;
  double below = 0;
};

/// Rises from 0 or a little more to about 1 at v = 1. Beyond 1 it goes on; negative values mirror it: f(-v) = -f(v).
/// Immutable, so that threads share it.
class ToneCurve {
 public:
  /// Throws Error kInvalidArgument "curve" where the curve does not rise from 0...1 to 0...1, so that there is no way
  /// back.
  explicit ToneCurve(const CurveParameters& parameters);
  /// Light at evenly spaced values from 0 to 1, at least two, never falling and rising at the end: straight lines
  /// between them, and beyond. Throws as above.
  explicit ToneCurve(std::vector<double> samples);

  /// Linear light of an encoded value.
  double Linear(double encoded) const;
  /// The least encoded value of linear light.
  double Encoded(double linear) const;

  /// Null for a curve of samples.
  const CurveParameters* parameters() const { return parameters_ ? &*parameters_ : nullptr; }
  /// Empty for a curve that is a formula.
  const std::vector<double>& samples() const { return samples_; }
  /// At most how many times a result's value grows on the way back to encoded values; infinity where there is no bound.
  double SteepestBack() const;
  /// Linear light of every code value of u8 or u16, in code values. Made when it is first asked for.
  const std::vector<double>& LightOfCodes(SampleType type) const;

 private:
  double Rising(double value) const;    // of a value that is not negative
  double BackDown(double light) const;  // the same way back

  std::optional<CurveParameters> parameters_;
  std::vector<double> samples_;
  mutable std::once_flag made_bytes_, made_words_;
  mutable std::vector<double> bytes_, words_;
};

/// IEC 61966-2-1. The curve of pictures that have none of their own.
const std::shared_ptr<const ToneCurve>& SrgbCurve();

}  // namespace convolve
