// Magnitudes of floating point compare as their bits do, infinity and not-a-number above all numbers: an integer
// maximum that the compiler turns into vectors.
#include "cpu/largest.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <variant>

namespace convolve::cpu {
namespace {

constexpr int kBandSamples = 1 << 18;

template <typename T, typename Bits>
Bits LargestBits(const T* row, ptrdiff_t samples) {
  constexpr Bits kMagnitude = std::numeric_limits<Bits>::max() >> 1;
  Bits most = 0;
  for (ptrdiff_t i = 0; i < samples; ++i) {
    Bits bits;
    std::memcpy(&bits, row + i, sizeof(bits));
    most = std::max(most, bits & kMagnitude);
  }
  return most;
}

double Look(const Image& image, ThreadPool& pool, const CancelToken& cancel) {
  const int samples = image.width() * image.channels();
  const int band = std::max(1, kBandSamples / samples);
  const int bands = (image.height() + band - 1) / band;
  std::mutex mutex;
  double largest = 0;
  pool.Run(static_cast<size_t>(bands), [&](size_t task, int /*worker*/) {
    const int top = static_cast<int>(task) * band;
    const int bottom = std::min(top + band, image.height());
    std::visit(
        [&](const auto& view) {
          using T = std::remove_const_t<std::remove_pointer_t<decltype(view.data)>>;
          if constexpr (std::is_floating_point_v<T>) {
            using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
            Bits most = 0;
            for (int y = top; y < bottom; ++y) {
              cancel.ThrowIfCancelled();
              most = std::max(most, LargestBits<T, Bits>(view.Row(y), samples));
            }
            const double value = static_cast<double>(std::bit_cast<T>(most));
            const std::lock_guard lock(mutex);
            largest = std::max(largest, value == value ? value : std::numeric_limits<double>::infinity());
          }
        },
        image.view());
  });
  return largest;
}

}  // namespace

double Largest::Of(const std::shared_ptr<const Image>& image, ThreadPool& pool, const CancelToken& cancel) {
  if (image->type() == SampleType::kU8 || image->type() == SampleType::kU16) return FullScale(image->type());
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(image.get());
    if (found != known_.end() && found->second.image.lock() == image) return found->second.largest;
  }
  const double largest = Look(*image, pool, cancel);
  const std::lock_guard lock(mutex_);
  std::erase_if(known_, [](const auto& entry) { return entry.second.image.expired(); });
  known_[image.get()] = {image, largest};
  return largest;
}

}  // namespace convolve::cpu
