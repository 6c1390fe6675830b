// Reads the alpha channel in bands; a band stops at its first transparent pixel, and so do the others.
#include "cpu/opacity.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <type_traits>
#include <variant>

namespace convolve::cpu {
namespace {

constexpr int kBandPixels = 1 << 18;

template <typename T>
constexpr T FullAlpha() {
  if constexpr (std::is_integral_v<T>) {
    return std::numeric_limits<T>::max();
  } else {
    return T{1};
  }
}

template <typename T>
bool RowIsOpaque(const T* row, int width, int channels) {
  int transparent = 0;  // counted, not left at the first one: the loop then runs on vectors
  for (int x = 0; x < width; ++x) {
    transparent += row[static_cast<ptrdiff_t>(x) * channels + channels - 1] != FullAlpha<T>() ? 1 : 0;
  }
  return transparent == 0;
}

bool Look(const Image& image, ThreadPool& pool, const CancelToken& cancel) {
  std::atomic<bool> opaque{true};
  const int band = std::max(1, kBandPixels / image.width());
  const int bands = (image.height() + band - 1) / band;
  pool.Run(static_cast<size_t>(bands), [&](size_t task, int /*worker*/) {
    const int top = static_cast<int>(task) * band;
    const int bottom = std::min(top + band, image.height());
    std::visit(
        [&](const auto& view) {
          for (int y = top; y < bottom && opaque; ++y) {
            cancel.ThrowIfCancelled();
            if (!RowIsOpaque(view.Row(y), view.width, view.channels)) opaque = false;
          }
        },
        image.view());
  });
  return opaque;
}

}  // namespace

bool Opacity::IsOpaque(const std::shared_ptr<const Image>& image, ThreadPool& pool, const CancelToken& cancel) {
  if (!image->alpha()) return false;
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(image.get());
    if (found != known_.end() && found->second.image.lock() == image) return found->second.opaque;
  }
  const bool opaque = Look(*image, pool, cancel);
  const std::lock_guard lock(mutex_);
  std::erase_if(known_, [](const auto& entry) { return entry.second.image.expired(); });
  known_[image.get()] = {image, opaque};
  return opaque;
}

}  // namespace convolve::cpu
