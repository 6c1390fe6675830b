// Small pictures, passes and runs for tests: values in, values out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backend.h"

namespace convolve::test {

template <typename T>
constexpr SampleType TypeOf() {
  if constexpr (std::is_same_v<T, uint8_t>) {
    return SampleType::kU8;
  } else if constexpr (std::is_same_v<T, uint16_t>) {
    return SampleType::kU16;
  } else if constexpr (std::is_same_v<T, float>) {
    return SampleType::kF32;
  } else {
    static_assert(std::is_same_v<T, double>);
    return SampleType::kF64;
  }
}

/// Whether the last channel of a picture is alpha.
enum class Alpha { kNone, kLast };

/// An image of these samples, row after row, channels interleaved. 1...4 channels by their number. sRGB where no curve
/// is given.
template <typename T>
std::shared_ptr<const Image> Picture(int width, int height, const std::vector<T>& samples, Alpha alpha = Alpha::kNone,
                                     std::shared_ptr<const ToneCurve> curve = SrgbCurve()) {
  const int channels = static_cast<int>(samples.size() / (static_cast<size_t>(width) * static_cast<size_t>(height)));
  auto image = std::make_shared<Image>(width, height, channels, alpha == Alpha::kLast, TypeOf<T>(), std::move(curve));
  const auto view = std::get<View<T>>(image->view());
  std::copy_n(samples.begin(), static_cast<size_t>(width) * static_cast<size_t>(height) * static_cast<size_t>(channels),
              view.data);
  return image;
}

/// Every sample the same.
template <typename T>
std::shared_ptr<const Image> Flat(int width, int height, int channels, T value) {
  return Picture<T>(width, height, std::vector<T>(static_cast<size_t>(width * height * channels), value));
}

/// Noise over the whole range of an integer type; 0...1 for floating point. The same for the same seed on every system.
template <typename T>
std::vector<T> Noise(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> samples(count);
  for (T& sample : samples) {
    if constexpr (std::is_integral_v<T>) {
      sample = static_cast<T>(random());
    } else {
      sample = static_cast<T>(random() / 4294967296.0);
    }
  }
  return samples;
}

template <typename T>
std::shared_ptr<const Image> NoisePicture(int width, int height, int channels, uint32_t seed,
                                          Alpha alpha = Alpha::kNone) {
  return Picture<T>(width, height, Noise<T>(static_cast<size_t>(width * height * channels), seed), alpha);
}

/// A correlation kernel with its default anchor, floor(side / 2).
inline DenseWeights Kernel(int width, int height, std::vector<double> weights, double divisor = 1) {
  return {width, height, width / 2, height / 2, std::move(weights), divisor};
}

inline DenseWeights KernelAt(int width, int height, int anchor_x, int anchor_y, std::vector<double> weights) {
  return {width, height, anchor_x, anchor_y, std::move(weights), 1};
}

/// The same kernel read as a convolution: turned by 180 degrees, its anchor turned with it.
inline DenseWeights Turned(DenseWeights kernel) {
  std::reverse(kernel.weights.begin(), kernel.weights.end());
  kernel.anchor_x = kernel.width - 1 - kernel.anchor_x;
  kernel.anchor_y = kernel.height - 1 - kernel.anchor_y;
  return kernel;
}

inline Pass PassOf(Work work, BorderKind border = BorderKind::kReplicate, RangeKind range = RangeKind::kClamp) {
  Pass pass;
  pass.work = std::move(work);
  pass.border.kind = border;
  pass.range.kind = range;
  return pass;
}

/// Sobel's horizontal gradient, positive where it gets brighter to the right.
inline DenseWeights SobelX(double divisor = 1) { return Kernel(3, 3, {-1, 0, 1, -2, 0, 2, -1, 0, 1}, divisor); }
inline DenseWeights SobelY(double divisor = 1) { return Kernel(3, 3, {-1, -2, -1, 0, 0, 0, 1, 2, 1}, divisor); }
inline DenseWeights Laplacian() { return Kernel(3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0}); }
inline DenseWeights Sharpen() { return Kernel(3, 3, {0, -1, 0, -1, 5, -1, 0, -1, 0}); }
inline DenseWeights Emboss() { return Kernel(3, 3, {-2, -1, 0, -1, 1, 1, 0, 1, 2}); }
inline DenseWeights Box(int width, int height) {
  return Kernel(width, height, std::vector<double>(static_cast<size_t>(width * height), 1.0), width * height);
}

/// The region of the plan's result at the level, as samples of type T.
template <typename T>
std::vector<T> Part(Backend& backend, const Plan& plan, const std::shared_ptr<const Image>& image, const Region& region,
                    int level = 0) {
  const int channels = image->channels();
  std::vector<T> samples(static_cast<size_t>(region.width) * static_cast<size_t>(region.height) *
                         static_cast<size_t>(channels));
  const View<T> view{samples.data(), region.width, region.height, channels, ptrdiff_t{region.width} * channels};
  backend.Run(plan, image, {region, level}, view, CancelToken());
  return samples;
}

/// The whole result at level 0.
template <typename T>
std::vector<T> Result(Backend& backend, const Plan& plan, const std::shared_ptr<const Image>& image) {
  const ResultSize size = SizeAfter(plan, image->width(), image->height());
  return Part<T>(backend, plan, image, {0, 0, size.width, size.height});
}

/// How many samples of a region of a result differ from the same place of the whole, `width` pixels wide.
template <typename T>
int64_t Unequal(const std::vector<T>& part, const Region& region, const std::vector<T>& whole, int width,
                int channels) {
  int64_t unequal = 0;
  for (int y = 0; y < region.height; ++y) {
    for (int i = 0; i < region.width * channels; ++i) {
      const auto at = (static_cast<size_t>(region.y + y) * width + static_cast<size_t>(region.x)) * channels + i;
      if (part[static_cast<size_t>(y) * region.width * channels + i] != whole[at]) ++unequal;
    }
  }
  return unequal;
}

/// The largest difference between two results of one size, in code values; huge where one is not a number.
template <typename T>
double LargestBetween(const std::vector<T>& got, const std::vector<T>& expected) {
  double largest = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double difference = std::abs(static_cast<double>(got[i]) - static_cast<double>(expected[i]));
    largest = std::max(largest, difference == difference ? difference : 1e30);
  }
  return largest;
}

/// The same between two backends' samples of a region.
template <typename T>
double LargestDifference(Backend& one, Backend& other, const Plan& plan, const std::shared_ptr<const Image>& image,
                         const Region& region) {
  return LargestBetween(Part<T>(one, plan, image, region), Part<T>(other, plan, image, region));
}

/// The code that the work throws; kInternal where it throws nothing.
inline ErrorCode CodeOf(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kInternal;
}

}  // namespace convolve::test
