// Image: pixels that the engine owns, in one buffer that starts at a page. Immutable once shared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/tone_curve.h"
#include "engine/view.h"

namespace convolve {

/// Largest width or height, and largest number of pixels, that an Image accepts.
inline constexpr int kMaximumDimension = 1 << 20;
inline constexpr int64_t kMaximumPixels = int64_t{1} << 31;

class Image {
 public:
  /// Reserves width x height x channels samples, rows without padding. `alpha` says that the last channel is alpha;
  /// `curve` what its colours are in linear light.
  /// Throws Error kInvalidArgument (sizes, 1...4 channels, alpha with 2 or 4), kImageTooLarge or kOutOfMemory.
  Image(int width, int height, int channels, bool alpha, SampleType type,
        std::shared_ptr<const ToneCurve> curve = SrgbCurve());

  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  int width() const { return width_; }
  int height() const { return height_; }
  int channels() const { return channels_; }
  bool alpha() const { return alpha_; }
  SampleType type() const { return type_; }
  const std::shared_ptr<const ToneCurve>& curve() const { return curve_; }
  size_t bytes() const { return bytes_; }
  std::byte* data() { return buffer_.get(); }
  const std::byte* data() const { return buffer_.get(); }

  AnyView view();
  AnyConstView view() const;

 private:
  struct PagesDelete {
    size_t bytes;
    void operator()(std::byte* pointer) const;
  };
  int width_, height_, channels_;
  bool alpha_;
  SampleType type_;
  std::shared_ptr<const ToneCurve> curve_;
  size_t bytes_;
  std::unique_ptr<std::byte[], PagesDelete> buffer_;
};

/// The image at a coarser level: each pixel is the mean of a 2^level block (alpha-weighted where there is alpha,
/// rounded once), the last block cut at the edge.
std::shared_ptr<Image> Reduce(const Image& image, int level);

}  // namespace convolve
