// Bands of rows, each by whichever thread is free; a band's shapes know only what comes near its rows.
#include "engine/mask_raster.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <thread>
#include <vector>

#include "engine/mask_coverage.h"
#include "engine/on_threads.h"

namespace convolve {
namespace {

constexpr int kBandRows = 32;
/// Pixels below which another thread costs more than it does.
constexpr int64_t kThreadPixels = 1 << 17;
constexpr float kFull = 65535;

void Combine(MaskCombination combination, MaskSpan span, const float* shape, int width, float* mask) {
  if (combination == MaskCombination::kIntersect) {
    std::fill(mask, mask + span.begin, 0.0F);
    std::fill(mask + std::max(span.begin, span.end), mask + width, 0.0F);
    for (int i = span.begin; i < span.end; ++i) mask[i] *= shape[i];
  } else if (combination == MaskCombination::kAdd) {
    for (int i = span.begin; i < span.end; ++i) mask[i] += shape[i] - mask[i] * shape[i];
  } else {
    for (int i = span.begin; i < span.end; ++i) mask[i] *= 1 - shape[i];
  }
}

/// Rec. ITU-R BT.709, of the stored values, as a share of full scale.
template <typename T>
float Brightness(const T* pixel, int colours, double scale) {
  if (colours < 3) return static_cast<float>(static_cast<double>(pixel[0]) * scale);
  return static_cast<float>((0.2126 * static_cast<double>(pixel[0]) + 0.7152 * static_cast<double>(pixel[1]) +
                             0.0722 * static_cast<double>(pixel[2])) *
                            scale);
}

/// How much a brightness belongs to the range.
float InRange(float value, const MaskLuminance& range) {
  const double outside = std::max(range.low > 0 ? range.low - value : 0, range.high < 1 ? value - range.high : 0);
  if (outside <= 0) return 1;
  return outside < range.softness ? static_cast<float>(1 - outside / range.softness) : 0;
}

/// Row `y` of the region in the picture.
void KeepRange(const MaskLuminance& range, const Image& picture, const Region& region, int y, float* mask) {
  const int colours = picture.channels() - (picture.alpha() ? 1 : 0);
  const double scale = 1 / FullScale(picture.type());
  std::visit(
      [&](const auto& view) {
        const auto* row = view.Row(std::clamp(y, 0, view.height - 1));
        for (int i = 0; i < region.width; ++i) {
          if (mask[i] <= 0) continue;
          const auto* pixel = row + static_cast<ptrdiff_t>(std::clamp(region.x + i, 0, view.width - 1)) * view.channels;
          mask[i] *= InRange(Brightness(pixel, colours, scale), range);
        }
      },
      picture.view());
}

class Raster {
 public:
  /// `part`: what of the region is computed.
  Raster(const Mask& mask, const Region& region, const Region& part, const Image* picture, Image& image,
         const CancelToken& cancel)
      : mask_(mask), region_(region), part_(part), picture_(picture), image_(image), cancel_(cancel) {}

  /// Rows from `top` of the part on; both rows of floats have its width.
  void Band(int top, float* row, float* shape) const {
    const int bottom = std::min(top + kBandRows, part_.height);
    const MaskRows rows{part_.x, part_.width, part_.y + top, part_.y + bottom};
    std::vector<CoverRow> covers;
    covers.reserve(mask_.shapes.size());
    for (const MaskShape& one : mask_.shapes) covers.push_back(CoverageOf(one, rows));
    const bool from_nothing = !mask_.shapes.empty() && mask_.shapes.front().combine == MaskCombination::kAdd;
    const View<uint16_t> out = std::get<View<uint16_t>>(image_.view());
    for (int y = top; y < bottom; ++y) {
      cancel_.ThrowIfCancelled();
      std::fill(row, row + part_.width, from_nothing ? 0.0F : 1.0F);
      for (size_t i = 0; i < covers.size(); ++i) {
        Combine(mask_.shapes[i].combine, covers[i](part_.y + y, shape), shape, part_.width, row);
      }
      if (mask_.luminance) KeepRange(*mask_.luminance, *picture_, part_, part_.y + y, row);
      Store(row, out.Row(part_.y - region_.y + y) + (part_.x - region_.x));
    }
  }

