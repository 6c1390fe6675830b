// View: a rectangle of interleaved samples that somebody else owns. Never owns, never frees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

namespace convolve {

enum class SampleType { kU8, kU16, kF32, kF64 };

constexpr size_t BytesPerSample(SampleType type) {
  switch (type) {
    case SampleType::kU8:
      return 1;
    case SampleType::kU16:
      return 2;
    case SampleType::kF32:
      return 4;
    case SampleType::kF64:
      return 8;
  }
  return 0;
}

/// The type's name on the wire: "u8", "u16", "f32", "f64".
constexpr const char* NameOf(SampleType type) {
  switch (type) {
    case SampleType::kU8:
      return "u8";
    case SampleType::kU16:
      return "u16";
    case SampleType::kF32:
      return "f32";
    case SampleType::kF64:
      return "f64";
  }
  return "";
}

/// The value that stands for 1.0: 255, 65535, or 1 for floating point.
constexpr double FullScale(SampleType type) {
  switch (type) {
    case SampleType::kU8:
      return 255.0;
    case SampleType::kU16:
      return 65535.0;
    default:
      return 1.0;
  }
}

/// `stride` counts samples (not bytes) from one row to the next; it is at least width * channels.
template <typename T>
struct View {
  T* data = nullptr;
  int width = 0;
  int height = 0;
  int channels = 0;
  ptrdiff_t stride = 0;

  T* Row(int y) const { return data + static_cast<ptrdiff_t>(y) * stride; }
};

/// A rectangle in pixels.
struct Region {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// A writable view whose sample type is known only at run time.
using AnyView = std::variant<View<uint8_t>, View<uint16_t>, View<float>, View<double>>;
/// A read-only view whose sample type is known only at run time.
using AnyConstView = std::variant<View<const uint8_t>, View<const uint16_t>, View<const float>, View<const double>>;

}  // namespace convolve
