// Block means. Integer sums are exact in 64 bits: an image has at most 2^31 pixels, a product of two samples at most
// 2^32.
#include "engine/reduce.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <variant>

#include "engine/error.h"

namespace convolve {
namespace {

/// sum / count, rounded half up (all integers here are unsigned, so that is half away from zero).
template <typename T>
T Quotient(uint64_t sum, uint64_t count) {
  const uint64_t quotient = sum / count;
  const uint64_t remainder = sum % count;
  return static_cast<T>(remainder >= count - remainder ? quotient + 1 : quotient);
}

template <typename T>
T Quotient(double sum, double count) {
  return static_cast<T>(sum / count);
}

template <typename Sum>
bool Transparent(Sum alpha_sum, int64_t pixels) {
  if constexpr (std::is_integral_v<Sum>) {
    return alpha_sum == 0;
  } else {
    return std::abs(alpha_sum) < 1e-6 * static_cast<double>(pixels);
  }
}

template <typename T>
void ReduceViews(const View<const T>& source, bool alpha, int level, const View<T>& destination) {
  using Sum = std::conditional_t<std::is_integral_v<T>, uint64_t, double>;
  const int64_t block = int64_t{1} << level;
  const int channels = source.channels;
  const int colours = alpha ? channels - 1 : channels;
  for (int y = 0; y < destination.height; ++y) {
    const int top = static_cast<int>(y * block);
    const int bottom = static_cast<int>(std::min<int64_t>(top + block, source.height));
    for (int x = 0; x < destination.width; ++x) {
      const int left = static_cast<int>(x * block);
      const int right = static_cast<int>(std::min<int64_t>(left + block, source.width));
      const int64_t pixels = int64_t{bottom - top} * (right - left);
      Sum sums[4] = {};
      for (int row = top; row < bottom; ++row) {
        const T* pixel = source.Row(row) + static_cast<ptrdiff_t>(left) * channels;
        for (int column = left; column < right; ++column, pixel += channels) {
          const Sum weight = alpha ? static_cast<Sum>(pixel[colours]) : Sum{1};
          for (int c = 0; c < colours; ++c) sums[c] += static_cast<Sum>(pixel[c]) * weight;
          if (alpha) sums[colours] += weight;
        }
      }
      T* out = destination.Row(y) + static_cast<ptrdiff_t>(x) * channels;
      const Sum count = static_cast<Sum>(pixels);
      const Sum weights = alpha ? sums[colours] : count;
      const bool hidden = alpha && Transparent(weights, pixels);
      for (int c = 0; c < colours; ++c) out[c] = hidden ? T{0} : Quotient<T>(sums[c], weights);
      if (alpha) out[colours] = Quotient<T>(weights, count);
    }
  }
}

template <typename T>
void CopyViews(const View<const T>& source, const View<T>& destination) {
  const ptrdiff_t samples = static_cast<ptrdiff_t>(source.width) * source.channels;
  for (int y = 0; y < source.height; ++y) std::copy_n(source.Row(y), samples, destination.Row(y));
}

}  // namespace

void RequireLevel(int level) {
  if (level < 0 || level > kMaximumLevel) {
    throw Error(ErrorCode::kInvalidArgument, "level", "0 to " + std::to_string(kMaximumLevel), std::to_string(level));
  }
}

void ReduceInto(const AnyConstView& source, bool alpha, int level, const AnyView& destination) {
  RequireLevel(level);
  std::visit(
      [&](const auto& from) {
        using T = std::remove_const_t<std::remove_pointer_t<decltype(from.data)>>;
        const auto* to = std::get_if<View<T>>(&destination);
        if (to == nullptr) {
          throw Error(ErrorCode::kInvalidArgument, "destination", "the source's sample type");
        }
        if (to->channels != from.channels || to->width != ReducedLength(from.width, level) ||
            to->height != ReducedLength(from.height, level)) {
          throw Error(ErrorCode::kInvalidArgument, "destination", "the source's size at the level, and its channels");
        }
        if (level == 0) {
          CopyViews<T>(from, *to);  // also keeps the colour under alpha 0
        } else {
          ReduceViews<T>(from, alpha, level, *to);
        }
      },
      source);
}

}  // namespace convolve