 private:
  void Store(const float* row, uint16_t* out) const {
    const uint16_t turned = mask_.inverted ? 65535 : 0;
    for (int i = 0; i < part_.width; ++i) {
      const float held = std::min(1.0F, std::max(0.0F, row[i]));
      // All values are exact halves or lie between them: adding a half and cutting rounds half up.
      const auto value = static_cast<uint16_t>(static_cast<int>(held * kFull + 0.5F));
      out[i] = static_cast<uint16_t>(value ^ turned);  // 65535 - value
    }
  }

  const Mask& mask_;
  const Region& region_;
  const Region& part_;
  const Image* picture_;
  Image& image_;
  const CancelToken& cancel_;
};

/// As many as the pixels are worth.
int ThreadsFor(int64_t pixels) {
  return static_cast<int>(
      std::min<int64_t>(std::max(1U, std::thread::hardware_concurrency()), pixels / kThreadPixels + 1));
}

/// Calls work(band) for the bands of a region, on each thread the one that make() answers.
template <typename Make>
void ForBands(const Region& region, const Make& make) {
  const int bands = (region.height + kBandRows - 1) / kBandRows;
  RunOnThreads(bands, std::min(bands, ThreadsFor(int64_t{region.width} * region.height)), make);
}

void RunBands(const Raster& raster, const Region& part) {
  ForBands(part, [&] {
    return [&raster, width = part.width, rows = std::vector<float>(2 * static_cast<size_t>(part.width))](
               int band) mutable { raster.Band(band * kBandRows, rows.data(), rows.data() + width); };
  });
}

void CopyAll(const Image& from, Image& to, const Region& region) {
  const View<const uint16_t> source = std::get<View<const uint16_t>>(from.view());
  const View<uint16_t> target = std::get<View<uint16_t>>(to.view());
  ForBands(region, [&] {
    return [&](int band) {
      const int bottom = std::min((band + 1) * kBandRows, region.height);
      for (int y = band * kBandRows; y < bottom; ++y) {
        std::copy(source.Row(y), source.Row(y) + region.width, target.Row(y));
      }
    };
  });
}

Region Intersect(const Region& a, const Region& b) {
  const int64_t left = std::max(a.x, b.x);
  const int64_t top = std::max(a.y, b.y);
  const int64_t right = std::min(int64_t{a.x} + a.width, int64_t{b.x} + b.width);
  const int64_t bottom = std::min(int64_t{a.y} + a.height, int64_t{b.y} + b.height);
  return {static_cast<int>(left), static_cast<int>(top), static_cast<int>(std::max<int64_t>(0, right - left)),
          static_cast<int>(std::max<int64_t>(0, bottom - top))};
}

}  // namespace

std::shared_ptr<const Image> RasteriseMask(const Mask& mask, const Region& region, const Image* picture,
                                           const CancelToken& cancel, const MaskBefore* before) {
  if (mask.luminance && picture == nullptr) {
    throw Error(ErrorCode::kInvalidArgument, "picture", "the picture whose brightness counts", "none");
  }
  constexpr int64_t kEnd = std::numeric_limits<int>::max();
  if (int64_t{region.x} + region.width > kEnd || int64_t{region.y} + region.height > kEnd) {
    throw Error(ErrorCode::kInvalidArgument, "region", "one that ends at 2147483647 at most", "one that ends beyond");
  }
  if (before != nullptr) {
    const Image& image = *before->image;
    if (image.width() != region.width || image.height() != region.height || image.channels() != 1 ||
        image.type() != SampleType::kU16) {
      throw Error(ErrorCode::kInvalidArgument, "before", "a mask of the region's size", "another image");
    }
  }
  cancel.ThrowIfCancelled();
  try {
    auto image = std::make_shared<Image>(region.width, region.height, 1, false, SampleType::kU16);
    if (before != nullptr) CopyAll(*before->image, *image, region);
    const Region part = before == nullptr ? region : Intersect(region, before->change);
    if (part.width > 0 && part.height > 0) RunBands(Raster(mask, region, part, picture, *image, cancel), part);
    return image;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory, "mask");
  }
}

}  // namespace convolve
