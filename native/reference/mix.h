// A pass's result enters its input: opacity, blend mode, channels and mask of engine/pass.h, one pixel at a time.
#pragma once

#include <memory>
#include <optional>

#include "engine/backend.h"
#include "engine/pass.h"
#include "reference/field.h"

namespace convolve::reference {

/// The mix of a pass, which has one, bound to its input.
class MixRun {
 public:
  MixRun(const Field& input, const Pass& pass, const CancelToken& cancel);

  /// Result pixel (x, y) from the filtered one, before its range and in it, all in the light that the pass works in,
  /// code values; nothing where the input's own pixel stays.
  std::optional<Pixel> Mixed(int x, int y, const Pixel& value, const Pixel& ranged) const;

  /// The input's pixel below result pixel (x, y), as it is stored.
  const double* Input(int x, int y) const { return input_->Pixel(x + left_, y + top_); }

 private:
  /// The filtered pixel with the channels of the input in which it differs too little.
  Pixel Kept(const Pixel& below, const Pixel& value, const Pixel& ranged) const;
  Pixel Blended(const Pixel& below, const Pixel& filtered) const;
  double Share(int x, int y) const;

  const Pass& pass_;
  const Mix& mix_;
  std::shared_ptr<const ToneCurve> curve_;
  Field other_;  // where it is not the pass's own input
  const Field* input_;
  int colours_;
  bool weighted_;
  int left_ = 0;
  int top_ = 0;
};

}  // namespace convolve::reference
