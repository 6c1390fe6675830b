// Bands of rows, each by whichever thread is free; a band's shapes know only what comes near its rows.
#include "engine/mask_raster.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/mask_coverage.h"

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
  Raster(const Mask& mask, const Region& region, const Image* picture, Image& image, const CancelToken& cancel)
      : mask_(mask), region_(region), picture_(picture), image_(image), cancel_(cancel) {}

  /// Rows from `top` of the region on; both rows of floats have its width.
  void Band(int top, float* row, float* shape) const {
    const int bottom = std::min(top + kBandRows, region_.height);
    const MaskRows rows{region_.x, region_.width, region_.y + top, region_.y + bottom};
    std::vector<CoverRow> covers;
    covers.reserve(mask_.shapes.size());
    for (const MaskShape& one : mask_.shapes) covers.push_back(CoverageOf(one, rows));
    const bool from_nothing = !mask_.shapes.empty() && mask_.shapes.front().combine == MaskCombination::kAdd;
    const View<uint16_t> out = std::get<View<uint16_t>>(image_.view());
    for (int y = top; y < bottom; ++y) {
      cancel_.ThrowIfCancelled();
      std::fill(row, row + region_.width, from_nothing ? 0.0F : 1.0F);
      for (size_t i = 0; i < covers.size(); ++i) {
        Combine(mask_.shapes[i].combine, covers[i](region_.y + y, shape), shape, region_.width, row);
      }
      if (mask_.luminance) KeepRange(*mask_.luminance, *picture_, region_, region_.y + y, row);
      Store(row, out.Row(y));
    }
  }

 private:
  void Store(const float* row, uint16_t* out) const {
    const uint16_t turned = mask_.inverted ? 65535 : 0;
    for (int i = 0; i < region_.width; ++i) {
      const float held = std::min(1.0F, std::max(0.0F, row[i]));
      // All values are exact halves or lie between them: adding a half and cutting rounds half up.
      const auto value = static_cast<uint16_t>(static_cast<int>(held * kFull + 0.5F));
      out[i] = static_cast<uint16_t>(value ^ turned);  // 65535 - value
    }
  }

  const Mask& mask_;
  const Region& region_;
  const Image* picture_;
  Image& image_;
  const CancelToken& cancel_;
};

/// Runs the bands on as many threads as are worth it; the first exception of any is thrown.
void RunBands(const Raster& raster, const Region& region) {
  const int bands = (region.height + kBandRows - 1) / kBandRows;
  std::atomic<int> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  const auto work = [&] {
    try {
      std::vector<float> rows(2 * static_cast<size_t>(region.width));
      for (int band = next++; band < bands; band = next++) {
        raster.Band(band * kBandRows, rows.data(), rows.data() + region.width);
      }
    } catch (...) {
      next = bands;
      const std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
    }
  };
  const int64_t worth = int64_t{region.width} * region.height / kThreadPixels;
  const int64_t most = std::min<int64_t>({std::max(1U, std::thread::hardware_concurrency()), bands, worth + 1});
  std::vector<std::thread> others;
  try {
    for (int64_t i = 1; i < most; ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // Those that started do the work.
  }
  work();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

std::shared_ptr<const Image> RasteriseMask(const Mask& mask, const Region& region, const Image* picture,
                                           const CancelToken& cancel) {
  if (mask.luminance && picture == nullptr) {
    throw Error(ErrorCode::kInvalidArgument, "picture", "the picture whose brightness counts", "none");
  }
  constexpr int64_t kEnd = std::numeric_limits<int>::max();
  if (int64_t{region.x} + region.width > kEnd || int64_t{region.y} + region.height > kEnd) {
    throw Error(ErrorCode::kInvalidArgument, "region", "one that ends at 2147483647 at most", "one that ends beyond");
  }
  cancel.ThrowIfCancelled();
  try {
    auto image = std::make_shared<Image>(region.width, region.height, 1, false, SampleType::kU16);
    RunBands(Raster(mask, region, picture, *image, cancel), region);
    return image;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kOutOfMemory, "mask");
  }
}

}  // namespace convolve
