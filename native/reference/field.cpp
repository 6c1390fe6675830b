// Loading an image into working values, and storing working values into a destination.
#include "reference/field.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>

#include "engine/reduce.h"
#include "engine/sample.h"

namespace convolve::reference {
namespace {

template <typename T>
constexpr double FullScaleOf() {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<double>(std::numeric_limits<T>::max());
  } else {
    return 1.0;
  }
}

/// Stores the part of the field that starts at (left, top) and has the destination's size.
template <typename T>
void StoreCrop(const Field& field, int left, int top, const View<T>& destination, const CancelToken& cancel) {
  const double scale = FullScaleOf<T>() / field.full_scale;  // exactly 1 where the depth is kept
  const int samples = destination.width * destination.channels;
  for (int y = 0; y < destination.height; ++y) {
    cancel.ThrowIfCancelled();
    const double* from = field.Pixel(left, top + y);
    T* to = destination.Row(y);
    for (int i = 0; i < samples; ++i) to[i] = StoredSample<T>(from[i] * scale);
  }
}

template <typename T>
void StoreLevel(const Field& field, const RunRequest& request, const View<T>& destination, const CancelToken& cancel) {
  const Region& region = request.region;
  if (request.level == 0) {
    StoreCrop(field, region.x, region.y, destination, cancel);
    return;
  }
  // The region's blocks at level 0, cut where the result ends.
  const int64_t block = int64_t{1} << request.level;
  const int left = static_cast<int>(region.x * block);
  const int top = static_cast<int>(region.y * block);
  const int width = static_cast<int>(std::min<int64_t>(region.width * block, field.width - left));
  const int height = static_cast<int>(std::min<int64_t>(region.height * block, field.height - top));
  std::vector<T, PageAllocator<T>> stored(static_cast<size_t>(width) * height * field.channels);
  const ptrdiff_t stride = static_cast<ptrdiff_t>(width) * field.channels;
  StoreCrop(field, left, top, View<T>{stored.data(), width, height, field.channels, stride}, cancel);
  ReduceInto(View<const T>{stored.data(), width, height, field.channels, stride}, field.alpha, request.level,
             destination);
}

}  // namespace

Field SameKind(const Field& field, int width, int height) {
  Field other{width, height, field.channels, field.alpha, field.full_scale, field.curve, {}};
  other.samples.resize(static_cast<size_t>(width) * height * field.channels);
  return other;
}

Field Load(const Image& image, const CancelToken& cancel) {
  const Field kind{0, 0, image.channels(), image.alpha(), FullScale(image.type()), image.curve(), {}};
  Field field = SameKind(kind, image.width(), image.height());
  std::visit(
      [&](const auto& view) {
        for (int y = 0; y < view.height; ++y) {
          cancel.ThrowIfCancelled();
          std::copy_n(view.Row(y), static_cast<ptrdiff_t>(view.width) * view.channels, field.Pixel(0, y));
        }
      },
      image.view());
  return field;
}

void Store(const Field& field, const RunRequest& request, const AnyView& destination, const CancelToken& cancel) {
  std::visit([&](const auto& view) { StoreLevel(field, request, view, cancel); }, destination);
}

}  // namespace convolve::reference
